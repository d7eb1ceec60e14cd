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

    private func count(_ run: WatchedRun) -> Int {
        run.state.summary.failed + run.state.summary.stillFailed
    }

    /// What was told of a recording's end.
    private func told(_ run: WatchedRun, _ name: Pathname) -> [ManifestEntry.Status] {
        run.run.announcements.compactMap {
            if case .settled(_, let entry, _) = $0, entry.name == name { entry.status } else { nil }
        }
    }

    @Test func aFailureOfAnEarlierRunIsTakenBackAndNoOtherWithIt() {
        let run = WatchedRun(after: failed())
        run.fails["bad.wav"] = Self.failure
        run.write("bad.wav")
        run.write("old.wav")
        run.pass(seconds: 60)
        run.start()
        run.pass(seconds: 2)
        #expect(run.manifest() == ["bad.wav": .failed, "old.wav": .done])
        #expect(count(run) == 1)
        #expect(run.state.summary.recordings == 2)
        // It holds something else than what had failed, so that there is nothing to say of that.
        #expect(told(run, "old.wav") == [.done])
    }

    @Test(arguments: [false, true])
    func whatIsTriedAgainAtTheStartIsToldOfOnceAsLongAsItFails(failsAgain: Bool) {
        let run = WatchedRun(after: failed()) { $0.retriesFailed = true }
        if failsAgain { run.fails["old.wav"] = Self.failure }
        run.pass(seconds: 60)
        run.start()
        run.pass(seconds: 2)
        #expect(run.decoded == ["old.wav"])
        #expect(told(run, "old.wav") == (failsAgain ? [.failed] : [.failed, .done]))
        #expect(count(run) == (failsAgain ? 1 : 0))
        #expect(run.state.summary.recordings == 1)
    }

    /// With what was made of it before, and with nothing.
    @Test(arguments: [false, true]) func whatIsDeletedHasFailedNoMore(hasResults: Bool) {
        let run = hasResults ? failed() : WatchedRun.underway()
        if !hasResults {
            run.fails["bad.wav"] = Self.failure
            run.write("bad.wav")
            run.notice(.written, "bad.wav")
            run.pass(seconds: 2)
        }
        #expect(count(run) == 1)
        let name: Pathname = hasResults ? "old.wav" : "bad.wav"
        run.files[""]?[name] = nil
        run.notice(.changed, name)
        run.pass(seconds: 2)
        #expect(count(run) == 0)
        #expect(run.state.summary.missing == (hasResults ? 1 : 0))
        #expect(run.manifest() == ["old.wav": hasResults ? .sourceMissing : .done])
    }

    @Test func whatCannotBeLookedAtFailsOnceHoweverOftenItDoes() {
        let before = failed()
        before.closed = ["old.wav"]
        before.notice(.changed, "old.wav")
        before.pass(seconds: 2)
        #expect(count(before) == 1)
        #expect(told(before, "old.wav") == [.done, .failed, .failed])
        let run = WatchedRun(after: before)
        run.closed = ["old.wav"]
        run.start()
        run.pass(seconds: 2)
        run.notice(.changed, "old.wav")
        run.pass(seconds: 2)
        #expect(count(run) == 1)
        #expect(told(run, "old.wav") == [.failed])
        run.closed = []
        run.notice(.changed, "old.wav")
        run.pass(seconds: 5)
        #expect(count(run) == 0)
        #expect(run.manifest() == ["old.wav": .done])
    }
}
