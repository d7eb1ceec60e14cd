import Foundation
import Jobs
import Recordings
import ReducerKit
import TestSupport
import Testing

/// Answers that nobody waits for, sources of actions, and a state that outlives its process.
@Suite struct JobStoreAnswersTests {
    private func runUnderWay() -> ScriptedRun {
        let run = ScriptedRun(JobStore.Configuration(jobLimit: 2, showsProgress: true))
        run.listings[""] = FolderListing(
            recordings: ["a.wav", "b.wav", "c.wav", "\u{e9}.wav", "e\u{301}.wav"]
                .map { Example.scanned($0) },
            subfolders: ["sub", "later"])
        run.listings["sub"] = FolderListing(
            recordings: [
                Example.scanned(
                    "z.wav",
                    previous: Example.previousWork(Example.doneEntry("z.wav"), damaged: .trim))
            ])
        run.start()
        run.send(.ticked(100))
        for _ in 1...4 { run.answerNext() }
        return run
    }

    @Test func strayAnswersAreCountedAndIgnored() {
        let run = runUnderWay()
        let listing = FolderListing(recordings: [Example.scanned("x.wav")], subfolders: ["y"])
        let failure = Example.failure()
        let strays: [JobStore.Action] = [
            .started([.folder("other")]),
            .scan(.listed(FolderID(0), listing)), .scan(.failed(FolderID(0), failure)),
            .scan(.listed(FolderID(9), listing)), .scan(.failed(FolderID(9), failure)),
            .job(
                RecordingID(0),
                .trimmed(
                    Example.trimmedFile(for: run.trimmed[0]),
                    staged: Example.staged(for: run.trimmed[0]))),
            .job(RecordingID(3), .listened(Measurements(format: Example.format()), staged: [])),
            .job(RecordingID(9), .cancelled), .job(RecordingID(-1), .cancelled),
            .manifestWritten(FolderID(0)), .manifestFailed(FolderID(0), failure),
            .commit(.synced(2)), .commit(.syncFailed(0, failure)), .commit(.recorded(1)),
            .commit(.recordFailed(1, failure)), .commit(.published(1, [])),
        ]
        run.send(.job(RecordingID(0), .failed(failure, measured: nil)))
        var expected = run.state
        for (index, action) in strays.enumerated() {
            #expect(run.send(action) == [], "\(action)")
            expected.ignoredAnswers = index + 1
            let lines = difference(expected: expected, actual: run.state)
            #expect(lines.isEmpty, "after \(action)")
        }
        run.answerAll()
        #expect(run.state.isFinished && run.state.deepViolation == nil)
    }

    @Test func listingOfFailedFolderIsIgnored() {
        let run = ScriptedRun()
        run.start()
        run.send(.scan(.failed(FolderID(0), Example.failure())))
        #expect(run.state.isFinished)
        let other = ScriptedRun()
        other.start([.folder("a"), .folder("b")])
        other.send(.scan(.failed(FolderID(0), Example.failure())))
        let late = FolderListing(recordings: [Example.scanned("a.wav")])
        #expect(other.send(.scan(.listed(FolderID(0), late))) == [])
        #expect(other.state.folders.isEmpty && other.state.summary.recordings == 0)
    }

    @Test func finishedRunIssuesNoCommands() {
        let run = ScriptedRun()
        run.listings[""] = FolderListing(recordings: [Example.scanned("a.wav")])
        let summary = run.run()
        let late: [JobStore.Action] = [
            .started([.folder("")]),
            .scan(.listed(FolderID(0), FolderListing())),
            .job(RecordingID(0), .cancelled), .manifestWritten(FolderID(0)),
            .commit(.synced(1)), .commit(.published(1, [])),
            .stopRequested(.interrupt), .ticked(9),
        ]
        for action in late { #expect(run.send(action) == [], "\(action)") }
        #expect(run.state.summary == summary && run.state.phase == .finished(nil))
    }

    @Test func runSubscribesToSignalsAndProgressTicks() {
        let signals: Set<JobStore.Subscription> = [.stopSignals]
        let watched = signals.union([.ticks(perSecond: 5)])
        let table:
            [(
                phase: JobStore.Phase, unseen: Set<JobStore.Subscription>,
                seen: Set<JobStore.Subscription>
            )] = [
                (.running, signals, watched),
                (.stopping(.interrupt), signals, watched),
                (.closing(.terminate), signals, watched),
                (.finished(nil), [], []),
                (.finished(.interrupt), [], []),
            ]
        for row in table {
            for isWatched in [false, true] {
                var state = JobStore.State(
                    configuration: JobStore.Configuration(showsProgress: isWatched))
                state.phase = row.phase
                #expect(
                    JobStore.subscriptions(of: state) == (isWatched ? row.seen : row.unseen))
            }
        }
    }

    @Test func elapsedTimeNeverDecreases() {
        let run = ScriptedRun()
        #expect(run.state.pace.elapsedSeconds == 0)
        for seconds in [100, 102.5, 101] { run.send(.ticked(seconds)) }
        #expect(run.state.pace.elapsedSeconds == 2.5)
    }

    @Test func runStateRoundTripsThroughJSON() throws {
        let run = runUnderWay()
        let states =
            [run.state]
            + [JobStore.Action.stopRequested(.interrupt)].map {
                run.send($0)
                return run.state
            }
        let committing = runUnderWay()
        committing.send(.job(RecordingID(0), .failed(Example.failure(), measured: nil)))
        committing.send(
            .job(RecordingID(1), .failed(Example.failure(.unavailable), measured: nil)))
        committing.send(.ticked(101))
        committing.answer(.commit(1, .syncing))
        #expect(committing.state.commit.underway?.step == .recording)
        #expect(committing.state.scheduler.resting.count == 1)
        run.answerAll()
        for state in states + [committing.state, run.state] {
            let data = try JSONEncoder().encode(state)
            let back = try JSONDecoder().decode(JobStore.State.self, from: data)
            #expect(back == state)
        }
    }

    @Test func runResumesFromDecodedState() throws {
        let run = runUnderWay()
        let data = try JSONEncoder().encode(run.state)
        var state = try JSONDecoder().decode(JobStore.State.self, from: data)
        var pending = run.pending
        while let command = pending.first, let action = run.success(of: command) {
            pending.removeFirst()
            pending += JobStore.reducer(&state, action).filter { $0.due != nil }
        }
        run.answerAll()
        #expect(state == run.state)
        #expect(state.phase == .finished(nil))
    }
}
