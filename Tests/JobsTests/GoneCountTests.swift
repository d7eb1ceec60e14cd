import Jobs
import Recordings
import TestSupport
import Testing

/// How many recordings a run that goes on calls gone.
@Suite struct GoneCountTests {
    /// A run over the tree of an earlier one, after which its only recording went.
    private func gone(prunes: Bool = false) -> WatchedRun {
        let before = WatchedRun.underway()
        before.files[""]?["old.wav"] = nil
        before.notice(.changed, "old.wav")
        before.pass(seconds: 2)
        return WatchedRun(after: before) { $0.prunesMissing = prunes }
    }

    @Test(arguments: [false, true])
    func returnedRecordingIsNoLongerCountedAsMissing(isChanged: Bool) {
        let run = WatchedRun.underway()
        let file = run.files[""]?.removeValue(forKey: "old.wav")
        run.notice(.changed, "old.wav")
        run.pass(seconds: 2)
        #expect(run.state.summary.missing == 1)
        run.files[""]?["old.wav"] = file
        if isChanged { run.write("old.wav") }
        run.notice(.written, "old.wav")
        run.pass(seconds: 2)
        #expect(run.state.summary.missing == 0)
        #expect(run.manifest() == ["old.wav": .done])
        #expect(run.decoded.count == (isChanged ? 2 : 1))
    }

    @Test(arguments: [false, true])
    func incompleteRecordingStaysCountedAsMissing(prunes: Bool) {
        let run = gone(prunes: prunes)
        run.write("old.wav")
        run.start()
        #expect(run.state.watch?.incomplete.count == 1)
        #expect(run.state.summary.missing == 1)
        run.files[""]?["old.wav"] = nil
        run.notice(.changed, "old.wav")
        run.pass(seconds: 10)
        #expect(run.state.summary.missing == (prunes ? 0 : 1))
        #expect(run.state.summary.pruned == (prunes ? 1 : 0))
        run.write("old.wav")
        run.notice(.written, "old.wav")
        run.pass(seconds: 2)
        #expect(run.state.summary.missing == 0)
        #expect(run.manifest() == ["old.wav": .done])
    }

    @Test(arguments: [false, true])
    func failedRecordingIsNotCountedAsMissing(isClosed: Bool) {
        let run = gone()
        run.start()
        #expect(run.state.summary.missing == 1)
        run.write("old.wav")
        run.fails["old.wav"] = Example.failure(.corrupt, in: .decode)
        if isClosed { run.closed = ["old.wav"] }
        run.notice(.written, "old.wav")
        run.pass(seconds: 2)
        #expect(run.state.summary.missing == 0)
        #expect(run.manifest() == ["old.wav": .failed])
    }

    /// It failed in an earlier run, and was counted as gone in this one.
    @Test func returnedRecordingDoesNotLowerFailureCount() {
        let before = WatchedRun.underway()
        before.fails["old.wav"] = Example.failure(.corrupt, in: .decode)
        before.write("old.wav")
        before.notice(.written, "old.wav")
        before.pass(seconds: 2)
        #expect(before.manifest() == ["old.wav": .failed])
        before.files[""]?["old.wav"] = nil
        before.notice(.changed, "old.wav")
        before.pass(seconds: 2)
        #expect(before.manifest() == ["old.wav": .sourceMissing])
        let run = WatchedRun(after: before)
        run.fails["bad.wav"] = Example.failure(.corrupt, in: .decode)
        run.write("bad.wav")
        run.pass(seconds: 60)
        run.start()
        run.pass(seconds: 2)
        #expect(run.state.summary.failed == 1 && run.state.summary.missing == 1)
        run.write("old.wav")
        run.notice(.written, "old.wav")
        run.pass(seconds: 2)
        #expect(run.state.summary.failed == 1 && run.state.summary.missing == 0)
        #expect(run.manifest() == ["bad.wav": .failed, "old.wav": .done])
    }

    /// A run that has done "b.mp3": its trimmed copy is "b.mp3.flac", because MP3 is lossy.
    private func withLossyRecording() -> WatchedRun {
        let run = WatchedRun()
        run.run.formats["b.mp3"] = Example.format(container: .mp3, encoding: .mp3)
        run.write("b.mp3")
        run.pass(seconds: 60)
        run.start()
        run.pass(seconds: 2)
        #expect(run.run.trimmed.map(\.name) == ["b.mp3.flac"])
        return run
    }

    @Test func returnedRecordingWithReplacedCopyIsNotMissing() {
        let run = withLossyRecording()
        run.files[""]?["b.mp3"] = nil
        run.notice(.changed, "b.mp3")
        run.pass(seconds: 2)
        #expect(run.manifest() == ["b.mp3": .sourceMissing])
        #expect(run.state.summary.missing == 1)
        // The other is done first, because only that one was closed.
        run.write("b.mp3")
        run.write("b.mp3.flac")
        run.notice(.written, "b.mp3.flac")
        #expect(run.manifest()["b.mp3.flac"] == .done)
        run.pass(seconds: 5)
        #expect(run.manifest() == ["b.mp3": .done, "b.mp3.flac": .done])
        #expect(run.state.summary.missing == 0)
    }

