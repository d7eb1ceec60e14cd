/// A value behind one reference, for the large ones among many.
///
/// Handing it on costs one count however many fields it has. It behaves like the value itself:
/// a change copies it first where somebody else holds it too.
public struct Boxed<Value> {
    /// Just the one: an array brings all that is needed, and needs no proof.
    @usableFromInline var storage: [Value]

    @inlinable public init(_ value: Value) { storage = [value] }

    @inlinable public var value: Value {
        _read { yield storage[0] }
        _modify { yield &storage[0] }
    }
}

extension Boxed: Sendable where Value: Sendable {}
extension Boxed: Equatable where Value: Equatable {}
extension Boxed: Hashable where Value: Hashable {}

extension Boxed: Encodable where Value: Encodable {
    public func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

extension Boxed: Decodable where Value: Decodable {
    public init(from decoder: any Decoder) throws { self.init(try Value(from: decoder)) }
}

extension Boxed: CustomReflectable {
    /// The value's own, so that the box does not show.
    public var customMirror: Mirror { Mirror(reflecting: value) }
}
