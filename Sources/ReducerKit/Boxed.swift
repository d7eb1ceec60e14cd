/// A value behind one reference, for large values in big collections.
///
/// Copying it costs one reference count, however many fields it has. It has value semantics:
/// a mutation copies it first if it is shared.
public struct Boxed<Value> {
    /// A one-element array: it provides copy-on-write without unsafe code.
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
    /// The value's own mirror, which hides the box.
    public var customMirror: Mirror { Mirror(reflecting: value) }
}
