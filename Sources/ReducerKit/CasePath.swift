/// What a key path is to a property, for one case of an enum: a way in and a way out.
///
/// Law: `extract(embed(value)) == value`, and `extract` gives `nil` for every other case.
///
/// ```swift
/// enum Wire { case number(Int), text(String) }
/// let number = CasePath<Wire, Int>(embed: Wire.number) {
///     if case .number(let value) = $0 { value } else { nil }
/// }
/// ```
public struct CasePath<Root, Value>: Sendable {
    /// Wraps a value in the case.
    public let embed: @Sendable (Value) -> Root
    /// Unwraps the case's value; `nil` where the root is another case.
    public let extract: @Sendable (Root) -> Value?

    @inlinable public init(
        embed: @escaping @Sendable (Value) -> Root,
        extract: @escaping @Sendable (Root) -> Value?
    ) {
        self.embed = embed
        self.extract = extract
    }

    /// The path through this case to one of its value's own cases.
    public func appending<Inner>(_ inner: CasePath<Value, Inner>) -> CasePath<Root, Inner> {
        CasePath<Root, Inner>(
            embed: { embed(inner.embed($0)) },
            extract: { extract($0).flatMap(inner.extract) })
    }
}

extension CasePath where Root == Value {
    /// The path from a type to itself.
    public static var itself: CasePath {
        CasePath(embed: { $0 }, extract: { $0 })
    }
}
