import Jobs
import Recordings
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
        over previous: ManifestEntry, finding: Sighting.Finding,
        _ answer: ((ScriptedRun) -> Void) = { $0.answerAll() }
    ) throws -> ManifestOrder {
        let run = ScriptedRun(JobStore.Configuration())
        run.listings[""] = FolderListing(recordings: [
            Sighting(
                name: "a.wav", finding: finding, previous: Example.previousWork(previous))
        ])
        run.start()
        run.answerNext()
        answer(run)
        run.answerAll()
        return try #require(run.manifests.last)
    }

    private let changed = Sighting.Finding.file(FileStamp(bytes: 7, modifiedNanoseconds: 8))

    @Test func theFilesOfARecordingThatFailsStayAndTheManifestGoesOnNamingThem() throws {
        let order = try run(over: earlier, finding: changed) { run in
            run.send(.job(RecordingID(0), .failed(Example.failure(), measured: nil)))
        }
        #expect(order.entries.map(\.value.status) == [.failed])
        #expect(order.entries[0].value.leftBehind == earlier.outputs)
        #expect(order.obsolete.isEmpty)
    }

    @Test func soDoTheFilesOfOneThatCannotEvenBeLookedAt() throws {
        let order = try run(over: earlier, finding: .failure(Example.failure(.permissionDenied)))
        #expect(order.entries[0].value.leftBehind == earlier.outputs)
        #expect(order.obsolete.isEmpty)
    }

    @Test func failingAgainForgetsNothing() throws {
        var failed = ManifestEntry(name: "a.wav", status: .failed, source: Example.stamp)
        failed.failure = Example.failure()
        failed.leftBehind = ["a.wav", "a.wav.dat"]
        let order = try run(over: failed, finding: .failure(Example.failure(.permissionDenied)))
        #expect(order.entries[0].value.leftBehind == ["a.wav", "a.wav.dat"])
    }

    @Test func succeedingAtLastRemovesWhatIsNotMadeAnew() throws {
        var failed = ManifestEntry(name: "a.wav", status: .failed, source: Example.stamp)
        failed.failure = Example.failure()
        failed.leftBehind = ["a.wav.flac", "a.wav.dat"]
        let order = try run(over: failed, finding: changed)
        #expect(order.entries.map(\.value.status) == [.done])
        #expect(order.entries[0].value.leftBehind == nil)
        #expect(order.obsolete == ["a.wav.flac"])
    }
}
