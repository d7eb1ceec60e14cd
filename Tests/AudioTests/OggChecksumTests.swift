import TestSupport
import Testing

@testable import Audio

@Suite struct OggChecksumTests {
    private func checksum(_ bytes: [UInt8]) -> UInt32 {
        var checksum = OggChecksum()
        checksum.take(bytes[...])
        return checksum.value
    }

    /// What POSIX's `cksum` gives before it appends the length and inverts.
    @Test func isTheOneThatIsKnown() {
        #expect(checksum(Array("123456789".utf8)) == 0x89A1_897F)
        #expect(checksum([]) == 0)
    }

    /// Of all lengths around whole blocks, and however it is cut in two.
    @Test func isTheRemainderBitByBit() {
        var random = SeededGenerator(seed: 7)
        let bytes = (0..<67).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        for count in 0...bytes.count {
            let wanted = remainder(Array(bytes[..<count]), by: 0x1_04C1_1DB7, bits: 32)
            for cut in 0...count {
                var checksum = OggChecksum()
                checksum.take(bytes[..<cut])
                checksum.take(bytes[cut..<count])
                #expect(Int(checksum.value) == wanted, "\(count) bytes, cut behind \(cut)")
            }
        }
    }
}
