import Dispatch
import Foundation
import ReducerKit
import Synchronization
import Testing

/// Reading from a driver waits for all that was sent before, so no test here has to wait for time.
@Suite struct DriverTests {
    struct State: Sendable {
        var arrived: [Int] = []
        var wanted: Set<String> = []
    }

    enum Action: Sendable {
        case arrived(Int)
        case wanted(Set<String>)
        case asked(Int)
    }

    enum Command: Sendable {
        /// Answered by `arrived`, at once.
        case answer(Int)
    }

    typealias ToyDriver = Driver<State, Action, Command, String>

    /// What happened, from whichever thread.
    final class Notes: Sendable {
        private let lines = Mutex<[String]>([])

        func append(_ line: String) { lines.withLock { $0.append(line) } }

        /// The lines so far, which are forgotten.
        func take() -> [String] {
            lines.withLock { lines in
                defer { lines = [] }
                return lines
            }
        }
    }

    private func driver(_ notes: Notes) -> ToyDriver {
        let reducer = Reducer<State, Action, Command> { state, action in
            switch action {
            case .arrived(let number):
                notes.append("reduce \(number)")
                state.arrived.append(number)
            case .wanted(let names):
                notes.append("reduce wish")
                state.wanted = names
            case .asked(let number):
                notes.append("reduce question \(number)")
                return [.answer(number)]
            }
            return []
        }
        return ToyDriver(
            label: "test", initialState: State(), reducer: reducer,
            subscriptions: { state in
                notes.append("subscriptions")
                return state.wanted
            },
            surroundings: ToyDriver.Surroundings(
                interpret: { command, send in
                    guard case .answer(let number) = command else { return }
                    notes.append("interpret \(number)")
                    send(.arrived(number))
                    notes.append("interpreted \(number)")
                },
                start: { name, send in
                    notes.append("start \(name)")
                    if name == "eager" { send(.arrived(100)) }
                    return { notes.append("stop \(name)") }
                }))
    }

    /// Sends these actions so that they make one batch: the driver is held up meanwhile.
    private func sendAtOnce(_ actions: [Action], to driver: ToyDriver) {
        let holding = DispatchSemaphore(value: 0)
        let held = DispatchSemaphore(value: 0)
        let isFirst = Mutex(true)
        driver.observe({ _ in 0 }) { _ in
            let isNow = isFirst.withLock { first in
                defer { first = false }
                return first
            }
            guard isNow else { return }
            holding.signal()
            held.wait()
        }
        holding.wait()
        for action in actions { driver.send(action) }
        held.signal()
    }

