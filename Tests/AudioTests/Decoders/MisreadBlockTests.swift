import CSndfile
import Foundation
import Recordings
import TestSupport
import Testing

@testable import Audio

/// Files whose blocks libsndfile reads as one stretch of sound, or decodes to noise.
@Suite struct MisreadBlockTests {
    private let folder = TestFolder()
    private let shorts = (0..<20_000).map { Int16(8000 * sin(Double($0) / 7)) }

    private func ending(_ bytes: [UInt8], _ name: Pathname) throws -> (Decoded, AudioFileError?) {
        try Decoded.ending(of: folder.write(bytes, to: name))
    }

    private func file(_ format: Int, _ name: Pathname) -> [UInt8] {
        let path = folder.path(name)
        SoundMaker.write(shorts.map { Int32($0) << 16 }, format: format, to: path)
        return TestFolder.bytes(of: path)
    }

    @Test func severalBlocksOfCreativeVoiceAreJoined() throws {
        let bytes = file(SF_FORMAT_VOC | SF_FORMAT_PCM_16, "one.voc")
        let (header, block) = (bytes[..<26], bytes[26..<bytes.count - 1])
        let (one, _) = try ending(bytes, "one.voc")
        #expect(one.int16 == shorts)
        // A block of type 2 goes on with the format of the one before.
        let sound = block.dropFirst(16)
        let more: [UInt8] =
            [2] + (0..<3).map { UInt8(truncatingIfNeeded: sound.count >> (8 * $0)) }
        let (decoded, error) = try ending(header + block + more + sound + [0], "two.voc")
        #expect(error == nil)
        #expect(decoded.int16 == shorts + shorts)
    }

    @Test func whatIsInNoBlockOfCreativeVoiceIsDamage() throws {
        let bytes = file(SF_FORMAT_VOC | SF_FORMAT_PCM_16, "one.voc")
        let (decoded, error) = try ending(bytes + Array(repeating: 7, count: 3000), "tail.voc")
        #expect(error?.reason == .corrupt)
        #expect(decoded.int16 == shorts)
    }

    @Test func headerlessGSMWithoutItsMarkIsDamaged() throws {
        var bytes = file(SF_FORMAT_RAW | SF_FORMAT_GSM610, "mono.gsm")
        #expect(try ending(bytes, "whole.gsm").1 == nil)
        bytes[5 * 33] = 0x11
        let (_, error) = try ending(bytes, "damaged.gsm")
        #expect(error?.reason == .corrupt && error?.frame == 5 * 160)
    }

    /// As written for disks whose blocks the samples are to begin with.
    @Test func offsetBeforeTheSoundOfAIFFIsSkipped() throws {
        var bytes = file(SF_FORMAT_AIFF | SF_FORMAT_PCM_16, "sound.aiff")
        let chunk = try #require(bytes.firstRange(of: Array("SSND".utf8))).upperBound
        let size = Int(bytes[chunk + 1]) << 16 + Int(bytes[chunk + 2]) << 8 + Int(bytes[chunk + 3])
        bytes.insert(contentsOf: Array(repeating: 99, count: 10), at: chunk + 12)
        for (index, shift) in [16, 8, 0].enumerated() {
            bytes[chunk + 1 + index] = UInt8(truncatingIfNeeded: (size + 10) >> shift)
        }
        bytes[chunk + 7] = 10
        let (decoded, error) = try ending(bytes, "offset.aiff")
        #expect(error == nil)
        #expect(decoded.int16 == shorts)
    }

    @Test(arguments: [SF_FORMAT_IMA_ADPCM, SF_FORMAT_MS_ADPCM])
    func impossibleStateOfBlockIsDamage(encoding: Int) throws {
        var bytes = file(SF_FORMAT_WAV | encoding, "sound.wav")
        #expect(try ending(bytes, "whole.wav").1 == nil)
        let data = try #require(bytes.firstRange(of: Array("data".utf8))).upperBound + 4
        let blockBytes = Int(bytes[32]) + Int(bytes[33]) << 8
        let blockFrames = Int64(bytes[38]) + Int64(bytes[39]) << 8
        // The index of the third block.
        bytes[data + 2 * blockBytes + (encoding == SF_FORMAT_IMA_ADPCM ? 2 : 0)] = 200
        let (_, error) = try ending(bytes, "damaged.wav")
        #expect(error?.reason == .corrupt)
        #expect(error?.frame == 2 * blockFrames)
    }

    private func amiga(_ channels: UInt8, _ sound: [UInt8]) -> [UInt8] {
        func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
            Array(name.utf8)
                + (0..<4).map { UInt8(truncatingIfNeeded: body.count >> (24 - 8 * $0)) }
                + body
        }
        let count = (0..<4).map { UInt8(truncatingIfNeeded: sound.count >> (24 - 8 * $0)) }
        let voice = count + Array(repeating: 0, count: 8) + [0x3E, 0x80, 1, 0, 0, 1, 0, 0]
        return chunk(
            "FORM",
            Array("8SVX".utf8) + chunk("VHDR", voice) + chunk("CHAN", [0, 0, 0, channels])
                + chunk("BODY", sound))
    }

    @Test func whatFollowsTheSoundOf8SVXIsNoSound() throws {
        let sound = shorts.map { UInt8(truncatingIfNeeded: $0 >> 8) }
        let (decoded, error) = try ending(
            amiga(2, sound) + Array(repeating: 77, count: 3000), "tail.8svx")
        #expect(error == nil)
        #expect(decoded.int16 == shorts.map { ($0 >> 8) << 8 })
    }

    /// All of the left channel comes before the right one.
    @Test func channelsOf8SVXAreReadApart() throws {
        let left = shorts.map { UInt8(truncatingIfNeeded: $0 >> 8) }
        let right = Array(repeating: UInt8(5), count: left.count)
        let (decoded, error) = try ending(amiga(6, left + right), "stereo.8svx")
        #expect(error == nil)
        #expect(decoded.format.channels == 2)
        #expect(decoded.int16 == shorts.flatMap { [($0 >> 8) << 8, 5 << 8] })
    }

    @Test func anySoundBehindSunHeaderIsRead() throws {
        let bytes = file(SF_FORMAT_AU | SF_FORMAT_PCM_16, "sound.au")
        let (more, error) = try ending(bytes + Array(repeating: 9, count: 500), "more.au")
        #expect(error?.reason == .unfinished)
        #expect(more.int16.count == shorts.count + 250)
        // Zeros only fill up a block.
        let (padded, none) = try ending(bytes + Array(repeating: 0, count: 500), "padded.au")
        #expect(none == nil)
        #expect(padded.int16 == shorts)
    }
}
