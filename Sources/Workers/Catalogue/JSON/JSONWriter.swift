/// A JSON text in the making, spelled as the general encoder spells it with sorted keys.
///
/// By hand, because that encoder takes longer for a line than reading, comparing and keeping it do
/// together. What it writes is held against the general encoder by a test. It is for its caller to
/// bring the keys in their order.
struct JSONWriter {
    private(set) var bytes: [UInt8] = []

    /// Begins anew, in the same memory.
    mutating func clear() { bytes.removeAll(keepingCapacity: true) }

    /// Puts text down as it is.
    mutating func raw(_ text: StaticString) {
        bytes += UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    }

    // MARK: - Scalars

    mutating func bool(_ value: Bool) {
        raw(value ? "true" : "false")
    }

    mutating func integer(_ value: some FixedWidthInteger) {
        if value < 0 { raw("-") }
        digits(UInt64(value.magnitude))
    }

    /// A finite number, in as few digits as tell it from all others.
    mutating func number(_ value: Double) {
        precondition(value.isFinite, "every number in a manifest is finite")
        let scale = 1e6
        let scaled = (value.magnitude * scale).rounded()
        // Two decimals of up to fifteen digits are never the same number, so that no other is
        // shorter; and small numbers are spelled with an exponent.
        guard scaled < 1e15, scaled / scale == value.magnitude, scaled >= 100 || scaled == 0 else {
            return otherNumber(value)
        }
        if value.sign == .minus { raw("-") }
        let (whole, rest) = UInt64(scaled).quotientAndRemainder(dividingBy: UInt64(scale))
        digits(whole)
        if rest > 0 { decimals(rest) }
    }

    private mutating func otherNumber(_ value: Double) {
        let text = value.description
        bytes += (text.hasSuffix(".0") ? text.dropLast(2) : text[...]).utf8
    }

    private mutating func digits(_ value: UInt64) {
        let start = bytes.count
        var rest = value
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        if bytes.count > start + 1 { bytes[start...].reverse() }
    }

    /// Millionths, without zeros at the end.
    private mutating func decimals(_ millionths: UInt64) {
        raw(".")
        var rest = millionths
        var place: UInt64 = 100_000
        while rest > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(rest / place))
            rest %= place
            place /= 10
        }
    }

    // MARK: - Strings

    mutating func string(_ text: String) {
        var text = text
        text.withUTF8 { string($0) }
    }

    /// A string of valid UTF-8.
    mutating func string(_ text: UnsafeBufferPointer<UInt8>) {
        raw("\"")
        if text.allSatisfy(JSONWriter.isPlain) {
            bytes += text
        } else {
            for byte in text {
                if JSONWriter.isPlain(byte) { bytes.append(byte) } else { escape(byte) }
            }
        }
        raw("\"")
    }

    @inline(__always)
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): raw("\\\"")
        case UInt8(ascii: "\\"): raw("\\\\")
        case 0x08: raw("\\b")
        case 0x09: raw("\\t")
        case 0x0A: raw("\\n")
        case 0x0C: raw("\\f")
        case 0x0D: raw("\\r")
        default:
            raw(byte < 0x10 ? "\\u000" : "\\u001")
            let digit = byte & 15
            bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }

    // MARK: - Objects and arrays

    @inline(__always)
    mutating func object(_ members: (inout JSONWriter) -> Void) {
        raw("{")
        members(&self)
        raw("}")
    }

    /// The key of the next member.
    mutating func key(_ name: StaticString) {
        if bytes.last != UInt8(ascii: "{") { raw(",") }
        raw("\"")
        raw(name)
        raw("\":")
    }

    @inline(__always)
    mutating func array<Element>(
        _ elements: [Element], _ value: (inout JSONWriter, Element) -> Void
    ) {
        raw("[")
        for place in elements.indices {
            if place > 0 { raw(",") }
            value(&self, elements[place])
        }
        raw("]")
    }
}
