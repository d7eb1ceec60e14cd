import Foundation
import Jobs
import Recordings
import ReducerKit
import TestSupport
import Testing

@testable import Workers

@Suite struct EarlierWorkTests {
    private let world = TestWorld()
    private let modified: Int64 = 1_778_049_123_000_000_000
    private var recipe: Recipe {
        var recipe = Recipe()
        recipe.waveform.bits = 16
        return recipe
    }

    private func entry(_ name: Pathname) -> ManifestEntry {
        let stamp = FileStamp(bytes: 3, modifiedNanoseconds: modified)
        var entry = ManifestEntry(name: name, status: .done, source: stamp)
        entry.waveforms = [
            WaveformFile(
                path: name.adding(suffix: ".dat"), samplesPerPixel: 256, bits: 16, channels: 1,
                length: 1, bytes: 2, sha256: "aa")
        ]
        entry.trimmed = TrimmedFile(
            path: name, durationSeconds: 1, bytes: 1, sha256: "bb",
            edits: [Edit(sourceFrames: 0..<1, trimmedFrame: 0)])
        return entry
    }

    /// Writes an entry's outputs as a run would have left them.
    private func writeOutputs(of name: Pathname, bytes: Int = 2) throws {
        for (path, bytes) in [(name.adding(suffix: ".dat"), bytes), (name, 1)] {
            let path = world.folder.write(
                [UInt8](repeating: 0, count: bytes), to: Pathname("output").appending(path))
            try FileSystem.setModified(path, nanoseconds: modified)
        }
    }

    private func settle(_ entries: [ManifestEntry]) throws {
        try world.settle(entries, recipe: recipe)
    }

    private func list(isDryRun: Bool = false, only: [Pathname]? = nil) -> FolderListing {
        let scanner = world.scanner(isDryRun: isDryRun)
        let request = FolderScan.Request(path: .empty, only: only)
        guard case .listed(_, let listing) = scanner.list(FolderID(0), request) else {
            Issue.record("not listed")
            return FolderListing()
        }
        return listing
    }

    @Test func resultsOfEarlierRunAreFound() throws {
        world.add("b.wav")
        try settle([entry("b.wav")])
        try writeOutputs(of: "b.wav")
        let work = PreviousWork(entry: SettledEntry(entry("b.wav")), recipe: Boxed(recipe))
        #expect(list().recordings.map(\.previous) == [work])
    }

    @Test func entryRecipeOverridesFolderRecipe() throws {
        world.add("b.wav")
        var own = entry("b.wav")
        own.recipe = Recipe()
        try settle([own])
        try writeOutputs(of: "b.wav")
        #expect(list().recordings.first?.previous?.recipe.value == Recipe())
    }

    @Test func missingOrAlteredOutputsAreReported() throws {
        world.add("b.wav")
        try settle([entry("b.wav")])
        func damage(_ kind: OutputDamage.Kind, _ names: Pathname...) -> [OutputDamage] {
            names.map {
                OutputDamage(name: $0, kind: kind, stage: $0 == "b.wav" ? .trim : .waveform)
            }
        }
        let damaged = { [self] in list().recordings.first?.previous?.damage }
        #expect(damaged() == damage(.missing, "b.wav.dat", "b.wav"))
        try writeOutputs(of: "b.wav", bytes: 5)
        #expect(damaged() == damage(.altered, "b.wav.dat"))
        try writeOutputs(of: "b.wav")
        #expect(damaged() == [])
        try FileSystem.setModified(world.output.appending("b.wav"), nanoseconds: modified + 1)
        #expect(damaged() == damage(.retimed, "b.wav"))
        try FileSystem.remove(world.output.appending("b.wav.dat"))
        #expect(damaged() == damage(.missing, "b.wav.dat") + damage(.retimed, "b.wav"))
    }

    @Test func timestampRoundedToTwoSecondsMatches() throws {
        world.add("b.wav")
        try settle([entry("b.wav")])
        try writeOutputs(of: "b.wav")
        let damaged = { [self] in list().recordings.first?.previous?.damage.map(\.stage) }
        let step: Int64 = 2_000_000_000
        let coarse = modified / step * step
        for name in ["b.wav", "b.wav.dat"] as [Pathname] {
            try FileSystem.setModified(world.output.appending(name), nanoseconds: coarse)
        }
        #expect(damaged() == [])
        try FileSystem.setModified(world.output.appending("b.wav"), nanoseconds: coarse - step)
        #expect(damaged() == [.trim])
    }

    @Test func workOnUnseenRecordingsIsListedSeparately() throws {
        world.add("b.wav")
        try settle(["c.wav", "b.wav", "a.wav"].map { entry($0) })
        #expect(list().unseen.map(\.entry.name) == ["a.wav", "c.wav"])
        world.add("a.wav")
        world.add("c.wav")
        #expect(list(only: ["c.wav"]).unseen.map(\.entry.name) == ["a.wav", "b.wav"])
    }

    /// It begins as ours do, and was of no use when the record was made.
    @Test func manifestThatIsNotUnderstoodIsKept() throws {
        world.add("b.wav")
        world.makeFolder(world.output)
        var text = ManifestText.beginning(of: .empty)
        text += Array("nonsense".utf8)
        world.folder.write(text, to: "output/manifest.json")
        #expect(list().setAside == "manifest.json.unreadable")
    }

    @Test(arguments: ["{", "[]", #"{"version":1}"#, "\u{0}"])
    func foreignManifestIsRenamedAndIgnored(text: String) throws {
        world.add("b.wav")
        world.makeFolder(world.output)
        world.folder.write(Array(text.utf8), to: "output/manifest.json")
        let listing = list()
        #expect(listing.recordings.map(\.previous) == [nil])
        #expect(listing.setAside == "manifest.json.unreadable")
        world.folder.write([1], to: "output/manifest.json")
        #expect(list().setAside == "manifest.json.unreadable.2")
        #expect(list().setAside == nil)
        #expect(
            TestWorld.tree(world.output) == [
                "manifest.json.unreadable", "manifest.json.unreadable.2",
            ])
        #expect(
            TestFolder.bytes(of: world.output.appending("manifest.json.unreadable"))
                == Array(text.utf8))
    }

    @Test(arguments: ["../source/b.wav", "/etc/passwd", "x/../../y", ""])
    func entryWithPathOutsideFolderIsIgnored(path: Pathname) throws {
        world.add("b.wav")
        var foreign = entry("b.wav")
        foreign.trimmed?.path = path
        try settle([foreign])
        #expect(list().recordings.map(\.previous) == [nil])
        #expect(list().unseen.isEmpty)
    }

    @Test func temporaryFilesOfKilledRunAreDeleted() throws {
        world.makeFolder(world.output)
        let kept = [".tapedeck", ".tapedeck.note", "x.partial", "b.wav.dat"]
        for name in kept + [".tapedeck.7.partial", ".tapedeck.manifest.partial"] {
            world.folder.write([], to: Pathname("output/" + name))
        }
        _ = list(isDryRun: true)
        #expect(TestWorld.tree(world.output).count == 6)
        _ = list()
        #expect(Set(TestWorld.tree(world.output)) == Set(kept.map { Pathname($0) }))
    }
}
