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
            let digits = FLACFrame.coded(number)
            var place = (places.last ?? 0) + 1
            let end = stream.count - FLACFrame.mostHeaderBytes
            // Nothing but a frame begins with its number and a checksum of that. A plain loop,
            // since it goes over every byte.
            while place < end,
                stream[place] != 0xff || !stream[(place + 4)...].starts(with: digits)
                    || !FLACFrame.begins(Array(stream[place..<place + FLACFrame.mostHeaderBytes]))
            { place += 1 }
            try #require(place < end)
            places.append(place)
        }
        return places
    }
}
