/// What stands behind the header of a frame of layer III (ISO 11172-3, 2.4.1.7, and 13818-3), as
/// far as it tells whether anything can be decoded by it.
///
/// A decoder leaves such a frame out, or makes noise of it, and goes on without a word to its
/// caller; libmpg123 writes to standard error instead.
enum MPEGSideInformation {
    /// Half of the 576 lines of a spectrum: they come in pairs.
    private static let mostPairs = 288

    /// Whether an encoder can have written the side information of `frame`; always so in layers I
    /// and II, which have none.
    ///
    /// What a frame needs of earlier ones is not asked: the first frames of a piece that was cut
    /// out of a stream have lost it, and are sound nevertheless.
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
            // Private bits, and which scale factors serve both granules.
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

    /// The bits that the sound of one channel takes in one granule; `nil` where what is said of it
    /// contradicts itself.
    private static func bitsOfGranule(_ bits: inout Bits, isFirstVersion: Bool) -> Int? {
        let count = bits.next(12)
        guard bits.next(9) <= mostPairs else { return nil }
        // Gain, and how scale factors are packed.
        bits.skip(8 + (isFirstVersion ? 4 : 9))
        let switchesWindow = bits.next(1) == 1
        let blockType = bits.next(2)
        // A switch to the window that is meant where nothing is said.
        if switchesWindow && blockType == 0 { return nil }
        // Tables and regions, then two or three flags.
        bits.skip(20 + (isFirstVersion ? 3 : 2))
        return count
    }
}

/// Numbers of some bits out of bytes, the highest bit first.
///
/// For as long as the bytes are lent.
private struct Bits {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// The next `count` bits, 12 at most; bits behind the end are 0.
    mutating func next(_ count: Int) -> Int {
        // Twelve bits may lie in three bytes.
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
