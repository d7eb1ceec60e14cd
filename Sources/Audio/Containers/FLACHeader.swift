/// What stands before the frames of a FLAC stream, as RFC 9639 lays it out: blocks of metadata, of
/// which the first says what all of the stream is.
struct FLACHeader: Sendable {
    private(set) var bytes: [UInt8]

    /// Behind the mark and the head of the first block.
    private static let place = 8
    private static let leastBytes = 34
    /// Where in the first block there are: the sizes of frames, the frames, and the digest.
    private static let sizes = 4
    private static let length = 13
    private static let digest = 18

    /// How every stream begins, but for the bit that says whether the first block, of 34 bytes, is
    /// the last one, too.
    static let beginning = Array("fLaC".utf8) + [0, 0, 0, UInt8(leastBytes)]

    /// Whether a stream begins somewhere within these bytes.
    static func begins(within bytes: [UInt8]) -> Bool {
        bytes.indices.contains { place in
            guard bytes[place] == beginning[0], place + beginning.count <= bytes.count,
                bytes[place + 1] == beginning[1]
            else { return false }
            var found = bytes[place..<place + beginning.count]
            found[place + 4] &= 0x7f
            return found.elementsEqual(beginning)
        }
    }

    /// The header of this stream; `nil` where it has none.
    init?(_ stream: [UInt8]) {
        guard stream.starts(with: "fLaC".utf8), stream.count > 4, stream[4] & 0x7f == 0 else {
            return nil
        }
        var place = 4
        var isLast = false
        while !isLast {
            guard place + 4 <= stream.count else { return nil }
            isLast = stream[place] & 0x80 != 0
            place += 4 + stream[place + 1..<place + 4].reduce(0) { $0 << 8 | Int($1) }
        }
        guard place <= stream.count, place >= FLACHeader.place + FLACHeader.leastBytes else {
            return nil
        }
        bytes = Array(stream[..<place])
    }

    /// Frames of sound in a block; `nil` where blocks differ in that.
    var blockFrames: Int? {
        let least = number(at: 0, bytes: 2)
        return least == number(at: 2, bytes: 2) ? least : nil
    }

    /// Says what the stream is: the sizes of its frames in bytes, its frames of sound, and the
    /// digest of its samples.
    mutating func describe(sizes: ClosedRange<Int>, frames: Int64, digest: [UInt8]) {
        put(sizes.lowerBound, at: FLACHeader.sizes, bytes: 3)
        put(sizes.upperBound, at: FLACHeader.sizes + 3, bytes: 3)
        // The upper four of 36 bits share a byte with what says how samples are stored.
        let shared = number(at: FLACHeader.length, bytes: 1) & 0xf0
        put(shared << 32 | Int(frames), at: FLACHeader.length, bytes: 5)
        for (place, byte) in digest.enumerated() {
            bytes[FLACHeader.place + FLACHeader.digest + place] = byte
        }
    }

    private func number(at place: Int, bytes count: Int) -> Int {
        let first = FLACHeader.place + place
        return bytes[first..<first + count].reduce(0) { $0 << 8 | Int($1) }
    }

    private mutating func put(_ number: Int, at place: Int, bytes count: Int) {
        for byte in 0..<count {
            let shift = 8 * (count - 1 - byte)
            bytes[FLACHeader.place + place + byte] = UInt8(truncatingIfNeeded: number >> shift)
        }
    }
}
