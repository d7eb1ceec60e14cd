import Jobs
import Recordings
import TestSupport
import Testing

/// How many recordings a run that goes on calls failed, and how often it tells of one.
@Suite struct FailureCountTests {
    private static let failure = Example.failure(.corrupt, in: .decode)

    /// A run in which a recording failed that was done before.
    private func failed() -> WatchedRun {
        let run = WatchedRun.underway()
        run.fails["old.wav"] = Self.failure
        run.write("old.wav")
        run.notice(.written, "old.wav")
        run.pass(seconds: 2)
        #expect(run.manifest() == ["old.wav": .failed])
        return run
    }

    /// What was told of a recording's end.
    private func told(_ run: WatchedRun, _ name: Pathname) -> [ManifestEntry.Status] {
        run.run.announcements.compactMap {
            guard case .settled(_, let entry, _, _) = $0, entry.name == name else { return nil }
            return entry.status
        }
    }

    @Test func rewrittenRecordingIsNoLongerCountedAsFailed() {
        let run = WatchedRun(after: failed())
        run.fails["bad.wav"] = Self.failure
        run.write("bad.wav")
        run.write("old.wav")
        run.pass(seconds: 60)
        run.start()
        run.pass(seconds: 2)
        #expect(run.manifest() == ["bad.wav": .failed, "old.wav": .done])
        #expect(run.state.summary.failed == 1)
        #expect(run.state.summary.recordings == 2)
        // It holds something else than what had failed, so that there is nothing to say of that.
        #expect(told(run, "old.wav") == [.done])
    }

    /// It is waited for again, and is not forgotten meanwhile.
    @Test func truncatedRetryIsReportedWhenGivenUp() {
        let cut = Example.failure(.truncated, in: .decode)
        let before = WatchedRun.underway(WatchPolicy(giveUpSeconds: 5))
        before.fails["a.wav"] = cut
        before.write("a.wav")
        before.notice(.written, "a.wav")
        before.pass(seconds: 30)
        #expect(before.manifest() == ["a.wav": .failed, "old.wav": .done])
        let run = WatchedRun(after: before) {
            $0.retriesFailed = true
            $0.watch?.giveUpSeconds = 600
        }
        run.fails["a.wav"] = cut
        run.start()
        run.pass(seconds: 2)
        #expect(run.state.watch?.incomplete.count == 1)
        #expect(run.state.summary.failed == 1)
        run.pass(seconds: 700)
        #expect(run.state.watch?.incomplete.count == 0)
        #expect(told(run, "a.wav") == [.failed])
        #expect(run.state.summary.failed == 1 && run.state.summary.stillFailed == 0)
    }

    @Test func unretriedFailureIsReportedAndCounted() {
        let run = WatchedRun(after: failed())
        run.start()
        run.pass(seconds: 2)
        #expect(run.decoded.isEmpty)
        #expect(told(run, "old.wav") == [.failed])
        #expect(run.state.summary.failed == 1 && run.state.summary.stillFailed == 0)
    }

    @Test(arguments: [false, true])
    func retriedFailureIsReportedOnce(failsAgain: Bool) {
        let run = WatchedRun(after: failed()) { $0.retriesFailed = true }
        if failsAgain { run.fails["old.wav"] = Self.failure }
        run.pass(seconds: 60)
        run.start()
        run.pass(seconds: 2)
        #expect(run.decoded == ["old.wav"])
        #expect(told(run, "old.wav") == (failsAgain ? [.failed] : [.done]))
        #expect(run.state.summary.failed == (failsAgain ? 1 : 0))
        #expect(run.state.summary.recordings == 1)
    }

    /// With what was made of it before, and with nothing.
    @Test(arguments: [false, true]) func deletedRecordingIsNotCountedAsFailed(hasResults: Bool) {
        let run = hasResults ? failed() : WatchedRun.underway()
        if !hasResults {
            run.fails["bad.wav"] = Self.failure
            run.write("bad.wav")
            run.notice(.written, "bad.wav")
            run.pass(seconds: 2)
        }
        #expect(run.state.summary.failed == 1)
        let name: Pathname = hasResults ? "old.wav" : "bad.wav"
        run.files[""]?[name] = nil
        run.notice(.changed, name)
        run.pass(seconds: 2)
        #expect(run.state.summary.failed == 0)
        #expect(run.state.summary.missing == (hasResults ? 1 : 0))
        let gone = Announcement.missing(folder: "", name: name, pruned: false)
        #expect(run.run.announcements.count { $0 == gone } == 1)
        #expect(run.manifest() == ["old.wav": hasResults ? .sourceMissing : .done])
    }

    /// It is put in while the first listing is under way: nothing of the first disk is lost.
    @Test(arguments: [false, true])
    func failureStaysCountedWhileDiskIsUnmounted(isChanged: Bool) {
        let run = WatchedRun(after: failed())
        let file = run.files[""]?.removeValue(forKey: "old.wav")
        run.run.send(.ticked(run.nowSeconds))
        run.run.send(.started([.folder("")]))
        run.run.send(.scan(.noticed([FileEvent(folder: "", name: nil, kind: .unmounted)])))
        run.volume = MountEvidence(device: 2, isBare: false)
        run.settle()
        run.pass(seconds: 100)
        #expect(run.state.summary.failed == 1)
        run.files[""]?["old.wav"] = file
        run.volume = MountEvidence(device: 1, isBare: false)
        if isChanged { run.write("old.wav") }
        run.notice(.written, "old.wav")
        run.pass(seconds: 20)
        #expect(run.state.summary.failed == (isChanged ? 0 : 1))
        #expect(run.manifest() == ["old.wav": isChanged ? .done : .failed])
    }

    @Test func inaccessibleRecordingIsCountedAsFailedOnce() {
        let before = failed()
        before.closed = ["old.wav"]
        before.notice(.changed, "old.wav")
        before.pass(seconds: 2)
        #expect(before.state.summary.failed == 1)
        #expect(told(before, "old.wav") == [.done, .failed, .failed])
        let run = WatchedRun(after: before)
        run.closed = ["old.wav"]
        run.start()
        run.pass(seconds: 2)
        run.notice(.changed, "old.wav")
        run.pass(seconds: 2)
        #expect(run.state.summary.failed == 1)
        #expect(told(run, "old.wav") == [.failed])
        run.closed = []
        run.notice(.changed, "old.wav")
        run.pass(seconds: 5)
        #expect(run.state.summary.failed == 0)
        #expect(run.manifest() == ["old.wav": .done])
    }

    /// Its failure was not its own fault, and nothing tells of the file itself.
    @Test func returnedRecordingIsRetried() {
        let run = WatchedRun.underway()
        run.fails["old.wav"] = Example.failure(.permissionDenied, in: .trim)
        run.write("old.wav")
        run.notice(.written, "old.wav")
        run.pass(seconds: 5)
        #expect(run.manifest() == ["old.wav": .failed])
        let file = run.files[""]?.removeValue(forKey: "old.wav")
        run.notice(.changed)
        run.pass(seconds: 5)
        #expect(run.manifest() == ["old.wav": .sourceMissing])
        run.fails = [:]
        run.files[""]?["old.wav"] = file
        run.notice(.changed)
        run.pass(seconds: 15)
        #expect(run.manifest() == ["old.wav": .done])
        #expect(run.state.summary.failed == 0)
    }
}
