import Foundation
import Jobs
import Recordings
import ReducerKit
import TestSupport
import Testing

@testable import Workers

/// The steps of a group, on a real folder.
@Suite struct CommitWriterTests {
    private let world = TestWorld()
    private let keeper: CommitWriter

    init() {
        world.makeFolder(world.output.appending("A"))
        keeper = CommitWriter(output: world.output, world.ownership, world.record)
    }

    /// An outcome in "A" whose files are there under their temporary names.
    private func outcome(_ name: Pathname, _ outputs: Pathname...) -> Commit.Outcome {
        let staged = outputs.enumerated().map { index, output in
            let temporary = Pathname(".tapedeck.\(name).\(index).partial")
            let path = world.folder.write(
                output.bytes, to: Pathname("output/A").appending(temporary))
            try? FileSystem.setModified(path, nanoseconds: Example.stamp.modifiedNanoseconds)
            return StagedFile(temporary: temporary, name: output)
        }
        var entry = Example.doneEntry(name)
        entry.waveforms = outputs.filter { $0 != name }.map {
            WaveformFile(
                path: $0, samplesPerPixel: 256, bits: 8, channels: 1, length: 1,
                bytes: Int64($0.bytes.count), sha256: "")
        }
        if outputs.contains(name) {
            entry.trimmed = TrimmedFile(
                path: name, durationSeconds: 1, bytes: Int64(name.bytes.count), sha256: "",
                edits: [])
        }
        return Commit.Outcome(
            id: RecordingID(outputs.count), folder: FolderID(1), path: "A", entry: Boxed(entry),
            staged: staged)
    }

    private var files: [Pathname] { TestWorld.tree(world.output.appending("A")) }

