/// Reads the one flat object of a waveform data file, and nothing else that JSON could be.
struct WaveformJSONReader {
    /// The object's numbers by key, and its array.
    struct Object {
        var numbers: [String: Int] = [:]
        var data: [Int16]?
    }

    private static let keys: Set = [
        "version", "channels", "sample_rate", "samples_per_pixel", "bits", "length",
    ]

    private let bytes: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The object, with nothing but white space around it.
    mutating func object() throws(WaveformError) -> Object {
        var object = Object()
        try expect("{")
        if !take("}") {
            repeat { try member(into: &object) } while take(",")
            try expect("}")
        }
        skipSpace()
        guard offset == bytes.count else { throw malformed }
        return object
    }

    private mutating func member(into object: inout Object) throws(WaveformError) {
        let key = try key()
        try expect(":")
        if key == "data" {
            guard object.data == nil else { throw malformed }
            object.data = try array()
        } else if WaveformJSONReader.keys.contains(key) {
            guard object.numbers[key] == nil else { throw malformed }
            object.numbers[key] = try number()
        } else {
            throw .unknownKey(key)
        }
    }

    /// A string of plain characters; the format's keys need no escapes.
    private mutating func key() throws(WaveformError) -> String {
        try expect("\"")
        guard let end = bytes[offset...].firstIndex(of: UInt8(ascii: "\"")) else {
            offset = bytes.count
            throw malformed
        }
        defer { offset = end + 1 }
        return String(decoding: bytes[offset..<end], as: UTF8.self)
    }

    private mutating func array() throws(WaveformError) -> [Int16] {
        try expect("[")
        var values: [Int16] = []
        if take("]") { return values }
        repeat {
            guard let value = Int16(exactly: try number()) else { throw .badField("data") }
            values.append(value)
        } while take(",")
        try expect("]")
        return values
    }

    /// An integer of at most ten digits, without the leading zeros that JSON forbids.
    private mutating func number() throws(WaveformError) -> Int {
        skipSpace()
        let isNegative = take("-", skippingSpace: false)
        let start = offset
        var magnitude = 0
        while offset < bytes.count, (0x30...0x39).contains(bytes[offset]), offset - start < 10 {
            magnitude = magnitude * 10 + Int(bytes[offset] - 0x30)
            offset += 1
        }
        let digits = offset - start
        guard digits > 0, digits == 1 || bytes[start] != 0x30 else { throw malformed }
        return isNegative ? -magnitude : magnitude
    }

    private var malformed: WaveformError { .malformedJSON(offset: offset) }

    private mutating func skipSpace() {
        while offset < bytes.count, WaveformJSONReader.isSpace(bytes[offset]) { offset += 1 }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    private mutating func take(_ character: Unicode.Scalar, skippingSpace: Bool = true) -> Bool {
        if skippingSpace { skipSpace() }
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: character) else { return false }
        offset += 1
        return true
    }

    private mutating func expect(_ character: Unicode.Scalar) throws(WaveformError) {
        guard take(character) else { throw malformed }
    }
}
