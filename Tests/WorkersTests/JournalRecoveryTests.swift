import Foundation
import Jobs
import Recordings
import ReducerKit
import TestSupport
import Testing

@testable import Workers

/// What a scan makes of a journal that a run left which was killed.
@Suite struct JournalRecoveryTests {
    private let world = TestWorld()
    private let modified: Int64 = 1_778_049_123_000_000_000
    private let temporary: Pathname = ".tapedeck.7.0.partial"

    init() {
        world.add("b.wav")
        world.makeFolder(world.output)
    }

    /// "abc", the example of FIPS 180-2.
    private let sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

    private var entry: ManifestEntry {
        var entry = ManifestEntry(
            name: "b.wav", status: .done,
            source: FileStamp(bytes: 3, modifiedNanoseconds: modified))
        entry.waveforms = [
            WaveformFile(
                path: "b.wav.dat", samplesPerPixel: 256, bits: 8, channels: 1, length: 1,
                bytes: 3, sha256: sha256)
        ]
        entry.notTrimmed = .nothingToCut
        return entry
    }

    /// A recording whose waveform had not been moved when the run ended.
    private func fact(obsolete: [Pathname] = []) -> JournalFact {
        var told = entry
        told.recipe = Recipe()
        return JournalFact(
            folder: .empty, entry: told,
            staged: [StagedFile(temporary: temporary, name: "b.wav.dat")], obsolete: obsolete)
    }

    private func stage(_ text: String) throws {
        let path = world.folder.write(
            Array(text.utf8), to: Pathname("output").appending(temporary))
        try FileSystem.setModified(path, nanoseconds: modified)
    }

    private func list(_ facts: [JournalFact], isDryRun: Bool = false) -> FolderListing {
        let scanner = FolderScanner(
            places: world.places, journal: .of(facts), isDryRun: isDryRun)
        var request = FolderScan.Request(path: .empty)
        request.recovers = true
        guard case .listed(_, let listing) = scanner.list(FolderID(0), request) else {
            Issue.record("not listed")
            return FolderListing()
        }
        return listing
    }

    private func damage(_ listing: FolderListing) -> [OutputDamage.Kind]? {
        listing.recordings.first?.previous?.damage.map(\.kind)
    }

    @Test func stagedFileWithMatchingChecksumIsPublished() throws {
        try stage("abc")
        let listing = list([fact()])
        #expect(TestWorld.tree(world.output) == ["b.wav.dat"])
        #expect(listing.isRecovered)
        #expect(
            listing.recordings.map(\.previous) == [
                PreviousWork(entry: SettledEntry(entry), recipe: Boxed(Recipe()))
            ])
    }

    @Test func stagedFileWithWrongChecksumIsDeleted() throws {
        try stage("abd")
        let listing = list([fact()])
        #expect(TestWorld.tree(world.output) == [])
        #expect(damage(listing) == [.missing])
    }

    @Test func earlierOutputIsKeptWhenStagedFileDiffers() throws {
        try stage("abd")
        let earlier = world.folder.write(Array("abc".utf8), to: "output/b.wav.dat")
        try FileSystem.setModified(earlier, nanoseconds: modified)
        #expect(damage(list([fact()])) == [])
        #expect(TestFolder.bytes(of: earlier) == Array("abc".utf8))
        #expect(TestWorld.tree(world.output) == ["b.wav.dat"])
    }

    @Test func blockedMoveReportsOutputAsAltered() throws {
        try stage("abc")
        world.makeFolder(world.output.appending("b.wav.dat/x"))
        #expect(damage(list([fact()])) == [.altered])
    }

    @Test func laterRecordOverridesEarlierRecord() throws {
        try stage("abc")
        var failed = fact()
        failed.staged = []
        failed.entry.status = .failed
        failed.entry.failure = Example.failure()
        failed.entry.waveforms = nil
        let work = list([fact(), failed]).recordings.first?.previous
        failed.entry.recipe = nil
        #expect(work?.entry.value == failed.entry && work?.recipe.value == Recipe())
    }

    @Test func obsoleteFilesInJournalAreListed() {
        let listing = list([fact(obsolete: ["b.wav.json"])])
        #expect(listing.obsolete.flatMap(\.names) == ["b.wav.json"])
        // One that leads out of the folder makes it no fact.
        #expect(list([fact(obsolete: ["b.wav.json", "../x"])]).obsolete.isEmpty)
    }

    @Test func journalRecordOverridesManifestEntry() throws {
        var old = Recipe()
        old.waveform.bits = 16
        var before = entry
        before.waveforms?[0].bits = 16
        var other = before
        other.name = "c.wav"
        other.waveforms?[0].path = "c.wav.dat"
        try world.write(
            ManifestOrder(
                folder: .empty, recipe: Boxed(old),
                entries: [SettledEntry(before), SettledEntry(other)]))
        let listing = list([fact()])
        let work = listing.recordings.first?.previous
        #expect(work?.entry.value == entry && work?.recipe.value == Recipe())
        // What the journal does not tell of keeps the recipe of the folder.
        #expect(listing.unseen.map(\.recipe.value) == [old])
    }

    @Test func recordOfMissingRecordingIsListedAsUnseen() {
        var gone = fact()
        gone.entry.name = "gone.wav"
        gone.entry.waveforms?[0].path = "gone.wav.dat"
        gone.staged = []
        let listing = list([gone])
        #expect(listing.unseen.map(\.entry.value.name) == ["gone.wav"])
        #expect(listing.isRecovered)
    }

    @Test func recordsOfOtherFoldersAreIgnored() throws {
        try stage("abc")
        var elsewhere = fact(obsolete: ["b.wav.json"])
        elsewhere.folder = "x"
        let listing = list([elsewhere])
        #expect(!listing.isRecovered && listing.obsolete == [])
        #expect(listing.recordings.map(\.previous) == [nil])
    }

    @Test func dryRunReportsRecoveryWithoutChangingFiles() throws {
        try stage("abc")
        world.folder.write([], to: "output/.tapedeck.9.partial")
        let before = TestWorld.tree(world.output)
        #expect(damage(list([fact()], isDryRun: true)) == [])
        #expect(TestWorld.tree(world.output) == before)
        try stage("abd")
        #expect(damage(list([fact()], isDryRun: true)) == [.missing])
        #expect(TestWorld.tree(world.output) == before)
    }
}