    @Test func publishingRenamesTemporaryFilesToFinalNames() {
        let outcomes = [
            outcome("b.wav", "b.wav.dat", "b.wav"), outcome("c.wav", "c.wav.dat"),
            outcome("d.wav"),
        ]
        #expect(files.count == 3)
        #expect(keeper.carryOut(.publish(3, outcomes)) == .published(3, []))
        #expect(files == ["b.wav", "b.wav.dat", "c.wav.dat"])
        #expect(
            TestFolder.bytes(of: world.output.appending("A/b.wav.dat")) == Array("b.wav.dat".utf8))
    }

    /// One that was altered, or of which there is no record any more.
    @Test func publishingOverwritesUnrecordedWaveform() {
        let waveform: [UInt8] = [2, 0, 0, 0, 1, 0, 0, 0] + [UInt8](repeating: 7, count: 30)
        world.folder.write(waveform, to: "output/A/b.wav.dat")
        let outcome = outcome("b.wav", "b.wav.dat")
        #expect(keeper.carryOut(.publish(1, [outcome])) == .published(1, []))
        #expect(
            TestFolder.bytes(of: world.output.appending("A/b.wav.dat")) == Array("b.wav.dat".utf8))
    }

    private func published(_ outcome: Commit.Outcome) -> RecordingFailure? {
        guard case .published(_, let misplaced)? = keeper.carryOut(.publish(1, [outcome])) else {
            Issue.record("not published")
            return nil
        }
        return misplaced.first?.failure
    }

    @Test func publishingRefusesToOverwriteUnrecordedAudio() {
        world.folder.write([1], to: "output/A/b.wav")
        let failure = published(outcome("b.wav", "b.wav.dat", "b.wav"))
        #expect(failure?.reason == .nameTaken && failure?.detail == "b.wav")
        #expect(failure?.stage == .trim)
        #expect(TestFolder.bytes(of: world.output.appending("A/b.wav")) == [1])
    }

    @Test func publishingOverwritesRecordedOrPublishedFiles() throws {
        let entry = Example.doneEntry("b.wav")
        try world.settle([entry], in: "A")
        let bytes = Int(try #require(entry.waveforms?.first).bytes)
        let path = world.folder.write(
            [UInt8](repeating: 1, count: bytes), to: "output/A/b.wav.dat")
        try FileSystem.setModified(path, nanoseconds: Example.stamp.modifiedNanoseconds)
        #expect(published(outcome("b.wav", "b.wav.dat")) == nil)
        // Recorded and put in its place by this run, as none but it does without a record.
        for _ in 0..<2 {
            let landing = outcome("c.wav", "c.wav.dat")
            #expect(keeper.carryOut(.record(1, [landing], Recipes())) == .recorded(1))
            #expect(published(landing) == nil)
        }
        #expect(
            TestFolder.bytes(of: world.output.appending("A/c.wav.dat")) == Array("c.wav.dat".utf8))
    }

    @Test func publishingOverwritesFileWithMatchingChecksum() throws {
        let text = Array("b.wav.dat".utf8)
        world.folder.write(text, to: "output/A/b.wav.dat")
        var outcome = outcome("b.wav", "b.wav.dat")
        outcome.entry.value.waveforms = [
            WaveformFile(
                path: "b.wav.dat", samplesPerPixel: 256, bits: 8, channels: 1, length: 1,
                bytes: Int64(text.count),
                sha256: try StagedOutput.receipt(of: world.output.appending("A/b.wav.dat")).sha256)
        ]
        #expect(published(outcome) == nil)
    }

    /// Of one that landed it is known what it was, whatever its time is by now.
    @Test func publishingRefusesForeignFileOfTheSameSize() throws {
        let path = world.output.appending("A/b.wav.dat")
        func outcome(_ sha256: String) -> Commit.Outcome {
            var outcome = self.outcome("b.wav", "b.wav.dat")
            outcome.entry.value.waveforms?[0].sha256 = sha256
            return outcome
        }
        let own = SHA256.hexadecimal(of: Array("b.wav.dat".utf8))
        let other = String(repeating: "0", count: 64)
        let landing = outcome(own)
        #expect(keeper.carryOut(.record(1, [landing], Recipes())) == .recorded(1))
        #expect(published(landing) == nil)
        try FileSystem.setModified(path, nanoseconds: 123_456_789_123)
        #expect(published(outcome(other)) == nil)
        #expect(published(outcome(own)) == nil)
        world.folder.write(Array("somebody!".utf8), to: "output/A/b.wav.dat")
        try FileSystem.setModified(path, nanoseconds: 123_456_789_123)
        #expect(published(outcome(other))?.reason == .nameTaken)
        #expect(TestFolder.bytes(of: path) == Array("somebody!".utf8))
    }

    @Test func publishingHandlesOutcomesOfSeveralFolders() throws {
        var elsewhere = outcome("c.wav", "c.wav.dat")
        elsewhere.path = "B"
        world.makeFolder(world.output.appending("B"))
        let temporary = elsewhere.staged[0].temporary
        try FileSystem.rename(
            world.output.appending("A").appending(temporary),
            to: world.output.appending("B").appending(temporary))
        let outcomes = [
            outcome("a.wav", "a.wav.dat"), elsewhere, outcome("d.wav", "d.wav.dat"),
            outcome("e.wav", "e.wav.dat"),
        ]
        #expect(keeper.carryOut(.publish(1, outcomes)) == .published(1, []))
        #expect(files == ["a.wav.dat", "d.wav.dat", "e.wav.dat"])
        #expect(TestWorld.tree(world.output.appending("B")) == ["c.wav.dat"])
    }

    @Test func publishingFailsEachRecordingOfMissingFolder() throws {
        let outcomes = [outcome("b.wav", "b.wav.dat"), outcome("c.wav", "c.wav.dat", "c.wav")]
        try FileSystem.rename(world.output.appending("A"), to: world.folder.path("aside"))
        guard case .published(1, let misplaced)? = keeper.carryOut(.publish(1, outcomes)) else {
            Issue.record("not published")
            return
        }
        #expect(misplaced.map(\.id) == outcomes.map(\.id))
        #expect(misplaced.allSatisfy { $0.landed.isEmpty && $0.failure.stage == .waveform })
    }

    @Test func directoryHandleDetectsThatItsFolderMoved() throws {
        let place = world.output.appending("A")
        let held = try DirectoryHandle(place)
        // What cannot be copied cannot be looked into by what says why an expectation fails.
        func isInPlace() -> Bool { held.isInPlace() }
        #expect(isInPlace())
        try FileSystem.rename(place, to: world.folder.path("aside"))
        #expect(!isInPlace())
        world.makeFolder(place)
        #expect(!isInPlace())
        try FileSystem.rename(place, to: world.folder.path("other"))
        TestWorld.link(place, to: world.folder.path("aside"))
        // A link to where it is leads to it all the same.
        #expect(isInPlace())
    }

    /// What people do to an output while somebody watches.
    @Test func publishingRefusesReplacedOutputFolder() throws {
        #expect(published(outcome("b.wav", "b.wav.dat")) == nil)
        let place = world.output.appending("A")
        world.add("A/b.wav", [7])
        func move(_ old: Pathname, _ new: Pathname) throws {
            try FileSystem.rename(old, to: new)
        }
        try move(place, world.folder.path("aside"))
        TestWorld.link(place, to: world.root.appending("A"))
        #expect(published(outcome("b.wav", "b.wav")) == misplaced(.leadsElsewhere))
        unlink(place.text)
        // The folder with the recordings itself, which no mount and no link shows.
        try move(world.root.appending("A"), place)
        #expect(published(outcome("b.wav", "b.wav")) == misplaced(.leadsElsewhere))
        #expect(TestFolder.bytes(of: place.appending("b.wav")) == [7])
        try move(place, world.root.appending("A"))
        // The output's own again.
        try move(world.folder.path("aside"), place)
        #expect(published(outcome("b.wav", "b.wav")) == nil)
    }

    private func misplaced(_ reason: RecordingFailure.Reason) -> RecordingFailure {
        RecordingFailure(stage: .trim, reason: reason)
    }

    @Test func missingOrReplacedOutputIsReportedAsGone() throws {
        OutputFolder.makeMarked(world.output, root: world.root)
        let waiting = outcome("b.wav", "b.wav.dat")
        try FileSystem.rename(world.output, to: world.folder.path("aside"))
        #expect(published(waiting)?.reason == .outputGone)
        world.makeFolder(world.output.appending("A"))
        #expect(published(waiting)?.reason == .outputGone)
        try FileSystem.remove(world.output.appending("A"))
        #expect(RetryPolicy.verdict(on: published(waiting)!, attempts: 0) == .stopRun)
        // Another run's output has a record too.
        OutputFolder.makeMarked(world.output, root: world.root)
        #expect(published(waiting)?.reason == .outputGone)
        // The one that is locked is the output, on a disk that gives it another number.
        let lock = try OutputFolder(world.output, root: world.root)
        #expect(published(outcome("b.wav", "b.wav.dat")) == nil)
        lock.release()
        #expect(throws: Never.self) { try OutputFolder(world.output, root: world.root).release() }
    }

    /// What `mv` does to a copy when somebody puts originals that are done into the output.
    @Test func originalMovedOverCopyIsNotOverwrittenOrDeleted() throws {
        let source = FileStamp(bytes: 500, modifiedNanoseconds: 7_000_000_000)
        func copied(_ name: Pathname) -> ManifestEntry {
            var entry = Example.doneEntry(name, stamp: source)
            entry.trimmed = TrimmedFile(
                path: name, durationSeconds: 1, bytes: 3, sha256: "", edits: [])
            return entry
        }
        let names: [Pathname] = ["b.wav", "c.wav"]
        try world.settle(names.map(copied), in: "A")
        for (name, count) in zip(names, [500, 3]) {
            let path = world.folder.write(
                [UInt8](repeating: 9, count: count), to: Pathname("output/A").appending(name))
            try FileSystem.setModified(path, nanoseconds: source.modifiedNanoseconds)
        }
        // Another recording has their names since, and another time; one is as it was written.
        #expect(published(outcome("b.wav", "b.wav"))?.reason == .nameTaken)
        #expect(published(outcome("c.wav", "c.wav")) == nil)
        let spared = try world.print(
            ManifestOrder(folder: "A", recipe: Boxed(Recipe()), forgetting: names))
        #expect(spared.contains("b.wav"))
        #expect(TestFolder.bytes(of: world.output.appending("A/b.wav")).count == 500)
    }

    /// The record has what an attempt was to make before it turned out that it could not be.
    @Test func recordOfUnpublishedFileGrantsNoOwnership() throws {
        world.folder.write(Array("precious".utf8), to: "output/A/b.wav")
        var entry = Example.doneEntry("b.wav")
        entry.trimmed = TrimmedFile(
            path: "b.wav", durationSeconds: 1, bytes: 3, sha256: "", edits: [])
        try world.record.add([
            JournalFact(
                folder: "A", entry: entry,
                staged: [StagedFile(temporary: ".tapedeck.9.partial", name: "b.wav")])
        ])
        #expect(published(outcome("b.wav", "b.wav"))?.reason == .nameTaken)
    }

    @Test func folderInTheWayBlocksOnlyItsOwnRecording() {
        let blocked = outcome("b.wav", "b.wav.64.dat", "b.wav.dat", "b.wav")
        let other = outcome("c.wav", "c.wav.dat")
        world.makeFolder(world.output.appending("A/b.wav.dat/x"))
        let failure = RecordingFailure(stage: .waveform, reason: .nameTaken, detail: "b.wav.dat")
        let misplacement = Commit.Misplacement(
            id: blocked.id, failure: failure, landed: ["b.wav.64.dat"])
        #expect(
            keeper.carryOut(.publish(1, [blocked, other])) == .published(1, [misplacement]))
        // What could not move is still there, for whoever is told of it to discard.
        let left = blocked.staged.dropFirst().map(\.temporary)
        #expect(
            Set(files)
                == Set(["b.wav.64.dat", "b.wav.dat", "b.wav.dat/x", "c.wav.dat"] + left))
    }

    @Test func blockedCopyFailsInTrimStage() {
        let blocked = outcome("b.wav", "b.wav")
        world.makeFolder(world.output.appending("A/b.wav"))
        guard case .published(1, let misplaced)? = keeper.carryOut(.publish(1, [blocked])) else {
            Issue.record("not published")
            return
        }
        #expect(misplaced.map(\.failure.stage) == [.trim])
        #expect(misplaced.map(\.landed) == [[]])
    }

    @Test func discardingRemovesOnlyTemporaryFiles() {
        let gone = outcome("b.wav", "b.wav.dat", "b.wav")
        let kept = outcome("c.wav", "c.wav.dat")
        world.folder.write([1], to: "output/A/b.wav.dat")
        #expect(keeper.carryOut(.discard(folder: "A", gone.staged)) == nil)
        #expect(Set(files) == Set(["b.wav.dat", kept.staged[0].temporary]))
        // A second time nothing is left to remove.
        #expect(keeper.carryOut(.discard(folder: "A", gone.staged)) == nil)
    }

    @Test func outcomesAreRecordedWithTheirRecipe() throws {
        var recipe = Recipe()
        recipe.waveform.bits = 16
        let plain = outcome("b.wav", "b.wav.dat")
        var own = outcome("c.wav")
        own.entry.value.recipe = Recipe()
        #expect(try world.record.folders().isEmpty)
        #expect(
            keeper.carryOut(.record(2, [plain, own], Recipes(own: ["A": recipe]))) == .recorded(2))
        let contents = try world.record.contents(of: "A")
        var bare = own.entry.value
        bare.recipe = nil
        #expect(try world.record.entries(in: "A") == [plain.entry.value, bare])
        #expect(contents.works.map(\.recipe.value) == [recipe, Recipe()])
        #expect(contents.staged.map(\.temporary) == plain.staged.map(\.temporary))
        #expect(keeper.carryOut(.record(3, [own], Recipes(recipe))) == .recorded(3))
        #expect(try world.record.contents(of: "A").works.count == 2)
    }

    /// A rename is certain once its disk is synced, and recorded with the next outcomes.
    @Test func publishedFilesAreRecordedAfterNextSync() throws {
        let first = outcome("b.wav", "b.wav.dat")
        let next = outcome("c.wav", "c.wav.dat")
        func staged() throws -> [Pathname] {
            try world.record.contents(of: "A").staged.map(\.name)
        }
        _ = keeper.carryOut(.record(1, [first], Recipes()))
        _ = keeper.carryOut(.publish(1, [first]))
        #expect(try staged() == ["b.wav.dat"])
        _ = keeper.carryOut(.record(2, [next], Recipes()))
        #expect(try staged() == ["b.wav.dat", "c.wav.dat"])
        #expect(keeper.carryOut(.sync(3, [])) == .synced(3))
        #expect(try staged() == ["b.wav.dat", "c.wav.dat"])
        #expect(keeper.carryOut(.record(3, [outcome("d.wav")], Recipes())) == .recorded(3))
        #expect(try staged() == ["c.wav.dat"])
        _ = keeper.carryOut(.publish(2, [next]))
        keeper.finish()
        #expect(try staged() == [])
    }

    @Test func recordingFailsWhenOutputIsMissing() {
        let nowhere = world.folder.path("nowhere")
        let places = RunPlaces(root: world.root, output: nowhere, targets: [])
        let keeper = CommitWriter(
            output: nowhere, OutputOwnership(places, world.record), world.record)
        let outcome = outcome("b.wav")
        guard
            case .recordFailed(4, let failure)? =
                keeper.carryOut(.record(4, [outcome], Recipes()))
        else {
            Issue.record("it did not fail")
            return
        }
        #expect(failure.stage == .manifest && failure.reason == .outputGone)
    }

    @Test func syncOfStagedFilesFailsWhenOutputIsMissing() {
        let keeper = CommitWriter(
            output: world.folder.path("nowhere"), world.ownership, world.record)
        #expect(keeper.carryOut(.sync(1, [outcome("b.wav")])) == .synced(1))
        guard
            case .syncFailed(2, let failure)? =
                keeper.carryOut(.sync(2, [outcome("b.wav", "b.wav.dat")]))
        else {
            Issue.record("it did not fail")
            return
        }
        #expect(failure.stage == .manifest && failure.reason == .vanished)
        #expect(
            self.keeper.carryOut(.sync(3, [outcome("b.wav", "b.wav.dat")])) == .synced(3))
    }
}
