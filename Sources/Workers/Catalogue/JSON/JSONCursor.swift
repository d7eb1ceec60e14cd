/// A place in a JSON text, moved forward by reading values of known types.
///
/// For manifests, where a general decoder costs more than everything else a run with nothing to do
/// has to do. It takes any valid JSON, keys in any order, and never reads beyond its text.
///
/// The pointer is valid because `read(_:_:)` lends it for the length of one call.
struct JSONCursor {
    /// The text is no JSON, or not of the shape that was asked for.
    struct Malformed: Error, Hashable {
        /// The byte at which reading stopped.
        var offset: Int
    }

    let bytes: UnsafeBufferPointer<UInt8>
    var place = 0
    var depth = 0

    /// Deeper nesting than any manifest has; bounds the recursion of readers.
    static let deepest = 64

    private init(_ text: UnsafeBufferPointer<UInt8>) {
        bytes = text
    }

    /// Reads a whole text; anything but white space behind the value is an error.
    static func read<Value>(
        _ text: [UInt8], _ body: (inout JSONCursor) throws(Malformed) -> Value
    ) throws(Malformed) -> Value {
        try text.withUnsafeBufferPointer { (buffer) throws(Malformed) in
            var cursor = JSONCursor(buffer)
            let value = try body(&cursor)
            guard cursor.peek() == nil else { throw cursor.malformed }
            return value
        }
    }

    var malformed: Malformed { Malformed(offset: place) }
}

// MARK: - Values

extension JSONCursor {
    /// Calls `body` before the value of each member.
    @inline(__always)
    mutating func object(
        _ body: (inout JSONCursor, Key) throws(Malformed) -> Void
    ) throws(Malformed) {
        try sequence(open: "{", close: "}") { (cursor) throws(Malformed) in
            let key = try cursor.key()
            try body(&cursor, key)
        }
    }

    /// The elements of an array.
    @inline(__always)
    mutating func array<Element>(
        _ element: (inout JSONCursor) throws(Malformed) -> Element
    ) throws(Malformed) -> [Element] {
        var elements: [Element] = []
        try sequence(open: "[", close: "]") { (cursor) throws(Malformed) in
            elements.append(try element(&cursor))
        }
        return elements
    }

    /// `null`, or what `value` reads.
    @inline(__always)
    mutating func optional<Value>(
        _ value: (inout JSONCursor) throws(Malformed) -> Value
    ) throws(Malformed) -> Value? {
        guard peek() == UInt8(ascii: "n") else { return try value(&self) }
        try word("null")
        return nil
    }

    mutating func bool() throws(Malformed) -> Bool {
        if peek() == UInt8(ascii: "t") {
            try word("true")
            return true
        }
        try word("false")
        return false
    }

    /// A string's bytes.
    mutating func string() throws(Malformed) -> [UInt8] {
        let (bytes, isEscaped) = try rawString()
        return isEscaped ? try unescaped(bytes) : Array(bytes)
    }

    /// A string as text.
    mutating func text() throws(Malformed) -> String {
        let (bytes, isEscaped) = try rawString()
        return isEscaped
            ? String(decoding: try unescaped(bytes), as: UTF8.self)
            : String(decoding: bytes, as: UTF8.self)
    }

    /// One case of an enum that is spelled as a string.
    mutating func spelled<Value: RawRepresentable<String>>(
        _ type: Value.Type = Value.self
    ) throws(Malformed) -> Value {
        guard let value = Value(rawValue: try text()) else { throw malformed }
        return value
    }

    /// Whether the next value is a string.
    var isAtString: Bool {
        mutating get { peek() == UInt8(ascii: "\"") }
    }
}

// MARK: - Marks

extension JSONCursor {
    @inline(__always)
    mutating func sequence(
        open: Unicode.Scalar, close: Unicode.Scalar,
        _ element: (inout JSONCursor) throws(Malformed) -> Void
    ) throws(Malformed) {
        try expect(open)
        depth += 1
        defer { depth -= 1 }
        guard depth <= JSONCursor.deepest else { throw malformed }
        if peek() == UInt8(ascii: close) {
            place += 1
            return
        }
        while true {
            try element(&self)
            guard peek() == UInt8(ascii: ",") else { return try expect(close) }
            place += 1
        }
    }

    /// The next byte that is no white space, without taking it.
    @inline(__always)
    mutating func peek() -> UInt8? {
        while place < bytes.count {
            switch bytes[place] {
            case 0x20, 0x09, 0x0A, 0x0D: place += 1
            case let byte: return byte
            }
        }
        return nil
    }

    @inline(__always)
    mutating func expect(_ mark: Unicode.Scalar) throws(Malformed) {
        guard peek() == UInt8(ascii: mark) else { throw malformed }
        place += 1
    }

    mutating func word(_ word: StaticString) throws(Malformed) {
        _ = peek()
        let count = word.utf8CodeUnitCount
        guard place + count <= bytes.count,
            UnsafeBufferPointer(rebasing: bytes[place..<(place + count)])
                .elementsEqual(UnsafeBufferPointer(start: word.utf8Start, count: count))
        else { throw malformed }
        place += count
    }
}
