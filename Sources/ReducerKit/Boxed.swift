/// A value behind one reference, for the large ones among many.
///
/// Handing it on costs one count however many fields it has. It behaves like the value itself:
/// a change copies it first where somebody else holds it too.
public struct Boxed<Value> {
    /// `@unchecked Sendable` where the value is, because `content` is written only through a `Boxed`
    /// that alone refers to it (`isKnownUniquelyReferenced`), as in every copy-on-write value.
    @usableFromInline final class Storage: @unchecked Sendable {
        @usableFromInline var content: Value

        @inlinable init(_ content: Value) { self.content = content }
    }

    @usableFromInline var storage: Storage

    @inlinable public init(_ value: Value) { storage = Storage(value) }

    @inlinable public var value: Value {
        _read { yield storage.content }
        _modify {
            if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.content) }
            yield &storage.content
        }
    }
}

extension Boxed: Sendable where Value: Sendable {}

extension Boxed: Equatable where Value: Equatable {
    public static func == (left: Boxed, right: Boxed) -> Bool {
        left.storage === right.storage || left.value == right.value
    }
}

extension Boxed: Hashable where Value: Hashable {
    public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

extension Boxed: Encodable where Value: Encodable {
    public func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

extension Boxed: Decodable where Value: Decodable {
    public init(from decoder: any Decoder) throws { self.init(try Value(from: decoder)) }
}
