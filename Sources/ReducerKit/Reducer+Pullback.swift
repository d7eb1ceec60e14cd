/// Many parts of one shape, each found by its key.
///
/// `update` lends an element in place, so that a reducer on the element costs no copy of the
/// collection around it.
public protocol KeyedElements<ElementKey, ElementState> {
    associatedtype ElementKey
    associatedtype ElementState

    /// Runs `body` on the element with the key; `nil` where there is none.
    mutating func update<Result>(
        _ key: ElementKey, _ body: (inout ElementState) -> Result
    ) -> Result?
}

extension Dictionary: KeyedElements {
    public typealias ElementKey = Key
    public typealias ElementState = Value

    public mutating func update<Result>(
        _ key: Key, _ body: (inout Value) -> Result
    ) -> Result? {
        guard let index = index(forKey: key) else { return nil }
        return body(&values[index])
    }
}

extension Reducer {
    /// Lifts a reducer on a part to the whole: its state by key path, its actions by case path,
    /// its commands by a function.
    ///
    /// Actions of other cases pass by untouched.
    @inlinable public func pullback<Whole, WholeAction, WholeCommand>(
        state part: WritableKeyPath<Whole, State> & Sendable,
        action path: CasePath<WholeAction, Action>,
        command embed: @escaping @Sendable (Command) -> WholeCommand
    ) -> Reducer<Whole, WholeAction, WholeCommand> {
        Reducer<Whole, WholeAction, WholeCommand> { whole, wholeAction, order in
            guard let action = path.extract(wholeAction) else { return }
            self(&whole[keyPath: part], action) { order(embed($0)) }
        }
    }

    /// Lifts a reducer on one element to a collection of them, found by the key in the action.
    ///
    /// An action for an element that is gone goes to `missing`, which by default ignores it: a late
    /// answer is normal where elements come and go.
    @inlinable
    public func forEach<
        Whole, Elements: KeyedElements & SendableMetatype, WholeAction, WholeCommand
    >(
        state elements: WritableKeyPath<Whole, Elements> & Sendable,
        action path: CasePath<WholeAction, (key: Elements.ElementKey, action: Action)>,
        command embed: @escaping @Sendable (Elements.ElementKey, Command) -> WholeCommand,
        missing: Reducer<Whole, WholeAction, WholeCommand> = .empty
    ) -> Reducer<Whole, WholeAction, WholeCommand> where Elements.ElementState == State {
        Reducer<Whole, WholeAction, WholeCommand> { whole, wholeAction, order in
            guard let (key, action) = path.extract(wholeAction) else { return }
            let isThere: Void? = whole[keyPath: elements].update(key) {
                self(&$0, action) { order(embed(key, $0)) }
            }
            if isThere == nil { missing(&whole, wholeAction, order) }
        }
    }

    /// Lifts a reducer to a state that may be absent; while it is, actions are ignored.
    public var optional: Reducer<State?, Action, Command> {
        Reducer<State?, Action, Command> { state, action, order in
            guard var present = state.take() else { return }
            defer { state = present }
            self(&present, action, order)
        }
    }
}
