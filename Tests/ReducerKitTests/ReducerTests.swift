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

    @Test func combinedReducersRunInOrderOnSharedState() {
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
