/// FLAC files (RFC 9639) of blocks of one value each, the most sound that so few bytes can hold.
package enum ConstantFLAC {
    private static let blockFrames = 65_535

    /// A valid file, 16 bits and mono: 42 bytes, and some fourteen for each block.
    /// - Parameter claimed: how many samples the header says that there are, 0 where it does not
    ///   say; as many as there are where that is not given.
    package static func bytes(
        blocks: Int, sampleRateHertz: Int, claimed: Int? = nil
    ) -> [UInt8] {
        var bytes = Array("fLaC".utf8) + [0x80, 0, 0, 34]
        bytes += big(blockFrames, 2) + big(blockFrames, 2) + [UInt8](repeating: 0, count: 6)
        // Rate, channels less one, bits less one, and how many samples.
        let samples = claimed ?? blocks * blockFrames
        bytes += big(sampleRateHertz << 44 | 15 << 36 | samples, 8)
        bytes += [UInt8](repeating: 0, count: 16)
        for number in 0..<blocks { bytes += block(number) }
        return bytes
    }

    private static func block(_ number: Int) -> [UInt8] {
        // The size follows in 16 bits, the rate is that of the file.
        var header: [UInt8] = [0xFF, 0xF8, 0x70, 0x08] + spelled(number) + big(blockFrames - 1, 2)
        header.append(UInt8(checksum(header, bits: 8, polynomial: 0x07)))
        let frame = header + [0] + big(number % 2 == 0 ? 0xFC18 : 1000, 2)
        return frame + big(checksum(frame, bits: 16, polynomial: 0x8005), 2)
    }

    /// As UTF-8 spells characters.
    private static func spelled(_ number: Int) -> [UInt8] {
        if number < 0x80 { return [UInt8(number)] }
        let last = UInt8(0x80 | number & 63)
        if number < 0x800 { return [UInt8(0xC0 | number >> 6), last] }
        return [UInt8(0xE0 | number >> 12), UInt8(0x80 | number >> 6 & 63), last]
    }

    private static func big(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * (count - 1 - $0))) }
    }

    private static func checksum(_ bytes: [UInt8], bits: Int, polynomial: Int) -> Int {
        var sum = 0
        for byte in bytes {
            sum ^= Int(byte) << (bits - 8)
            for _ in 0..<8 {
                let isSet = (sum >> (bits - 1)) & 1 == 1
                sum = ((sum << 1) ^ (isSet ? polynomial : 0)) & ((1 << bits) - 1)
            }
        }
        return sum
    }
}
