import Audio
import CSndfile
import Recordings
import TestSupport
import Testing

/// GSM 6.10 in WAV, of which a chunk says how many frames its last block holds.
@Suite struct GSMLengthTests {
    private let folder = TestFolder()

    private func sound(_ frames: Int, _ container: Int = SF_FORMAT_WAV) -> [UInt8] {
        let path = folder.path("gsm.wav")
        SoundMaker.write(tone(frames: frames), format: container | SF_FORMAT_GSM610, to: path)
        return TestFolder.bytes(of: path)
    }

    private func ending(_ bytes: [UInt8]) throws -> (Decoded, AudioFileError?) {
        try Decoded.ending(of: folder.write(bytes, to: "judged.wav"))
    }

    /// The file with another number in its `fact` chunk.
    private func counting(_ frames: UInt32, _ bytes: [UInt8]) throws -> [UInt8] {
        var bytes = bytes
        let place = try #require(bytes.firstRange(of: Array("fact".utf8))).upperBound + 4
        for byte in 0..<4 { bytes[place + byte] = UInt8(truncatingIfNeeded: frames >> (8 * byte)) }
        return bytes
    }

    /// Of 65 bytes each, so an odd number of them is padded.
    @Test(arguments: [1, 2, 3, 8, 63, 64])
    func padByteIsNotDecodedAsSound(blocks: Int) throws {
        let (decoded, error) = try ending(sound(320 * blocks))
        #expect(error == nil)
        #expect(decoded.format.frames == 320 * blocks)
        #expect(decoded.int16.count == 320 * blocks)
        let longer = try ending(sound(320 * (blocks + 2))).0
        #expect(decoded.int16[...] == longer.int16[..<decoded.int16.count])
    }

    @Test(arguments: [1, 319, 20_512, 20_801], [SF_FORMAT_WAV, SF_FORMAT_W64])
    func decodedFramesMatchHeaderCount(frames: Int, container: Int) throws {
        let (decoded, error) = try ending(sound(frames, container))
        #expect(error == nil)
        #expect(decoded.int16.count == frames)
        #expect(decoded.format.frames == frames)
    }

    @Test func fileShorterThanItsCountIsReportedAsTruncated() throws {
        let bytes = sound(9_600)
        let (decoded, error) = try ending(counting(12_000, bytes))
        #expect(error?.reason == .truncated)
        #expect(error?.frame == 9_600 && error?.expected == 12_000)
        #expect(decoded.int16.count == 9_600)
        let (_, cut) = try ending(Array(bytes.prefix(bytes.count / 2)))
        #expect(cut?.reason == .truncated && cut?.expected == 9_600)
    }

    /// As writers leave it that cannot go back, or count something else.
    @Test(arguments: [0, 1, 9_280, 0xFFFF_FFFF, 0x7FFF_FFFF] as [UInt32])
    func implausibleFrameCountIsIgnored(count: UInt32) throws {
        let (decoded, error) = try ending(counting(count, sound(9_600)))
        #expect(error == nil)
        #expect(decoded.int16.count == 9_600)
    }
}
