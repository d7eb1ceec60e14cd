/// Checks the side information of a layer III frame (ISO 11172-3, 2.4.1.7, and 13818-3), as far as
/// it shows whether the frame can be decoded.
///
/// Given an impossible frame, a decoder skips it or outputs noise, and reports nothing to its
/// caller; libmpg123 writes to standard error instead.
enum MPEGSideInformation {
    /// Half of the 576 lines of a spectrum, which are counted in pairs.
    private static let mostPairs = 288

    /// Whether an encoder can have written the side information of `frame`; always true in layers I
    /// and II, which have none.
    ///
    /// Data that a frame needs from earlier frames is not checked: the first frames cut out of a
    /// longer stream lack it, and are valid sound.
    static func isPossible(in frame: ArraySlice<UInt8>, of header: MPEGHeader) -> Bool {
        guard header.layer == 3 else { return true }
        let start = header.hasChecksum ? 6 : 4
        let byteCount = header.sideInformationByteCount
        guard frame.count >= start + byteCount else { return false }
        return frame.withUnsafeBytes { frame in
            isPossible(
                Bits(UnsafeRawBufferPointer(rebasing: frame[start..<start + byteCount])),
                bytesOfSound: frame.count - start - byteCount, of: header)
        }
    }

    private static func isPossible(
        _ information: Bits, bytesOfSound: Int, of header: MPEGHeader
    ) -> Bool {
        var bits = information
        let bytesOfEarlierFrames = bits.next(header.isFirstVersion ? 9 : 8)
        let granules: Int
        if header.isFirstVersion {
            // Private bits, and the scale factors shared by both granules.
            bits.skip((header.channels == 1 ? 5 : 3) + 4 * header.channels)
            granules = 2
        } else {
            bits.skip(header.channels)
            granules = 1
        }
        var bitsOfSound = 0
        for _ in 0..<granules * header.channels {
            guard let count = bitsOfGranule(&bits, isFirstVersion: header.isFirstVersion) else {
                return false
            }
            bitsOfSound += count
        }
        return bitsOfSound <= 8 * (bytesOfEarlierFrames + bytesOfSound)
    }

    /// The bits of one channel's sound in one granule; `nil` if its fields contradict each other.
    private static func bitsOfGranule(_ bits: inout Bits, isFirstVersion: Bool) -> Int? {
        let count = bits.next(12)
        guard bits.next(9) <= mostPairs else { return nil }
        // Gain, and the packing of scale factors.
        bits.skip(8 + (isFirstVersion ? 4 : 9))
        let switchesWindow = bits.next(1) == 1
        let blockType = bits.next(2)
        // Switching to the normal window, which needs no switch, is invalid.
        if switchesWindow && blockType == 0 { return nil }
        // Tables and regions, then two or three flags.
        bits.skip(20 + (isFirstVersion ? 3 : 2))
        return count
    }
}

/// Reads bit fields from bytes, the highest bit first.
///
/// Valid only while the bytes are.
private struct Bits {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// The next `count` bits, 12 at most; bits after the end are 0.
    mutating func next(_ count: Int) -> Int {
        // Twelve bits may span three bytes.
        let first = position >> 3
        var window = 0
        for place in first..<first + 3 {
            window = window << 8 | (place < bytes.count ? Int(bytes[place]) : 0)
        }
        let value = window >> (24 - (position & 7) - count) & (1 << count - 1)
        position += count
        return value
    }

    mutating func skip(_ count: Int) {
        position += count
    }
}
