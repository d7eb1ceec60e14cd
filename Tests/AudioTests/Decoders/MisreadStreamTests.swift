import CSndfile
import Foundation
import Recordings
import TestSupport
import Testing

@testable import Audio

/// Compressed streams of which libsndfile silently reads a part, or reads them at a wrong rate.
@Suite struct MisreadStreamTests {
    private let folder = TestFolder()
    private static let frames = 88_200

    /// Two seconds of a tone, as ffmpeg encodes them.
    private func encoded(_ name: String, _ options: [String]) throws -> [UInt8] {
        let path = folder.path(Pathname(name)).text
        try Encoder.run(
            ["-f", "lavfi", "-i", "sine=440:sample_rate=44100:duration=2"] + options + [path])
        return TestFolder.bytes(of: Pathname(path))
    }

    private func mp3(_ channels: Int, isTagged: Bool = false) throws -> [UInt8] {
        try encoded(
            "a.mp3",
            [
                "-ac", "\(channels)", "-c:a", "libmp3lame", "-b:a", "64k", "-id3v2_version", "0",
                "-write_xing", isTagged ? "1" : "0",
            ])
    }

    private func decoded(_ bytes: [UInt8], _ name: Pathname) throws -> Decoded {
        let (decoded, error) = try Decoded.ending(of: folder.write(bytes, to: name))
        #expect(error == nil)
        return decoded
    }

    @Test(arguments: [[1, 2], [2, 1], [1, 2, 1]])
    func mp3WhoseChannelsChangeIsReadToItsEnd(channels: [Int]) throws {
        let bytes = try channels.flatMap { try mp3($0) }
        let decoded = try decoded(bytes, "joined.mp3")
        let frames = decoded.int16.count / decoded.format.channels
        #expect(abs(frames - channels.count * Self.frames) < 3000 * channels.count)
    }

