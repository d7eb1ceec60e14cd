import Testing

@testable import Audio

/// Bytes of FLAC streams that are to be other than an encoder writes them (RFC 9639, 8.2 and 9.1).
enum FLACBytes {
    /// Says another length, or with 0 none, as where an encoder writes to a pipe.
    static func say(frames: Int64, in stream: inout [UInt8]) {
        // The first four of 36 bits share a byte with what says how samples are stored.
        stream[21] = stream[21] & 0xf0 | UInt8(frames >> 32)
        for byte in 0..<4 {
            stream[22 + byte] = UInt8(truncatingIfNeeded: frames >> (8 * (3 - byte)))
        }
    }

    /// Says other sizes of blocks.
    static func say(blocks: (least: Int, most: Int), in stream: inout [UInt8]) {
        stream.replaceSubrange(
            8..<12,
            with: [blocks.least, blocks.most].flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] })
    }

    /// Where some frames begin, of which each stands behind the one before.
    static func places(ofFrames numbers: ClosedRange<Int>, in stream: [UInt8]) throws -> [Int] {
        var places: [Int] = []
        for number in numbers {
            let digits = coded(number)
            var place = (places.last ?? 0) + 1
            let end = stream.count - FLACStart.mostHeaderBytes
            // Nothing but a frame begins with its number and a checksum of that. A plain loop,
            // since it goes over every byte.
            while place < end,
                stream[place] != 0xff || !stream[(place + 4)...].starts(with: digits)
                    || !FLACStart.ofFrame(Array(stream[place..<place + FLACStart.mostHeaderBytes]))
            { place += 1 }
            try #require(place < end)
            places.append(place)
        }
        return places
    }

    /// Where the first frame begins, behind the blocks of metadata.
    static func start(of stream: [UInt8]) -> Int {
        var place = 4
        while true {
            let isLast = stream[place] & 0x80 != 0
            place += 4 + stream[place + 1..<place + 4].reduce(0) { $0 << 8 | Int($1) }
            if isLast { return place }
        }
    }

    /// A frame's number as UTF-8 would code it, which here goes on to 36 bits.
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

    /// The checksum of a frame: the remainder by x¹⁶ + x¹⁵ + x² + 1.
    static func checksum(_ frame: [UInt8]) -> UInt16 {
        frame.reduce(0) { sum, byte in
            (0..<8).reduce(sum ^ UInt16(byte) << 8) { sum, _ in
                sum << 1 ^ (sum & 0x8000 == 0 ? 0 : 0x8005)
            }
        }
    }
}
