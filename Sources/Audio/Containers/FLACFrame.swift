/// A frame of a FLAC stream in which all blocks have one size, as RFC 9639 lays it out.
///
/// Nothing in it hangs on the frames before it but its number. So frames that were encoded by
/// themselves make a stream once they are numbered anew, and the checksums over the number, one of
/// the header and one of the frame, are set right.
struct FLACFrame {
    private let bytes: ArraySlice<UInt8>
    /// The bytes of the number, and of the whole header, its checksum left out.
    private let numberBytes: Int
    private let headerBytes: Int

    /// Where the number stands, behind what says how the frame is made.
    private static let numberPlace = 4
    private static let footerBytes = 2

    /// The frame that these bytes are; `nil` where they are none, or its number is another one.
    init?(_ bytes: ArraySlice<UInt8>, number: Int) {
        let begin = bytes.startIndex
        let digits = FLACFrame.coded(number)
        guard bytes.starts(with: [0xff, 0xf8]),
            bytes.dropFirst(FLACFrame.numberPlace).starts(with: digits)
        else { return nil }
        numberBytes = digits.count
        headerBytes = FLACFrame.headerBytes(codes: bytes[begin + 2], numberBytes: digits.count)
        self.bytes = bytes
        guard bytes.count > headerBytes + FLACFrame.footerBytes,
            FLACChecksum.ofHeader(bytes.prefix(headerBytes)) == bytes[begin + headerBytes]
        else { return nil }
    }

    /// Bytes with which a frame may begin, so that it can be told: none has a longer header.
    static let mostHeaderBytes = 16

    /// Whether a frame begins with these bytes, of whatever stream and number.
    static func begins(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > numberPlace, bytes[0] == 0xff, bytes[1] & 0xfe == 0xf8 else {
            return false
        }
        let ones = (~bytes[numberPlace]).leadingZeroBitCount
        let count = headerBytes(codes: bytes[2], numberBytes: max(1, ones))
        // Numbers have seven bytes at most; a byte that goes on with one begins none.
        return ones != 1 && ones < 8 && bytes.count > count
            && FLACChecksum.ofHeader(bytes[..<count]) == bytes[count]
    }

    /// Those of a header without its checksum, by the byte with the codes for size and rate: what
    /// has no code of its own stands behind the number.
    private static func headerBytes(codes: UInt8, numberBytes: Int) -> Int {
        let (size, rate) = (codes >> 4, codes & 0xf)
        let sizeBytes = size == 6 ? 1 : size == 7 ? 2 : 0
        let rateBytes = rate == 12 ? 1 : rate == 13 || rate == 14 ? 2 : 0
        return numberPlace + numberBytes + sizeBytes + rateBytes
    }

    /// Appends the frame with another number.
    func append(as number: Int, to stream: inout [UInt8]) {
        let begin = stream.count
        let old = bytes.prefix(headerBytes + 1)
        stream += bytes.prefix(FLACFrame.numberPlace)
        stream += FLACFrame.coded(number)
        stream += bytes.prefix(headerBytes).dropFirst(FLACFrame.numberPlace + numberBytes)
        stream.append(FLACChecksum.ofHeader(stream[begin...]))
        let body = bytes.dropFirst(old.count).dropLast(FLACFrame.footerBytes)
        // Checksums are linear: the new one differs by what the header differs by, moved on over
        // what is the same.
        let change = FLACChecksum.ofFrame(old) ^ FLACChecksum.ofFrame(stream[begin...])
        let footer = bytes.suffix(FLACFrame.footerBytes).reduce(0 as UInt16) {
            $0 << 8 | UInt16($1)
        }
        let checksum = footer ^ FLACChecksum.movedOn(change, over: body.count)
        stream += body
        stream += [UInt8(checksum >> 8), UInt8(checksum & 0xff)]
    }

    /// A number as UTF-8 would code it, which here goes on to 36 bits.
    static func coded(_ number: Int) -> [UInt8] {
        if number < 0x80 { return [UInt8(number)] }
        var rest = number
        var digits: [UInt8] = []
        // The first byte has a bit less for each byte that follows.
        while rest >= 1 << (6 - digits.count) {
            digits.append(UInt8(0x80 | rest & 0x3f))
            rest >>= 6
        }
        let mark = UInt8(truncatingIfNeeded: 0xff00 >> (digits.count + 1))
        return [mark | UInt8(rest)] + digits.reversed()
    }
}

/// The checksums of RFC 9639: remainders of the bytes, taken for a polynomial over two elements.
enum FLACChecksum {
    /// By x⁸ + x² + x + 1.
    static func ofHeader(_ bytes: ArraySlice<UInt8>) -> UInt8 {
        bytes.reduce(0) { headers[Int($0 ^ $1)] }
    }

    /// By x¹⁶ + x¹⁵ + x² + 1.
    static func ofFrame(_ bytes: ArraySlice<UInt8>) -> UInt16 {
        bytes.reduce(0) { $0 << 8 ^ frames[Int(UInt8($0 >> 8) ^ $1)] }
    }

    /// What a frame's checksum comes to when so many bytes of zero follow.
    /// - Complexity: O(log `count`).
    static func movedOn(_ checksum: UInt16, over count: Int) -> UInt16 {
        var result = checksum
        // A byte moves it on by x⁸, twice as many by its square.
        var power: UInt16 = 0x100
        var rest = count
        while rest > 0 {
            if rest & 1 == 1 { result = product(result, power) }
            power = product(power, power)
            rest >>= 1
        }
        return result
    }

    private static func product(_ one: UInt16, _ other: UInt16) -> UInt16 {
        var sum: UInt16 = 0
        for bit in (0..<16).reversed() {
            sum = sum << 1 ^ (sum & 0x8000 == 0 ? 0 : 0x8005)
            if other >> bit & 1 == 1 { sum ^= one }
        }
        return sum
    }

    private static let headers: [UInt8] = (0...255).map { byte in
        (0..<8).reduce(UInt8(byte)) { sum, _ in sum << 1 ^ (sum & 0x80 == 0 ? 0 : 0x07) }
    }
    private static let frames: [UInt16] = (0...255).map { byte in
        (0..<8).reduce(UInt16(byte) << 8) { sum, _ in sum << 1 ^ (sum & 0x8000 == 0 ? 0 : 0x8005) }
    }
}
