import ReducerKit
import TestSupport
import Testing

@Suite struct ReducerTests {
    typealias Log = Reducer<[String], String, String>

    private func logging(_ name: String) -> Log {
        Log { state, action in
            state.append("\(name) sees \(state.count)")
            return ["\(name): \(action)"]
        }
    }

    @Test func combinedReducersRunInOrderEachSeeingWhatTheOneBeforeLeft() {
        let store = TestStore(
            initialState: [],
            reducer: Log.combine(logging("child"), .empty, logging("other"), logging("parent")))
        store.send(
            "go", expecting: { $0 = ["child sees 0", "other sees 1", "parent sees 2"] },
            commands: ["child: go", "other: go", "parent: go"])
    }

    @Test func combiningWithTheEmptyReducerChangesNothing() {
        let combined = [
            Log.combine(logging("a")), .combine(.empty, logging("a")),
            .combine(logging("a"), .empty),
        ]
        for reducer in combined {
            TestStore(initialState: ["x"], reducer: reducer)
                .send("go", expecting: { $0.append("a sees 1") }, commands: ["a: go"])
        }
        TestStore(initialState: ["x"], reducer: Log.combine()).send("go")
    }

    @Test func combiningIsAssociative() {
        let (a, b, c) = (logging("a"), logging("b"), logging("c"))
        for reducer in [Log.combine(.combine(a, b), c), .combine(a, .combine(b, c))] {
            TestStore(initialState: [], reducer: reducer).send(
                "go", expecting: { $0 = ["a sees 0", "b sees 1", "c sees 2"] },
                commands: ["a: go", "b: go", "c: go"])
        }
    }
}

@Suite struct PullbackTests {
    typealias Store = TestStore<Desk.State, Desk.Action, Desk.Command>

    @Test func aPartsReducerWorksOnTheWhole() {
        let reducer = Counter.reducer.pullback(
            state: \Desk.State.main, action: Desk.mainPath, command: Desk.Command.main)
        let store = Store(initialState: Desk.State(), reducer: reducer)
        store.send(.main(.added(2)), expecting: { $0.main.count = 2 }, commands: [.main(.say(2))])
        store.send(.spare(.added(2)))
        store.send(.named("a", .added(2)))
    }

    @Test func aParentActsOnWhatItsChildMadeOfTheSameAction() {
        let child = Counter.reducer.pullback(
            state: \Desk.State.main, action: Desk.mainPath, command: Desk.Command.main)
        let parent = Reducer<Desk.State, Desk.Action, Desk.Command> { state, _ in
            [.note("the count is \(state.main.count)")]
        }
        Store(initialState: Desk.State(), reducer: .combine(child, parent)).send(
            .main(.added(3)), expecting: { $0.main.count = 3 },
            commands: [.main(.say(3)), .note("the count is 3")])
    }

    @Test func forEachFindsTheElementByItsKey() {
        let reducer = Counter.reducer.forEach(
            state: \Desk.State.named, action: Desk.namedPath, command: Desk.Command.named)
        var desk = Desk.State()
        desk.named = ["a": Counter.State(count: 1), "b": Counter.State(count: 10)]
        let store = Store(initialState: desk, reducer: reducer)
        store.send(
            .named("b", .added(1)), expecting: { $0.named["b"]?.count = 11 },
            commands: [.named("b", .say(11))])
        store.send(
            .named("a", .cleared), expecting: { $0.named["a"]?.count = 0 },
            commands: [.named("a", .say(0))])
        store.send(.main(.cleared))
    }

    @Test func anActionForAMissingElementGoesToWhoeverAsksForIt() {
        let missing = Reducer<Desk.State, Desk.Action, Desk.Command> { state, action in
            if case .named(let name, _) = action { state.missed.append(name) }
            return [.note("missed")]
        }
        let ignoring = Counter.reducer.forEach(
            state: \Desk.State.named, action: Desk.namedPath, command: Desk.Command.named)
        let noting = Counter.reducer.forEach(
            state: \Desk.State.named, action: Desk.namedPath, command: Desk.Command.named,
            missing: missing)
        Store(initialState: Desk.State(), reducer: ignoring).send(.named("x", .cleared))
        let store = Store(initialState: Desk.State(), reducer: noting)
        store.send(
            .named("x", .cleared), expecting: { $0.missed = ["x"] }, commands: [.note("missed")])
        // An action of another case is nobody's missing element.
        store.send(.main(.cleared))
    }

    @Test func anAbsentStateIgnoresActions() {
        let reducer = Counter.reducer.optional.pullback(
            state: \Desk.State.spare, action: Desk.sparePath, command: Desk.Command.spare)
        Store(initialState: Desk.State(), reducer: reducer).send(.spare(.added(1)))
        var desk = Desk.State()
        desk.spare = Counter.State(count: 4)
        Store(initialState: desk, reducer: reducer).send(
            .spare(.added(1)), expecting: { $0.spare?.count = 5 }, commands: [.spare(.say(5))])
    }
}

@Suite struct CasePathTests {
    private func obeysItsLaws<Root: Equatable, Value: Equatable>(
        _ path: CasePath<Root, Value>, values: [Value], others: [Root]
    ) -> Bool {
        values.allSatisfy { path.extract(path.embed($0)) == $0 }
            && others.allSatisfy { path.extract($0) == nil }
    }

    private let added = CasePath<Counter.Action, Int>(
        embed: Counter.Action.added,
        extract: { if case .added(let number) = $0 { number } else { nil } })

    @Test func extractingGivesBackWhatWasEmbeddedAndNothingOfOtherCases() {
        #expect(
            obeysItsLaws(
                Desk.mainPath, values: [.added(1), .cleared],
                others: [.spare(.cleared), .named("a", .cleared)]))
        #expect(obeysItsLaws(added, values: [0, 7], others: [.cleared]))
        #expect(obeysItsLaws(.itself, values: [1, 2], others: [Int]()))
    }

    @Test func appendedPathsObeyTheLawsToo() {
        let path = Desk.mainPath.appending(added)
        #expect(path.embed(3) == .main(.added(3)))
        #expect(
            obeysItsLaws(
                path, values: [0, 7],
                others: [.main(.cleared), .spare(.added(3)), .named("a", .added(3))]))
        let roundabout = CasePath<Desk.Action, Desk.Action>.itself.appending(Desk.mainPath)
        #expect(roundabout.extract(.main(.cleared)) == .cleared)
    }
}