    @Test func missingCountMatchesManifestAfterCopyIsReplaced() {
        let run = withLossyRecording()
        run.held = ["b.mp3.flac"]
        run.write("b.mp3.flac")
        run.notice(.written, "b.mp3.flac")
        run.files[""]?["b.mp3"] = nil
        run.notice(.changed, "b.mp3")
        run.pass(seconds: 2)
        #expect(run.state.summary.missing == 1)
        run.held = []
        run.pass(seconds: 5)
        #expect(run.manifest()["b.mp3.flac"] == .done)
        #expect(run.state.folders.isEmpty)
        let gone = run.manifest().values.count { $0 == .sourceMissing }
        #expect(run.state.summary.missing == gone)
    }

    /// It was about to be processed again, and the next one would like its copy's name.
    @Test func recordingThatWentWhileItsJobWaitedKeepsItsCopy() {
        let run = WatchedRun { $0.jobLimit = 1 }
        run.run.formats["b.mp3"] = Example.format(container: .mp3, encoding: .mp3)
        run.write("b.mp3.flac")
        run.pass(seconds: 60)
        run.start()
        run.pass(seconds: 2)
        run.held = ["a.wav"]
        run.write("a.wav")
        run.notice(.written, "a.wav")
        run.write("b.mp3.flac")
        run.notice(.written, "b.mp3.flac")
        run.pass(seconds: 1)
        run.files[""]?["b.mp3.flac"] = nil
        run.write("b.mp3")
        run.notice(.written, "b.mp3")
        run.pass(seconds: 1)
        run.held = []
        run.pass(seconds: 5)
        #expect(run.run.trimmed.map(\.name).last == "b.mp3.2.flac")
        #expect(
            run.manifest() == ["a.wav": .done, "b.mp3": .done, "b.mp3.flac": .sourceMissing])
    }

    @Test func recordingDeletedTwiceIsReportedMissingOnce() {
        let run = WatchedRun.underway { $0.jobLimit = 1 }
        run.files[""]?["old.wav"] = nil
        run.notice(.changed, "old.wav")
        run.pass(seconds: 2)
        run.held = ["a.wav"]
        run.write("a.wav")
        run.notice(.written, "a.wav")
        run.write("old.wav")
        run.notice(.written, "old.wav")
        run.pass(seconds: 2)
        #expect(run.state.summary.missing == 1)
        run.files[""]?["old.wav"] = nil
        run.notice(.changed, "old.wav")
        run.pass(seconds: 5)
        #expect(run.state.summary.missing == 1)
        let told = run.run.announcements.count { if case .missing = $0 { true } else { false } }
        #expect(told == 1)
    }

    /// The new recording's own names are natural, as the other's copy got its name when it had
    /// another neighbour.
    @Test func goneRecordingThatLosesItsCopysNameIsNoLongerCounted() throws {
        let run = WatchedRun { $0.jobLimit = 4 }
        run.run.formats["b.mp3"] = Example.format(container: .mp3, encoding: .mp3)
        for name: Pathname in ["b.mp3.flac", "b.mp3.2.flac"] {
            run.run.formats[name] = Example.format(container: .flac)
        }
        run.write("b.mp3")
        run.write("b.mp3.flac")
        run.held = ["b.mp3", "b.mp3.flac"]
        run.pass(seconds: 60)
        run.start()
        run.answerFinding()
        let order = try #require(run.run.listened.first { $0.source.name == "b.mp3" })
        run.move("b.mp3.flac", to: "b.mp3.2.flac")
        run.held = ["b.mp3", "b.mp3.2.flac"]
        run.settle()
        run.notice(.written, "b.mp3.2.flac")
        run.answerFinding()
        run.pass(seconds: 1)
        run.files[""]?["b.mp3"] = nil
        run.answers["b.mp3"] = .listened(
            Example.measurements(for: order, format: run.run.formats["b.mp3"] ?? Example.format()),
            staged: Example.staged(for: order))
        run.held = ["b.mp3.2.flac"]
        run.settle()
        run.notice(.changed, "b.mp3")
        run.pass(seconds: 3)
        #expect(run.run.trimmed.map(\.name) == ["b.mp3.2.flac"])
        #expect(run.manifest() == ["b.mp3": .sourceMissing])
        #expect(run.state.summary.missing == 1)
        run.held = []
        run.pass(seconds: 5)
        #expect(run.manifest() == ["b.mp3.2.flac": .done])
        #expect(run.state.summary.missing == 0)
    }

    /// It failed before it went, while the other was in work; so its copy was only retained.
    @Test func nameOfARetainedCopyIsFreeOnceAnotherHasIt() {
        let run = WatchedRun { $0.jobLimit = 4 }
        run.run.formats["b.mp3"] = Example.format(container: .mp3, encoding: .mp3)
        run.run.formats["b.mp3.flac"] = Example.format(container: .flac)
        run.write("b.mp3")
        run.pass(seconds: 60)
        run.start()
        run.pass(seconds: 2)
        run.fails["b.mp3"] = Example.failure(.corrupt)
        // As long as there is work, the folder is kept in memory.
        run.held = ["a.wav"]
        run.holds = {
            guard case .job(_, .trim(let order)) = $0 else { return false }
            return order.source.name == "b.mp3.flac"
        }
        run.write("a.wav")
        run.notice(.written, "a.wav")
        run.write("b.mp3")
        run.notice(.written, "b.mp3")
        run.write("b.mp3.flac")
        run.notice(.written, "b.mp3.flac")
        run.pass(seconds: 3)
        #expect(run.manifest() == ["b.mp3": .failed])
        #expect(run.run.trimmed.map(\.name) == ["b.mp3.flac", "b.mp3.flac"])
        run.files[""]?["b.mp3"] = nil
        run.notice(.changed, "b.mp3")
        run.pass(seconds: 3)
        run.holds = { _ in false }
        run.settle()
        run.pass(seconds: 3)
        run.write("b.mp3.flac")
        run.notice(.written, "b.mp3.flac")
        run.pass(seconds: 5)
        #expect(run.run.trimmed.map(\.name).dropFirst(2) == ["b.mp3.flac"])
        #expect(run.manifest() == ["b.mp3": .sourceMissing, "b.mp3.flac": .done])
    }

    /// It came, and was done, while the other was in work, whose names were settled before.
    @Test func recordingThatLosesItsCopysNameIsDoneAgain() {
        let run = WatchedRun { $0.jobLimit = 4 }
        run.run.formats["b.mp3"] = Example.format(container: .mp3, encoding: .mp3)
        run.run.formats["b.mp3.flac"] = Example.format(container: .flac)
        run.write("b.mp3")
        // As long as there is work, the folder is kept in memory.
        run.write("a.wav")
        run.held = ["a.wav", "b.mp3"]
        run.pass(seconds: 60)
        run.start()
        run.write("b.mp3.flac")
        run.notice(.written, "b.mp3.flac")
        run.pass(seconds: 3)
        #expect(run.manifest() == ["b.mp3.flac": .done])
        run.held = ["a.wav"]
        run.settle()
        run.pass(seconds: 5)
        #expect(run.manifest() == ["b.mp3": .done, "b.mp3.flac": .done])
        #expect(
            run.run.trimmed.map(\.name)
                == ["b.mp3.flac", "b.mp3.flac", "b.mp3.2.flac", "b.mp3.flac"])
        run.files[""]?["b.mp3.flac"] = nil
        run.notice(.changed, "b.mp3.flac")
        run.pass(seconds: 3)
        #expect(run.state.summary.missing == 1)
        #expect(run.manifest() == ["b.mp3": .done, "b.mp3.flac": .sourceMissing])
    }

    /// All names are natural by then: the copy got its own beside a recording that is gone.
    @Test func deletedRecordingThatLostItsCopysNameIsNotCountedAsGone() {
        let run = WatchedRun { $0.jobLimit = 4 }
        run.run.formats["b.mp3"] = Example.format(container: .mp3, encoding: .mp3)
        for name: Pathname in ["b.mp3.flac", "b.mp3.2.flac"] {
            run.run.formats[name] = Example.format(container: .flac)
        }
        for name: Pathname in ["a.wav", "b.mp3", "b.mp3.flac"] { run.write(name) }
        // As long as there is work, the folder is kept in memory.
        run.held = ["a.wav", "b.mp3.flac"]
        run.holds = { if case .job(_, .trim) = $0 { true } else { false } }
        run.pass(seconds: 60)
        run.start()
        run.files[""]?["b.mp3.flac"] = nil
        run.notice(.changed, "b.mp3.flac")
        run.held = ["a.wav"]
        run.settle()
        run.write("b.mp3.2.flac")
        run.notice(.written, "b.mp3.2.flac")
        run.pass(seconds: 3)
        run.holds = {
            guard case .job(_, .trim(let order)) = $0 else { return false }
            return order.source.name == "b.mp3.2.flac"
        }
        run.pass(seconds: 0.6)
        #expect(run.run.trimmed.map(\.name) == ["b.mp3.2.flac", "b.mp3.2.flac"])
        run.holds = { _ in false }
        run.files[""]?["b.mp3"] = nil
        run.settle()
        run.notice(.changed, "b.mp3")
        run.pass(seconds: 5)
        #expect(run.manifest() == ["b.mp3.2.flac": .done])
        #expect(run.state.summary.missing == 0)
    }
}
