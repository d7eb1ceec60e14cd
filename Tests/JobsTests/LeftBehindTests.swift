import Jobs
import Recordings
import ReducerKit
import TestSupport
import Testing

/// What becomes of the files of a recording that was done once and then fails.
@Suite struct LeftBehindTests {
    /// An earlier copy that a new run would not make.
    private var earlier: ManifestEntry {
        var entry = Example.doneEntry("a.wav")
        entry.trimmed = TrimmedFile(
            path: "a.wav", durationSeconds: 1, bytes: 2, sha256: "", edits: [])
        return entry
    }

    private func run(
        over previous: ManifestEntry, finding: ScannedFile.Finding,
        _ answer: ((ScriptedRun) -> Void) = { $0.answerAll() }
    ) throws -> PrintedManifest {
        let run = ScriptedRun(JobStore.Configuration())
        run.listings[""] = FolderListing(recordings: [
            ScannedFile(
                name: "a.wav", finding: finding, previous: Example.previousWork(previous))
        ])
        run.start()
        run.answerNext()
        answer(run)
        run.answerAll()
        return try #require(run.manifests.last)
    }

    private let changed = ScannedFile.Finding.file(FileStamp(bytes: 7, modifiedNanoseconds: 8))

    @Test func failedRecordingKeepsItsEarlierOutputs() throws {
        let order = try run(over: earlier, finding: changed) { run in
            run.send(.job(RecordingID(0), .failed(Example.failure(), measured: nil)))
        }
        #expect(order.entries.map(\.status) == [.failed])
        #expect(order.entries[0].leftBehind == earlier.outputs)
        #expect(order.entries[0].earlier == earlier.generations)
        #expect(order.superfluous.isEmpty)
    }

    @Test func inaccessibleRecordingKeepsItsEarlierOutputs() throws {
        let order = try run(over: earlier, finding: .failure(Example.failure(.permissionDenied)))
        #expect(order.entries[0].leftBehind == earlier.outputs)
        #expect(order.superfluous.isEmpty)
    }

    @Test func repeatedFailureKeepsEarlierOutputs() throws {
        var failed = ManifestEntry(name: "a.wav", status: .failed, source: Example.stamp)
        failed.failure = Example.failure()
        failed.leaveBehind(["a.wav", "a.wav.dat", "a.wav.json"], toldOf: earlier.generations)
        let order = try run(over: failed, finding: .failure(Example.failure(.permissionDenied)))
        #expect(order.entries[0].leftBehind == ["a.wav", "a.wav.dat", "a.wav.json"])
        // Of what was never told, nothing is known.
        #expect(order.entries[0].earlier == earlier.generations)
        #expect(earlier.generations.flatMap(\.names).sorted() == ["a.wav", "a.wav.dat"])
    }

    @Test func firstGenerationNamingAFileWins() {
        var later = earlier
        later.source = FileStamp(bytes: 5, modifiedNanoseconds: 6)
        later.trimmed = nil
        let all = later.generations + earlier.generations
        let told = all.telling(of: earlier.outputs)
        #expect(told.map(\.names) == [["a.wav.dat"], ["a.wav"]])
        #expect(told.map(\.source) == [later.source, earlier.source])
        #expect(all.telling(of: ["b.wav"]).isEmpty)
    }

    @Test func successfulRetryDeletesObsoleteOutputs() throws {
        var failed = ManifestEntry(name: "a.wav", status: .failed, source: Example.stamp)
        failed.failure = Example.failure()
        failed.leftBehind = ["a.wav.flac", "a.wav.dat"]
        let order = try run(over: failed, finding: changed)
        #expect(order.entries.map(\.status) == [.done])
        #expect(order.entries[0].leftBehind == nil)
        #expect(order.superfluous == ["a.wav.flac"])
    }

    /// Changes that could not be recorded once were forgotten.
    @Test func changesAreOrderedAgainAfterManifestFailure() {
        let recipe = Boxed(Recipe())
        var folder = Folder(path: "")
        folder.note(.forgotten, of: "a.wav")
        folder.note(.updated(.sourceMissing), of: "b.wav")
        let first = folder.manifestOrder(recipe: recipe)
        #expect(first.changes == ["a.wav": .forgotten, "b.wav": .updated(.sourceMissing)])
        folder.note(.forgotten, of: "b.wav")
        folder.takeBackManifest()
        let second = folder.manifestOrder(recipe: recipe)
        #expect(second.changes == ["a.wav": .forgotten, "b.wav": .forgotten])
        folder.takeManifest()
        #expect(folder.manifestOrder(recipe: recipe).changes.isEmpty)
    }

    /// A recording that came back was once removed by a change from before.
    @Test func changeIsDroppedWhenAnOutcomeFollows() {
        var folder = Folder(path: "")
        folder.note(.forgotten, of: "a.wav")
        _ = folder.manifestOrder(recipe: Boxed(Recipe()))
        folder.note(.forgotten, of: "b.wav")
        folder.dropChanges(of: "a.wav")
        folder.dropChanges(of: "b.wav")
        folder.takeBackManifest()
        #expect(folder.manifestOrder(recipe: Boxed(Recipe())).changes.isEmpty)
    }
}