    @Test func actionsFromManyThreadsKeepPerThreadOrder() {
        let driver = driver(Notes())
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for number in 0..<1_000 { driver.send(.arrived(thread * 1_000 + number)) }
        }
        let arrived = driver.read { $0.arrived }
        #expect(arrived.count == 8_000)
        for thread in 0..<8 {
            let own = arrived.filter { $0 / 1_000 == thread }
            #expect(own == Array(thread * 1_000..<(thread + 1) * 1_000))
        }
    }

    @Test func batchIsReducedObservedThenInterpreted() {
        let notes = Notes()
        let driver = driver(notes)
        driver.observe({ $0.wanted.count }) { notes.append("observe \($0)") }
        _ = driver.read { _ in notes.take() }
        sendAtOnce([.asked(1), .wanted(["a"]), .asked(2)], to: driver)
        _ = driver.read { $0.arrived }
        #expect(
            notes.take() == [
                "reduce question 1", "reduce wish", "reduce question 2", "subscriptions",
                "start a", "observe 1", "interpret 1", "interpreted 1", "interpret 2",
                "interpreted 2", "reduce 1", "reduce 2", "subscriptions",
            ])
    }

    @Test func answersAreReducedInTheNextBatch() {
        let notes = Notes()
        let driver = driver(notes)
        driver.send(.asked(7))
        #expect(driver.read { $0.arrived } == [7])
        #expect(
            notes.take() == [
                "reduce question 7", "subscriptions", "interpret 7", "interpreted 7", "reduce 7",
                "subscriptions",
            ])
    }

    @Test func subscriptionsFollowTheState() {
        let notes = Notes()
        let driver = driver(notes)
        func changes(_ wanted: Set<String>) -> [String] {
            driver.send(.wanted(wanted))
            _ = driver.read { $0.arrived }
            return notes.take().filter { $0.hasPrefix("start") || $0.hasPrefix("stop") }
        }
        #expect(changes(["a"]) == ["start a"])
        #expect(changes(["a"]) == [])
        #expect(changes(["b"]) == ["stop a", "start b"])
        #expect(changes([]) == ["stop b"])
    }

    @Test func subscriptionMaySendWhileStarting() {
        let driver = driver(Notes())
        driver.send(.wanted(["eager"]))
        #expect(driver.read { $0.arrived } == [100])
    }

    @Test func observersAreNotifiedOncePerBatchOnChange() {
        let notes = Notes()
        let driver = driver(notes)
        driver.observe({ $0.arrived.count }) { notes.append("count \($0)") }
        func counts() -> [String] {
            _ = driver.read { $0.arrived }
            return notes.take().filter { $0.hasPrefix("count") }
        }
        #expect(counts() == ["count 0"])
        sendAtOnce((1...5).map { .arrived($0) }, to: driver)
        #expect(counts() == ["count 5"])
        driver.send(.wanted(["a"]))
        #expect(counts() == [])
        driver.send(.arrived(6))
        #expect(counts() == ["count 6"])
    }

    /// A driver whose questions are answered by hand.
    private func driver(_ notes: Notes, keeping answer: Answer) -> ToyDriver {
        let reducer = Reducer<State, Action, Command> { state, action in
            guard case .arrived(let number) = action else { return [.answer(0)] }
            notes.append("reduce \(number) on \(pthread_self())")
            state.arrived.append(number)
            return []
        }
        return ToyDriver(
            label: "test", initialState: State(), reducer: reducer, subscriptions: { _ in [] },
            surroundings: ToyDriver.Surroundings(
                interpret: { _, send in answer.send.withLock { $0 = send } },
                start: { _, _ in {} }))
    }

    /// What answers the last question.
    final class Answer: Sendable {
        let send = Mutex<ToyDriver.Send?>(nil)

        func callAsFunction(_ number: Int) throws {
            let send = try #require(send.withLock { $0 })
            send(.arrived(number))
        }
    }

    @Test func answeringThreadReducesItsAnswer() throws {
        let (notes, answer) = (Notes(), Answer())
        let driver = driver(notes, keeping: answer)
        driver.send(.asked(1))
        _ = driver.read { $0.arrived }
        try answer(1)
        #expect(notes.take() == ["reduce 1 on \(pthread_self())"])
    }

    @Test(.timeLimit(.minutes(1))) func answeringThreadDoesNotWaitForBusyDriver() throws {
        let (notes, answer) = (Notes(), Answer())
        let driver = driver(notes, keeping: answer)
        driver.send(.asked(1))
        _ = driver.read { $0.arrived }
        let (holding, held) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        driver.observe({ $0.arrived.count }) { count in
            guard count == 1 else { return }
            holding.signal()
            held.wait()
        }
        driver.send(.arrived(1))
        holding.wait()
        try answer(2)
        #expect(notes.take().count == 1)
        held.signal()
        #expect(driver.read { $0.arrived } == [1, 2])
    }

    @Test func observerMaySendActions() {
        let driver = driver(Notes())
        driver.observe({ $0.arrived.count }) { count in
            if count < 3 { driver.send(.arrived(count)) }
        }
        // Waits for the observer to be there; what it sends then is before the next reading.
        _ = driver.read { $0.arrived }
        #expect(driver.read { $0.arrived } == [0, 1, 2])
    }
}
