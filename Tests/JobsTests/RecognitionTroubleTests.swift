import Jobs
import Recordings
import ReducerKit
import TestSupport
import Testing

/// Recordings that may be known again, where something stands in the way.
@Suite struct RecognitionTroubleTests {
    @Test func newFileIsMatchedBeforePruning() {
        let before = WatchedRun { $0.wantsChecksums = true }
        let folders: [Pathname] = ["A", "B", "C", "D"]
        for folder in folders { before.write("old.wav", in: folder) }
        before.pass(seconds: 60)
        before.start()
        before.pass(seconds: 5)
        let run = WatchedRun(after: before) { $0.prunesMissing = true }
        run.files["A"]?["old.wav"] = nil
        run.write("new.wav", in: "D")
        run.pass(seconds: 60)
        // Reading takes longer than anything waits that is gone.
        run.held = ["new.wav"]
        run.start()
        run.pass(seconds: 30)
        run.held = []
        run.pass(seconds: 30)
        #expect(run.decoded == [])
        #expect(run.manifest("D") == ["new.wav": .done, "old.wav": .done])
        #expect(run.manifest("A") == [:])
    }

    @Test func renameDuringListingIsRecognised() {
        let run = WatchedRun.underway()
        // As a folder may be read while the file is renamed.
        let file = run.files[""]?["old.wav"]
        run.files[""]?["new.wav"] = file
        run.held = ["new.wav"]
        run.notice(.written, "new.wav")
        run.files[""]?["old.wav"] = nil
        run.notice(.changed, "old.wav")
        run.held = []
        run.pass(seconds: 10)
        #expect(run.decoded == ["old.wav"])
        #expect(run.manifest() == ["new.wav": .done])
    }

    @Test func hardLinkIsDecodedAsSeparateRecording() {
        let run = WatchedRun.underway()
        let file = run.files[""]?["old.wav"]
        run.files[""]?["new.wav"] = file
        run.notice(.written, "new.wav")
        run.pass(seconds: 10)
        #expect(run.decoded == ["old.wav", "new.wav"])
        #expect(run.manifest() == ["new.wav": .done, "old.wav": .done])
        #expect(run.state.watch?.incomplete.all == 0)
    }

    @Test func failedAdoptionKeepsOldOutputs() {
        for prunes in [false, true] {
            let run = WatchedRun.underway { $0.prunesMissing = prunes }
            run.failsAdoptions = true
            run.fails["new.wav"] = Example.failure(.permissionDenied, in: .waveform)
            run.move("old.wav", to: "new.wav")
            run.notice(.changed, "old.wav")
            run.notice(.written, "new.wav")
            run.pass(seconds: 4)
            #expect(run.manifest()["new.wav"] == .failed)
            #expect(run.manifest()["old.wav"] == .sourceMissing)
            let isTold = run.run.announcements.contains {
                if case .moved = $0 { true } else { false }
            }
            #expect(!isTold)
            let pruned = run.run.manifests.flatMap(\.superfluous)
            #expect(pruned == [])
        }
    }

    @Test func lateMountedTreeIsScannedBeforeDecoding() {
        let before = WatchedRun { $0.wantsChecksums = true }
        before.write("old.wav", in: "B")
        before.write("other.wav", in: "A")
        before.pass(seconds: 60)
        before.start()
        before.pass(seconds: 5)
        let run = WatchedRun(after: before)
        run.write("new.wav", in: "A")
        run.files["B"]?["old.wav"] = nil
        let files = run.files
        run.files = [:]
        run.volume = MountEvidence(device: nil, isBare: true)
        run.pass(seconds: 60)
        run.start()
        run.pass(seconds: 10)
        run.files = files
        run.volume = nil
        run.pass(seconds: 30)
        #expect(run.decoded == [])
        #expect(run.manifest("A") == ["new.wav": .done, "other.wav": .done])
    }
}
