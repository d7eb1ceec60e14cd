#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

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

    /// The name of a member, as bytes in the text.
    struct Key {
        let bytes: UnsafeBufferPointer<UInt8>

        static func ~= (name: StaticString, key: Key) -> Bool {
            guard name.utf8CodeUnitCount == key.bytes.count, let start = key.bytes.baseAddress
            else { return false }
            return memcmp(name.utf8Start, start, key.bytes.count) == 0
        }
    }

    let bytes: UnsafeBufferPointer<UInt8>
    var place = 0
    private var depth = 0

    /// Deeper nesting than any manifest has; bounds the recursion of `skip`.
    private static let deepest = 64

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
    mutating func object(
        _ body: (inout JSONCursor, Key) throws(Malformed) -> Void
    ) throws(Malformed) {
        try sequence(open: "{", close: "}") { (cursor) throws(Malformed) in
            let key = try cursor.key()
            try cursor.expect(":")
            try body(&cursor, key)
        }
    }

    /// The elements of an array.
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

    mutating func integer() throws(Malformed) -> Int64 {
        let digits = try numberBytes()
        var value: Int64 = 0
        let isNegative = digits.first == UInt8(ascii: "-")
        for byte in isNegative ? digits.dropFirst() : digits[...] {
            let (tens, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            guard (48...57).contains(byte), !isTooLarge else { throw malformed }
            let digit = isNegative ? 48 - Int64(byte) : Int64(byte) - 48
            let (sum, isTooMuch) = tens.addingReportingOverflow(digit)
            guard !isTooMuch else { throw malformed }
            value = sum
        }
        return value
    }

    /// A string's bytes.
    mutating func string() throws(Malformed) -> [UInt8] {
        let (bytes, isEscaped) = try rawString()
        return isEscaped ? try unescaped(bytes) : Array(bytes)
    }

    /// A string as text.
    mutating func text() throws(Malformed) -> String {
        String(decoding: try string(), as: UTF8.self)
    }

    /// One case of an enum that is spelled as a string.
    mutating func spelled<Value: RawRepresentable<String>>(
        _ type: Value.Type = Value.self
    ) throws(Malformed) -> Value {
        guard let value = Value(rawValue: try text()) else { throw malformed }
        return value
    }

    /// Passes over a value of any kind.
    mutating func skip() throws(Malformed) {
        switch peek() {
        case UInt8(ascii: "{"): try object { (cursor, _) throws(Malformed) in try cursor.skip() }
        case UInt8(ascii: "["): _ = try array { (cursor) throws(Malformed) in try cursor.skip() }
        case UInt8(ascii: "\""): _ = try rawString()
        case UInt8(ascii: "t"), UInt8(ascii: "f"): _ = try bool()
        case UInt8(ascii: "n"): try word("null")
        default: _ = try number()
        }
    }

    /// Whether the next value is a string.
    var isAtString: Bool {
        var cursor = self
        return cursor.peek() == UInt8(ascii: "\"")
    }
}

// MARK: - Marks

extension JSONCursor {
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
    mutating func peek() -> UInt8? {
        while place < bytes.count {
            switch bytes[place] {
            case 0x20, 0x09, 0x0A, 0x0D: place += 1
            case let byte: return byte
            }
        }
        return nil
    }

    mutating func expect(_ mark: Unicode.Scalar) throws(Malformed) {
        guard peek() == UInt8(ascii: mark) else { throw malformed }
        place += 1
    }

    mutating func word(_ word: StaticString) throws(Malformed) {
        _ = peek()
        let count = word.utf8CodeUnitCount
        guard place + count <= bytes.count,
            bytes[place..<(place + count)].elementsEqual(
                UnsafeBufferPointer(start: word.utf8Start, count: count))
        else { throw malformed }
        place += count
    }
}
