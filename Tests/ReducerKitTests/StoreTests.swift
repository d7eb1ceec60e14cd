import ReducerKit
import Testing

@Suite struct StoreTests {
    typealias CounterStore = Store<Counter.State, Counter.Action, Counter.Command>

    private func store() -> CounterStore {
        CounterStore(initialState: Counter.State(), reducer: Counter.reducer)
    }

    /// What subscribers were told; a class, so that closures share it.
    private final class Notes {
        var lines: [String] = []
    }

    @Test func sendReturnsTheCommands() {
        let store = store()
        #expect(store.send(.added(2)) == [.say(2)])
        #expect(store.state.count == 2)
    }

    @Test func subscribersAreNotifiedInOrder() {
        let store = store()
        let notes = Notes()
        for name in ["a", "b"] { store.subscribe { notes.lines.append("\(name)\($0.count)") } }
        store.send(.added(1))
        store.send(.added(1))
        #expect(notes.lines == ["a1", "b1", "a2", "b2"])
    }

    @Test func subscriberAddedDuringNotificationWaitsForNextChange() {
        let store = store()
        let notes = Notes()
        var hasCome = false
        store.subscribe { _ in
            guard !hasCome else { return }
            hasCome = true
            store.subscribe { notes.lines.append("late \($0.count)") }
        }
        store.send(.added(1))
        #expect(notes.lines.isEmpty)
        store.send(.added(1))
        #expect(notes.lines == ["late 2"])
    }

    @Test func derivedValueIsReportedAtOnceAndOnChange() {
        let store = store()
        let notes = Notes()
        store.subscribe(to: { $0.count / 10 }, { notes.lines.append("\($0)") })
        for number in [4, 5, 1, 0, 20, -30] { store.send(.added(number)) }
        #expect(notes.lines == ["0", "1", "3", "0"])
    }

    @Test func subscribersAreNotifiedAfterTheBatch() {
        let store = store()
        let notes = Notes()
        store.subscribe { notes.lines.append("\($0.count)") }
        _ = store.reduce(.added(1))
        _ = store.reduce(.added(1))
        #expect(notes.lines.isEmpty)
        store.notify()
        #expect(notes.lines == ["2"])
    }

    @Test func sendingWhileReducingStopsTheProgram() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            nonisolated(unsafe) let loop = Loop()
            loop.store = Store(
                initialState: 0,
                reducer: Reducer { _, action in
                    if action == 1 { loop.store?.send(2) }
                    return []
                })
            loop.store?.send(1)
        }
        guard holdsAsserts else { return }
        let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(words.contains("an action was sent while another was being reduced"))
    }

    /// Lets a reducer reach the store that it belongs to, as none should.
    private final class Loop {
        var store: Store<Int, Int, Int>?
    }

    @Test func subscriberMaySendActions() {
        let store = store()
        let notes = Notes()
        store.subscribe { state in
            if state.count < 3 { store.send(.added(1)) }
        }
        store.subscribe { notes.lines.append("\($0.count)") }
        store.send(.added(1))
        #expect(notes.lines == ["3", "3", "3"])
    }
}

@Suite struct SubscriptionSetTests {
    @Test func refreshStopsOldSubscriptionsBeforeStartingNew() {
        var notes: [String] = []
        var set = SubscriptionSet<String>()
        func refresh(to wanted: Set<String>) -> [String] {
            notes = []
            set.refresh(to: wanted) { name in
                notes.append("start \(name)")
                return { notes.append("stop \(name)") }
            }
            return notes
        }
        #expect(refresh(to: ["a", "b"]).sorted() == ["start a", "start b"])
        #expect(refresh(to: ["a", "b"]).isEmpty)
        #expect(refresh(to: ["b", "c"]) == ["stop a", "start c"])
        #expect(set.current == ["b", "c"])
        #expect(refresh(to: ["a", "d"]).prefix(2).allSatisfy { $0.hasPrefix("stop") })
        #expect(set.current == ["a", "d"])
        #expect(refresh(to: []).sorted() == ["stop a", "stop d"])
        // What was stopped can be started again.
        #expect(refresh(to: ["b"]) == ["start b"])
    }
}

// MARK: - The guard of the cost

@Suite struct StoreCostTests {
    struct State {
        var elements: [Int]
        var sum = 0
    }

    /// Sends actions that each change one element, watched through derived values.
    ///
    /// A store that kept the state before would have to copy the elements at the next action, so
    /// the buffer would move; while it stays where it is, nothing of it was copied.
    @Test(arguments: [1_000, 100_000])
    func actionsDoNotCopyStateCollections(_ count: Int) {
        let reducer = Reducer<State, Int, Int> { state, index in
            state.elements[index] += 1
            state.sum += 1
            return []
        }
        let store = Store(
            initialState: State(elements: Array(repeating: 0, count: count)),
            reducer: reducer.tracing { _, _ in }.checkingInvariants(enabled: true) {
                $0.sum < 0 ? "a sum is below zero" : nil
            })
        var told = 0
        store.subscribe(to: { $0.sum / 100 }, { _ in told += 1 })
        store.subscribe { told += $0.elements.isEmpty ? 1 : 0 }
        var addresses: Set<UnsafePointer<Int>> = []
        func takeAddress() {
            store.state.elements.withUnsafeBufferPointer { buffer in
                if let address = buffer.baseAddress { addresses.insert(address) }
            }
        }
        store.send(0)
        for index in 0..<20_000 {
            store.send(index % count)
            takeAddress()
        }
        #expect(addresses.count == 1)
        #expect(told == 201)
        #expect(store.state.sum == 20_001)
    }

}
