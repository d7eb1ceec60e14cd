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
            let place = ((places.last ?? 0)..<stream.count - FLACFrame.mostHeaderBytes).first {
                // Nothing but a frame begins with its number and a checksum of that.
                stream[$0] == 0xff && stream[($0 + 4)...].starts(with: digits)
                    && FLACFrame.begins(Array(stream[$0..<$0 + FLACFrame.mostHeaderBytes]))
            }
            places.append(try #require(place))
        }
        return places
    }
}
