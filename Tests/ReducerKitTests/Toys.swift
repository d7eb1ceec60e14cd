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

/// A desk with a counter of its own, named ones, and one that may be absent.
enum Desk {
    struct State: Equatable {
        var main = Counter.State()
        var named: [String: Counter.State] = [:]
        var spare: Counter.State?
        var missed: [String] = []
    }

    enum Action: Equatable {
        case main(Counter.Action)
        case named(String, Counter.Action)
        case spare(Counter.Action)
    }

    enum Command: Equatable {
        case main(Counter.Command)
        case named(String, Counter.Command)
        case spare(Counter.Command)
        case note(String)
    }

    static let mainPath = CasePath<Action, Counter.Action>(
        embed: Action.main, extract: { if case .main(let action) = $0 { action } else { nil } })

    static let namedPath = CasePath<Action, (key: String, action: Counter.Action)>(
        embed: { .named($0.key, $0.action) },
        extract: { if case .named(let key, let action) = $0 { (key, action) } else { nil } })

    static let sparePath = CasePath<Action, Counter.Action>(
        embed: Action.spare, extract: { if case .spare(let action) = $0 { action } else { nil } })
}
