import Testing

@testable import Audio

@Suite struct FLACFrameTests {
    @Test(arguments: [0, 1, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xffff, 0x10000, 0x10_ffff])
    func numbersAreCodedAsCharactersAre(number: UInt32) throws {
        let character = Character(try #require(Unicode.Scalar(number)))
        #expect(FLACFrame.coded(Int(number)) == Array(String(character).utf8))
    }

    /// Beyond what characters need: by the table of RFC 2279, and the seven bytes of RFC 9639.
    @Test(
        arguments: [
            (0x1f_ffff, [0xf7, 0xbf, 0xbf, 0xbf]), (0x20_0000, [0xf8, 0x88, 0x80, 0x80, 0x80]),
            (0x400_0000, [0xfc, 0x84, 0x80, 0x80, 0x80, 0x80]),
            (0x7fff_ffff, [0xfd, 0xbf, 0xbf, 0xbf, 0xbf, 0xbf]),
            (0x8000_0000, [0xfe, 0x82, 0x80, 0x80, 0x80, 0x80, 0x80]),
        ] as [(Int, [UInt8])])
    func largerNumbersGoOnInTheSameWay(number: Int, bytes: [UInt8]) {
        #expect(FLACFrame.coded(number) == bytes)
    }

    /// A frame of 16 frames of mono at 8 kHz, its number 0; the checksums are by bit-wise division.
    private static let frame: [UInt8] = {
        var bytes: [UInt8] = [0xff, 0xf8, 0x64, 0x08, 0x00, 0x0f]
        bytes.append(UInt8(remainder(bytes, by: 0x107, bits: 8)))
        bytes += [0x02] + (0..<32).map { UInt8($0 * 7) }
        let checksum = remainder(bytes, by: 0x1_8005, bits: 16)
        return bytes + [UInt8(checksum >> 8), UInt8(checksum & 0xff)]
    }()

    @Test(arguments: [0, 5, 127, 128, 3000, 70_000]) func aNewNumberChangesTheChecksums(
        number: Int
    ) throws {
        let frame = FLACFrameTests.frame
        var stream: [UInt8] = [9]
        try #require(FLACFrame(frame[...], number: 0)).append(as: number, to: &stream)
        var expected = Array(frame[..<4]) + FLACFrame.coded(number) + [0x0f]
        expected.append(UInt8(remainder(expected, by: 0x107, bits: 8)))
        expected += frame[7..<frame.count - 2]
        let checksum = remainder(expected, by: 0x1_8005, bits: 16)
        #expect(stream == [9] + expected + [UInt8(checksum >> 8), UInt8(checksum & 0xff)])
    }

    /// Codes of size and rate, and what they have stand behind the number.
    @Test(
        arguments: [
            (0xc4, []), (0x64, [0x0f]), (0x74, [1, 2]), (0xcc, [44]), (0xcd, [1, 2]),
            (0xce, [1, 2]), (0x7e, [1, 2, 3, 4]),
        ] as [(UInt8, [UInt8])],
        [0, 0x7f, 0x80, 0x800, 0x1_0000, 0x20_0000, 0x400_0000, 0x7fff_ffff, 0xf_ffff_ffff])
    func beginsWithAWholeHeader(codes: (UInt8, [UInt8]), number: Int) {
        var header = [0xff, 0xf8, codes.0, 0x08] + FLACFrame.coded(number) + codes.1
        let checksum = UInt8(remainder(header, by: 0x107, bits: 8))
        #expect(header.count < FLACFrame.mostHeaderBytes)
        #expect(!FLACFrame.begins(header))
        #expect(FLACFrame.begins(header + [checksum]) && FLACFrame.begins(header + [checksum, 7]))
        #expect(!FLACFrame.begins(header + [checksum ^ 1]))
        header[1] = 0xf0
        let other = UInt8(remainder(header, by: 0x107, bits: 8))
        #expect(!FLACFrame.begins(header + [other]))
    }

    /// Within a number, and beyond the longest.
    @Test(arguments: [0x80, 0xbf, 0xff] as [UInt8]) func beginsWithNoOtherNumber(digit: UInt8) {
        let header = [0xff, 0xf8, 0xc4, 0x08, digit] + Array(repeating: 0xbf, count: 6)
        for count in 5...header.count {
            let bytes = Array(header[..<count])
            let checksum = UInt8(remainder(bytes, by: 0x107, bits: 8))
            #expect(!FLACFrame.begins(bytes + [checksum]))
        }
    }

    @Test func whatIsNoFrameOrAnotherOneIsNotTaken() {
        let frame = FLACFrameTests.frame
        #expect(FLACFrame(frame[...], number: 1) == nil)
        #expect(FLACFrame(frame.prefix(8), number: 0) == nil)
        for place in 0..<7 {
            var damaged = frame
            damaged[place] ^= 1
            #expect(FLACFrame(damaged[...], number: 0) == nil, "byte \(place)")
        }
    }

    @Test func whatHasNoHeaderIsNotTaken() {
        let header = Array("fLaC".utf8) + [0x80, 0, 0, 34] + [UInt8](repeating: 1, count: 34)
        #expect(FLACHeader(header + [7, 7])?.bytes == header)
        #expect(FLACHeader(header)?.blockFrames == 0x101)
        for count in 0..<header.count { #expect(FLACHeader(Array(header[..<count])) == nil) }
        var other = header
        other[4] = 0x84
        #expect(FLACHeader(other) == nil)
        other = header
        other[9] = 2
        #expect(FLACHeader(other)?.blockFrames == nil)
    }
}