    @Test func xingHeaderThatCountsNoFramesIsIgnored() throws {
        var bytes = try mp3(2, isTagged: true)
        let tag = try #require(
            bytes.firstRange(of: Array("Info".utf8)) ?? bytes.firstRange(of: Array("Xing".utf8)))
        // Frames and bytes, as they are before an encoder has finished.
        bytes.replaceSubrange(
            tag.upperBound + 4..<tag.upperBound + 12, with: Array(repeating: 0, count: 8))
        let frames = try decoded(bytes, "died.mp3").int16.count / 2
        #expect(abs(frames - Self.frames) < 3000)
    }

    private func apeFooter(items: Int, size: Int? = nil) -> [UInt8] {
        func little(_ number: Int) -> [UInt8] {
            (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        return Array("APETAGEX".utf8) + little(1000) + little(size ?? items + 32) + little(1)
            + little(0) + Array(repeating: 0, count: 8)
    }

    @Test(arguments: [false, true])
    func apeTagAtTheEndIsNoDamage(isFollowedByID3: Bool) throws {
        let item = Array("\u{5}\0\0\0\0\0\0\0Title\0Notes".utf8)
        let bytes = try mp3(2)
        let id3 = isFollowedByID3 ? Array("TAG".utf8) + Array(repeating: 32, count: 125) : []
        let plain = try decoded(bytes, "plain.mp3").int16
        for tag in [item + apeFooter(items: item.count), apeFooter(items: 0)] {
            #expect(try decoded(bytes + tag + id3, "tagged.mp3").int16 == plain)
        }
    }

    @Test func damageBeforeAnAPETagIsStillReported() throws {
        let bytes = try mp3(2)
        let junk = Array(repeating: UInt8(7), count: 5000)
        let path = folder.write(bytes + junk + apeFooter(items: 0), to: "junk.mp3")
        #expect(try Decoded.ending(of: path).1?.reason == .corrupt)
    }

    @Test(arguments: [("libvorbis", "ogg"), ("libopus", "opus")])
    func allLinksOfChainedOggAreRead(codec: String, ending: String) throws {
        let first = try encoded("a." + ending, ["-c:a", codec])
        let second = try encoded("b." + ending, ["-c:a", codec, "-metadata", "title=b"])
        let alone = try decoded(first, "alone.ogg").int16.count
        let both = try decoded(first + second, "both.ogg").int16.count
        #expect(abs(both - 2 * alone) < 2000)
    }

    @Test func opusWithoutInputRateIsReadAt48Kilohertz() throws {
        var bytes = try encoded("a.opus", ["-c:a", "libopus"])
        bytes.replaceSubrange(40..<44, with: [0, 0, 0, 0])
        // The checksum of the first page.
        bytes.replaceSubrange(22..<26, with: [0, 0, 0, 0])
        let sum = Self.checksum(bytes[..<(28 + Int(bytes[27]))])
        bytes.replaceSubrange(
            22..<26, with: (0..<4).map { UInt8(truncatingIfNeeded: sum >> (8 * $0)) })
        let decoded = try decoded(bytes, "rate.opus")
        #expect(decoded.format.sampleRateHertz == 48_000)
        #expect(abs(decoded.int16.count - 96_000) < 1000)
    }

    /// RFC 3533, section 6.
    private static func checksum(_ page: ArraySlice<UInt8>) -> UInt32 {
        page.reduce(0) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte) << 24) { sum, _ in
                sum & 0x8000_0000 != 0 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1
            }
        }
    }

    @Test func flacOf20BitsIsRead() throws {
        let bytes = try encoded(
            "a.flac", ["-c:a", "flac", "-sample_fmt", "s32", "-bits_per_raw_sample", "20"])
        #expect(try decoded(bytes, "20.flac").int16.count == Self.frames)
    }

    @Test func flacWhoseRateChangesIsReported() throws {
        func stream(_ rate: String) throws -> [UInt8] {
            try encoded("\(rate).flac", ["-c:a", "flac", "-ar", rate, "-map_metadata", "-1"])
        }
        let first = try stream("44100")
        let second = try stream("32000")
        let frames = try #require(second.firstRange(of: [0xFF, 0xF8]))
        let path = folder.write(first + second[frames.lowerBound...], to: "two.flac")
        let (decoded, error) = try Decoded.ending(of: path)
        #expect(error != nil)
        #expect(decoded.int16.count == Self.frames)
    }

    // MARK: Without a header

    @Test(arguments: [
        ("a.ulaw", ["-f", "mulaw", "-ar", "8000"], 8000, 16_000),
        ("a.al", ["-f", "alaw", "-ar", "8000"], 8000, 16_000),
        ("a.sln", ["-f", "s16le", "-ar", "8000"], 8000, 16_000),
        ("a.sln16", ["-f", "s16le", "-ar", "16000"], 16_000, 32_000),
        ("a.sln48", ["-f", "s16le", "-ar", "48000"], 48_000, 96_000),
        ("a.g722", ["-f", "g722", "-ar", "16000"], 16_000, 32_000),
    ])
    func headerlessRecordingIsReadByItsExtension(
        name: String, options: [String], rate: Int, frames: Int
    ) throws {
        let bytes = try encoded(name, ["-ac", "1"] + options)
        let decoded = try decoded(bytes, Pathname(name))
        #expect(decoded.format.container == .raw)
        #expect(decoded.format.sampleRateHertz == rate)
        #expect(decoded.int16.count == frames)
        // A sine of an eighth.
        let peak = decoded.samples.reduce(Float.zero) { max($0, abs($1)) }
        #expect(abs(peak - 0.125) < 0.02)
    }

    @Test func silentHeaderlessRecordingIsSilence() throws {
        let decoded = try decoded(Array(repeating: 0, count: 16_000), "silence.sln")
        #expect(decoded.int16 == Array(repeating: 0, count: 8000))
    }

    @Test func waveFileWithHeaderlessExtensionKeepsItsHeader() throws {
        let path = folder.path("a.wav")
        SoundMaker.write([1, 2, 3] as [Int16], format: SF_FORMAT_WAV | SF_FORMAT_PCM_16, to: path)
        let decoded = try decoded(TestFolder.bytes(of: path), "a.ulaw")
        #expect(decoded.int16 == [1, 2, 3])
    }

    @Test func copyOfHeaderlessRecordingHasNoHeader() throws {
        let path = folder.write((0..<8000).map { UInt8(truncatingIfNeeded: $0) }, to: "a.ulaw")
        let copy = folder.path("copy")
        #expect(
            try TrimmedCopy.write(
                keeping: EditList(keeping: [1000..<7000], of: 8000), from: path, to: copy,
                container: .same, fadeFrames: 0, isCancelled: { false }))
        let samples = try Decoded(path).int16[1000..<7000]
        let written = folder.write(TestFolder.bytes(of: copy), to: "copy.ulaw")
        #expect(try Decoded(written).int16 == Array(samples))
        #expect(TestFolder.bytes(of: copy).count == 6000)
    }
}
