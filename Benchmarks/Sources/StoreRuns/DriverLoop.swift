import Dispatch
import ReducerKit

/// The driver's whole loop, as often as asked: send → reduce → diff the subscriptions → notify →
/// interpret a command that does nothing but send the next action.
package enum DriverLoop {
    private struct State {
        var count = 0
        let last: Int
    }

    private enum Command { case goOn, finish }
    private enum Subscription: Hashable { case signals, ticks(Int) }

    /// Goes round so many times and returns once it has.
    package static func run(trips: Int) {
        let isOver = DispatchSemaphore(value: 0)
        let reducer = Reducer<State, Int, Command> { state, number, order in
            state.count += number
            order(state.count < state.last ? .goOn : .finish)
        }
        let driver = Driver<State, Int, Command, Subscription>(
            label: "benchmark", initialState: State(last: trips), reducer: reducer,
            // What is wanted changes now and then.
            subscriptions: { $0.count % 1_000 < 500 ? [.signals] : [.signals, .ticks(5)] },
            surroundings: .init(
                interpret: { command, send in
                    switch command {
                    case .goOn: send(1)
                    case .finish: isOver.signal()
                    }
                },
                start: { _, _ in {} }))
        driver.observe({ $0.count / 1_000 }, { _ in })
        driver.send(1)
        isOver.wait()
    }
}
