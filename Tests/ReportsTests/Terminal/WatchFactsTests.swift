import Jobs
import Recordings
import TestSupport
import Testing

@testable import Reports

@Suite struct WatchFactsTests {
    private let run = WatchedRun()
    private var facts: WatchFacts { WatchFacts(run.state) }
    /// As an open page lists them.
    private var listed: [WatchFacts.Pending] {
        WatchFacts(run.state, most: 64, listsQueued: true).pending
    }

    @Test func watchOfEmptyFolderIsIdle() {
        #expect(!facts.hasBegun && !facts.isIdle)
        run.start()
        #expect(facts.hasBegun && facts.isIdle)
        #expect(facts.folders == 1)
        #expect(facts.pending.isEmpty && facts.behindSeconds == nil)
    }

    @Test func watchHasBegunWhileFileIsAwaited() {
        run.write("a.wav")
        run.start()
        #expect(facts.hasBegun && !facts.isIdle)
        #expect(facts.awaited == 1)
        #expect(facts.pending == [.init(path: "a.wav", standing: .awaited(nil, seconds: 0))])
    }

    @Test func runningAndQueuedRecordingsAreCounted() {
        run.start()
        run.held = ["0.wav", "1.wav", "2.wav", "3.wav"]
        for number in 0..<6 {
            run.write(Pathname("\(number).wav"))
            run.notice(.written, Pathname("\(number).wav"))
            run.pass(seconds: 1)
        }
        #expect((facts.underway, facts.queued, facts.awaited) == (4, 2, 0))
        #expect(facts.behindSeconds == 6)
        #expect(facts.pending.map(\.path) == ["0.wav", "1.wav", "2.wav", "3.wav"])
        #expect(facts.pending.allSatisfy { $0.standing == .workedOn })
        #expect(listed.map(\.path.text) == (0..<6).map { "\($0).wav" })
        #expect(
            listed.map(\.standing) == Array(repeating: .workedOn, count: 4) + [.queued, .queued])
        run.held = ["3.wav"]
        run.settle()
        // What is being committed is no more queued than what is listened to.
        #expect(listed.count == 6 && listed.allSatisfy { $0.standing == .workedOn })
        // What has ended waits a moment for what has not.
        run.pass(seconds: 1)
        #expect((facts.underway, facts.queued, facts.done) == (1, 0, 5))
        #expect(facts.behindSeconds == 4)
        #expect(facts.pending.map(\.path) == ["3.wav"])
        run.held = []
        run.settle()
        run.pass(seconds: 5)
        #expect(facts.isIdle && facts.done == 6)
        #expect(facts.behindSeconds == nil)
    }

    /// Nobody sees a phase that is over before the batch is.
    @Test func idleWatchIsStoppingAfterSignal() {
        run.start()
        #expect(!facts.isStopping)
        run.run.send(.stopRequested(.terminate))
        #expect(run.state.isFinished)
        #expect(facts.isStopping && !facts.isIdle)
    }

    @Test func waitingTimeOfTruncatedFileIsMeasured() {
        run.start()
        let cutOff = Example.failure(.truncated)
        run.answers["a.wav"] = .failed(cutOff, measured: nil)
        run.write("a.wav")
        run.notice(.written, "a.wav")
        run.pass(seconds: 35)
        #expect(facts.awaited == 1 && facts.behindSeconds == nil)
        #expect(
            facts.pending
                == [.init(path: "a.wav", standing: .awaited(cutOff, seconds: 35))])
    }

    /// A recording that takes long is seen though thousands of others come and go.
    @Test func slowRecordingStaysInPendingList() {
        run.start()
        run.held = ["long.wav"]
        run.write("long.wav")
        run.notice(.written, "long.wav")
        for number in 0..<300 {
            run.write(Pathname("\(number).wav"))
            run.notice(.written, Pathname("\(number).wav"))
            run.pass(seconds: 0.2)
        }
        run.pass(seconds: 10)
        #expect(facts.pending.map(\.path) == ["long.wav"])
        #expect(facts.underway == 1 && facts.done == 300)
        #expect(facts.behindSeconds == 70)
    }

    @Test func pendingListIsLimited() {
        for number in 0..<200 { run.write(Pathname("\(number).wav")) }
        run.start()
        #expect(facts.awaited == 200)
        #expect(facts.pending.count == WatchFacts.mostPending)
    }

    @Test func pendingListHoldsFirstNamesInOrder() {
        for name in ["e.wav", "b.wav", "d.wav", "a.wav", "c.wav"] as [Pathname] {
            run.write(name)
        }
        run.start()
        #expect(facts.pending.map(\.path) == ["a.wav", "b.wav", "c.wav", "d.wav"])
    }
}
