import ReducerKit

/// A counter, the smallest domain there is.
enum Counter {
    struct State: Equatable {
        var count = 0
    }

    enum Action: Equatable {
        case added(Int)
        case cleared
    }

    enum Command: Equatable {
        case say(Int)
    }

    /// Says the count after each change.
    static let reducer = Reducer<State, Action, Command> { state, action in
        switch action {
        case .added(let number): state.count += number
        case .cleared: state.count = 0
        }
        return [.say(state.count)]
    }
}
