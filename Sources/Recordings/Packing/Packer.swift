/// A value with a compact binary form, which the same process reads back in the order written.
package protocol Packed {
    func pack(into packer: inout Packer)
    init(from unpacker: inout Unpacker)
}

package struct Packer {
    private(set) var bytes: [UInt8] = []

    /// - Parameter room: the expected number of bytes.
    package init(room: Int) { bytes.reserveCapacity(room) }

    /// The bytes, without spare capacity.
    package var fitted: [UInt8] { bytes.withUnsafeBufferPointer { Array($0) } }

    package mutating func byte(_ value: UInt8) { bytes.append(value) }

    package mutating func append(_ value: some Collection<UInt8>) { bytes += value }

    /// Appends values of any types.
    package mutating func put<each Value: Packed>(_ values: repeat each Value) {
        repeat (each values).pack(into: &self)
    }

    /// Appends a fixed-width integer of eight bytes.
    package mutating func word(_ value: UInt64) {
        withUnsafeBytes(of: value) { bytes += $0 }
    }

    /// Appends a LEB128 varint: seven bits per byte, lowest first; the top bit means more follow.
    package mutating func number(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}

package struct Unpacker {
    private let bytes: [UInt8]
    private var place = 0

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The next value, of the inferred type.
    package mutating func next<Value: Packed>() -> Value { Value(from: &self) }

    package mutating func byte() -> UInt8 {
        defer { place += 1 }
        return bytes[place]
    }

    package mutating func take(_ count: Int) -> ArraySlice<UInt8> {
        defer { place += count }
        return bytes[place..<place + count]
    }

    package mutating func word() -> UInt64 {
        precondition(place + 8 <= bytes.count, "what was packed ends before a word")
        defer { place += 8 }
        return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: UInt64.self) }
    }

    package mutating func number() -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let next = byte()
            value |= UInt64(next & 0x7F) << shift
            if next < 0x80 { return value }
            shift += 7
        }
    }
}

// MARK: - Scalars

extension Int64: Packed {
    // Zigzag encoding: numbers near zero, of either sign, are short.
    package func pack(into packer: inout Packer) {
        packer.number(UInt64(bitPattern: self << 1 ^ self >> 63))
    }

    package init(from unpacker: inout Unpacker) {
        let number = unpacker.number()
        self = Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }
}

extension Int: Packed {
    package func pack(into packer: inout Packer) { Int64(self).pack(into: &packer) }
    package init(from unpacker: inout Unpacker) { self = Int(Int64(from: &unpacker)) }
}

extension Double: Packed {
    package func pack(into packer: inout Packer) {
        packer.word(bitPattern)
    }

    package init(from unpacker: inout Unpacker) { self.init(bitPattern: unpacker.word()) }
}

extension Bool: Packed {
    package func pack(into packer: inout Packer) { packer.byte(self ? 1 : 0) }
    package init(from unpacker: inout Unpacker) { self = unpacker.byte() == 1 }
}

extension Packed where Self: CaseIterable & Equatable {
    package func pack(into packer: inout Packer) {
        let number = Self.allCases.enumerated().first { $0.element == self }?.offset ?? 0
        packer.byte(UInt8(number))
    }

    package init(from unpacker: inout Unpacker) {
        let number = Int(unpacker.byte())
        self = Self.allCases[Self.allCases.index(Self.allCases.startIndex, offsetBy: number)]
    }
}

extension ManifestEntry.Status: Packed {}
extension AudioContainer: Packed {}
extension SampleEncoding: Packed {}
extension TrimRefusal: Packed {}
extension Decoding.Library: Packed {}
extension Decoding.Reason: Packed {}

// MARK: - Several of them

extension Optional: Packed where Wrapped: Packed {
    package func pack(into packer: inout Packer) {
        (self != nil).pack(into: &packer)
        self?.pack(into: &packer)
    }

    package init(from unpacker: inout Unpacker) {
        self = Bool(from: &unpacker) ? Wrapped(from: &unpacker) : nil
    }
}

extension Array: Packed where Element: Packed {
    package func pack(into packer: inout Packer) {
        packer.number(UInt64(count))
        for element in self { element.pack(into: &packer) }
    }

    package init(from unpacker: inout Unpacker) {
        let count = Int(unpacker.number())
        self = (0..<count).map { _ in Element(from: &unpacker) }
    }
}

extension Pathname: Packed {
    package func pack(into packer: inout Packer) {
        packer.number(UInt64(bytes.count))
        packer.append(bytes)
    }

    package init(from unpacker: inout Unpacker) {
        let count = Int(unpacker.number())
        self.init(bytes: Array(unpacker.take(count)))
    }
}

extension Digest: Packed {
    package func pack(into packer: inout Packer) {
        for place in words.indices { packer.word(words[place]) }
    }

    package init(from unpacker: inout Unpacker) {
        self.init(
            words: SIMD4(unpacker.word(), unpacker.word(), unpacker.word(), unpacker.word()))
    }
}

extension String: Packed {
    /// Packs digests as 32 bytes: most strings are digests, and their hexadecimal is twice as long.
    package func pack(into packer: inout Packer) {
        let digest = Digest(hexadecimal: self)
        (digest != nil).pack(into: &packer)
        if let digest { digest.pack(into: &packer) } else { Pathname(self).pack(into: &packer) }
    }

    package init(from unpacker: inout Unpacker) {
        if Bool(from: &unpacker) {
            self = Digest(from: &unpacker).hexadecimal
        } else {
            self = Pathname(from: &unpacker).text
        }
    }
}
