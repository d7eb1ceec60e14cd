import Foundation
import Jobs
import Recordings
import ReducerKit
import TestSupport
import Testing

@testable import Workers

/// What a scan makes of a record that a run left which was killed.
@Suite struct RecordRecoveryTests {
    private let world = TestWorld()
    private let modified: Int64 = 1_778_049_123_000_000_000
    private let temporary: Pathname = ".tapedeck.7.0.partial"

    init() {
        world.add("b.wav")
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

    private func list(isDryRun: Bool = false) -> FolderListing {
        let request = FolderScan.Request(path: .empty)
        let answer = world.scanner(isDryRun: isDryRun).list(FolderID(0), request)
        guard case .listed(_, let listing) = answer else {
            Issue.record("not listed")
            return FolderListing()
        }
        return listing
    }

    private func damage(_ listing: FolderListing) -> [OutputDamage.Kind]? {
        listing.recordings.first?.previous?.damage.map(\.kind)
    }

    private var obsolete: [Pathname] {
        get throws { try world.record.obsoleteFiles(in: .empty).map(\.name) }
    }

    @Test func stagedFileWithMatchingChecksumIsPublished() throws {
        try stage("abc")
        try world.record.add([fact()])
        let listing = list()
        #expect(TestWorld.tree(world.output) == ["b.wav.dat"])
        #expect(listing.isRecovered)
        #expect(
            listing.recordings.map(\.previous) == [
                PreviousWork(entry: SettledEntry(entry), recipe: Boxed(Recipe()))
            ])
        #expect(try world.record.contents(of: .empty).staged == [])
    }

    @Test func stagedFileWithWrongChecksumIsDeleted() throws {
        try stage("abd")
        try world.record.add([fact()])
        let listing = list()
        #expect(TestWorld.tree(world.output) == [])
        #expect(damage(listing) == [.missing])
    }

    @Test func earlierOutputIsKeptWhenStagedFileDiffers() throws {
        try stage("abd")
        let earlier = world.folder.write(Array("abc".utf8), to: "output/b.wav.dat")
        try FileSystem.setModified(earlier, nanoseconds: modified)
        try world.record.add([fact()])
        #expect(damage(list()) == [])
        #expect(TestFolder.bytes(of: earlier) == Array("abc".utf8))
        #expect(TestWorld.tree(world.output) == ["b.wav.dat"])
    }

    @Test func earlierOutputIsReplacedByStagedFile() throws {
        var before = entry
        before.waveforms?[0].sha256 = SHA256.hexadecimal(of: Array("old".utf8))
        try world.settle([before])
        let place = world.folder.write(Array("old".utf8), to: "output/b.wav.dat")
        try FileSystem.setModified(place, nanoseconds: modified)
        try stage("abc")
        try world.record.add([fact()])
        #expect(damage(list()) == [])
        #expect(TestFolder.bytes(of: place) == Array("abc".utf8))
        #expect(try obsolete == [])
        #expect(try world.record.files(named: "b.wav.dat", in: .empty).count == 1)
    }

    @Test func blockedMoveReportsOutputAsAltered() throws {
        try stage("abc")
        world.makeFolder(world.output.appending("b.wav.dat/x"))
        try world.record.add([fact()])
        #expect(damage(list()) == [.altered])
    }

    @Test func laterOutcomeOverridesEarlierOne() throws {
        try stage("abc")
        var failed = fact()
        failed.staged = []
        failed.entry.status = .failed
        failed.entry.failure = Example.failure()
        failed.entry.waveforms = nil
        try world.record.add([fact(), failed])
        let work = list().recordings.first?.previous
        failed.entry.recipe = nil
        #expect(work?.entry == SettledEntry(failed.entry) && work?.recipe.value == Recipe())
        // What was on its way to its place is deleted, wherever it is.
        #expect(try obsolete == ["b.wav.dat"])
    }

    @Test func folderWithObsoleteFilesIsRecovered() throws {
        try world.print(ManifestOrder(folder: .empty, recipe: Boxed(Recipe())))
        #expect(!list().isRecovered)
        try world.record.add([fact(obsolete: ["b.wav.json"])])
        #expect(list().isRecovered)
        #expect(try obsolete == ["b.wav.json"])
    }

    @Test func printedFolderIsNotRecovered() throws {
        try world.settle([entry])
        try world.print(ManifestOrder(folder: .empty, recipe: Boxed(Recipe())))
        #expect(!list().isRecovered)
        // Somebody has restored an older one.
        let manifest = world.output.appending("manifest.json")
        try FileSystem.setModified(manifest, nanoseconds: 5)
        #expect(list().isRecovered)
    }

    @Test func outcomeOverridesEarlierEntryOfItsRecordingOnly() throws {
        var old = Recipe()
        old.waveform.bits = 16
        var before = entry
        before.waveforms?[0].bits = 16
        var other = before
        other.name = "c.wav"
        other.waveforms?[0].path = "c.wav.dat"
        try world.settle([before, other], recipe: old)
        try world.record.add([fact()])
        let listing = list()
        let work = listing.recordings.first?.previous
        #expect(work?.entry == SettledEntry(entry) && work?.recipe.value == Recipe())
        #expect(listing.unseen.map(\.recipe.value) == [old])
    }

    @Test func outcomeOfMissingRecordingIsListedAsUnseen() throws {
        var gone = fact()
        gone.entry.name = "gone.wav"
        gone.entry.waveforms?[0].path = "gone.wav.dat"
        gone.staged = []
        try world.record.add([gone])
        let listing = list()
        #expect(listing.unseen.map(\.entry.name) == ["gone.wav"])
        #expect(listing.isRecovered)
    }

    @Test func outcomesOfOtherFoldersAreIgnored() throws {
        try stage("abc")
        var elsewhere = fact(obsolete: ["b.wav.json"])
        elsewhere.folder = "x"
        try world.record.add([elsewhere])
        let listing = list()
        #expect(!listing.isRecovered)
        #expect(try obsolete == [])
        #expect(listing.recordings.map(\.previous) == [nil])
    }

    /// Another recording took the name, and nobody knows yet what was made of this one.
    @Test func fileWithoutEntryBecomesObsolete() throws {
        var copied = entry
        copied.trimmed = TrimmedFile(
            path: "b.wav.flac", durationSeconds: 1, bytes: 1, sha256: "cc", edits: [])
        try world.settle([copied])
        var thief = fact()
        thief.entry.name = "b"
        try world.record.add([thief])
        #expect(list().isRecovered)
        #expect(try obsolete == ["b.wav.flac"])
    }

    @Test func dryRunReportsRecoveryWithoutChangingFiles() throws {
        try stage("abc")
        try world.record.add([fact()])
        world.folder.write([], to: "output/.tapedeck.9.partial")
        let before = TestWorld.tree(world.output)
        #expect(damage(list(isDryRun: true)) == [])
        #expect(TestWorld.tree(world.output) == before)
        try stage("abd")
        #expect(damage(list(isDryRun: true)) == [.missing])
        #expect(TestWorld.tree(world.output) == before)
        #expect(try world.record.contents(of: .empty).staged.count == 1)
    }
}
