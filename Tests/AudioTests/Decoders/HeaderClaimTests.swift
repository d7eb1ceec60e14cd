import CSndfile
import Foundation
import Recordings
import TestSupport
import Testing

@testable import Audio

/// Headers that claim more than there is, or than there can be.
@Suite struct HeaderClaimTests {
    private let folder = TestFolder()

    private func encoded(_ name: String, _ codec: String) throws -> [UInt8] {
        let path = folder.path(Pathname(name))
        try Encoder.run([
            "-f", "lavfi", "-i", "anoisesrc=r=48000:d=4:a=0.3:s=1", "-c:a", codec, path.text,
        ])
        return TestFolder.bytes(of: path)
    }

    /// libav takes most of them for shorter files.
    @Test(arguments: [
        ("a.mka", "libvorbis"), ("a.webm", "libopus"), ("a.wv", "wavpack"), ("a.avi", "pcm_s16le"),
        ("a.wma", "wmav2"), ("a.tta", "tta"), ("a.oga", "flac"),
    ])
    func fileThatIsCutOffIsReported(name: String, codec: String) throws {
        let whole = try encoded(name, codec)
        let (all, none) = try Decoded.ending(of: folder.write(whole, to: Pathname(name)))
        #expect(none == nil)
        for share in [0.4, 0.7, 0.98] {
            let cut = Array(whole.prefix(Int(Double(whole.count) * share)))
            let (part, error) = try Decoded.ending(of: folder.write(cut, to: Pathname(name)))
            #expect([.truncated, .corrupt].contains(error?.reason), "\(share)")
            #expect(part.int16.count <= all.int16.count)
        }
    }

    /// A program that writes to a pipe, or that died, leaves the size unknown; all sound is there.
    @Test func matroskaOfUnknownSizeIsWhole() throws {
        var bytes = try encoded("a.mka", "libvorbis")
        let segment = try #require(bytes.firstRange(of: [0x18, 0x53, 0x80, 0x67])).upperBound
        bytes.replaceSubrange(
            segment..<segment + 8, with: [1] + Array(repeating: UInt8(0xFF), count: 7))
        #expect(try Decoded.ending(of: folder.write(bytes, to: "pipe.mka")).1 == nil)
    }

    private func sun(rate: UInt32, channels: UInt32) -> [UInt8] {
        let fields: [UInt32] = [24, 9_600, 3, rate, channels]
        return Array(".snd".utf8)
            + fields.flatMap { field in
                (0..<4).map { UInt8(truncatingIfNeeded: field >> (24 - 8 * $0)) }
            }
            + Array(repeating: 7, count: 9_600)
    }

    @Test(arguments: [
        (UInt32(16_000), UInt32(1_000)), (4_000_000_000, 1), (1, 1), (96_000_000, 16),
    ])
    func impossibleRateOrChannelsFailClearly(rate: UInt32, channels: UInt32) {
        let path = folder.write(sun(rate: rate, channels: channels), to: "claim.au")
        let error = #expect(throws: AudioFileError.self) { try Decoded(path) }
        #expect(error?.reason == .corrupt)
        #expect(error?.detail == "rate: \(rate) Hz, channels: \(channels)")
    }

    @Test(arguments: [(UInt32(8_000), UInt32(256)), (192_000, 8)])
    func possibleRateAndChannelsAreRead(rate: UInt32, channels: UInt32) throws {
        let path = folder.write(sun(rate: rate, channels: channels), to: "array.au")
        #expect(try Decoded(path).format.channels == Int(channels))
    }

    /// A file may end within any mark or field that is looked for.
    @Test(arguments: [
        "Creative Voice File\u{1A}", "RIFF....WAVEfmt ", "FORM....8SVXVHDR", "RIFF....AVI ",
        "wvpk", "\u{1A}E", ".snd", "caff", "#!AMR", "....ftyp",
    ])
    func fileThatEndsWithinItsHeaderIsRefused(mark: String) {
        let bytes = Array(mark.utf8) + Array(repeating: UInt8(1), count: 12)
        for count in 1...bytes.count {
            let path = folder.write(Array(bytes.prefix(count)), to: "short")
            #expect(throws: AudioFileError.self, "\(count)") { try Decoded(path) }
        }
    }

    /// Every number that a header can hold is read without overflow.
    @Test(arguments: [0x0000, 0x3FFF, 0x403D, 0x403E, 0x403F, 0x7FFF, 0xFFFF])
    func anyExponentOfAIFFRateIsSurvived(exponent: Int) throws {
        let path = folder.path("sound.aiff")
        SoundMaker.write(
            Array(repeating: Int32(1 << 24), count: 900),
            format: SF_FORMAT_AIFF | SF_FORMAT_PCM_16, to: path)
        var bytes = TestFolder.bytes(of: path)
        let rate = try #require(bytes.firstRange(of: Array("COMM".utf8))).upperBound + 12
        bytes.replaceSubrange(
            rate..<rate + 10,
            with: [UInt8(exponent >> 8), UInt8(exponent & 0xFF)]
                + Array(repeating: UInt8(0xFF), count: 8))
        _ = try? Decoded.ending(of: folder.write(bytes, to: "rate.aiff"))
    }

    @Test(arguments: ["elst", "mdhd", "mvhd", "stts", "stsz"])
    func anyNumberInMovieHeaderIsSurvived(box: String) throws {
        let whole = try encoded("a.m4a", "aac")
        let start = try #require(whole.firstRange(of: Array(box.utf8))).upperBound
        for offset in stride(from: 0, to: 24, by: 4) {
            for number in [[0, 0, 0, 0], [0x7F, 0xFF, 0xFF, 0xFF], [0xFF, 0xFF, 0xFF, 0xFF]]
                as [[UInt8]]
            {
                var bytes = whole
                bytes.replaceSubrange(start + offset..<start + offset + 4, with: number)
                _ = try? Decoded.ending(of: folder.write(bytes, to: "movie.m4a"))
            }
        }
        #expect(try Decoded.ending(of: folder.write(whole, to: "movie.m4a")).1 == nil)
    }

    /// A list of edits whose start lies beyond the track, and whose length is the largest.
    @Test func editBeyondTheTrackIsSurvived() throws {
        var bytes = try encoded("a.m4a", "aac")
        let list = try #require(bytes.firstRange(of: Array("elst".utf8))).upperBound
        bytes.replaceSubrange(list + 8..<list + 16, with: Array(repeating: UInt8(0x7F), count: 8))
        let source = try SourceFile(opening: folder.write(bytes, to: "edit.m4a"))
        #expect(MP4Movie(of: source)?.frames(atRate: 48_000) == nil)
    }

    @Test func framesThatAIFFCountsAndLacksAreTruncated() throws {
        let path = folder.path("sound.aiff")
        SoundMaker.write(
            Array(repeating: Int32(1 << 24), count: 9_000),
            format: SF_FORMAT_AIFF | SF_FORMAT_PCM_16, to: path)
        var bytes = TestFolder.bytes(of: path)
        let count = try #require(bytes.firstRange(of: Array("COMM".utf8))).upperBound + 6
        bytes.replaceSubrange(count..<count + 4, with: Array(repeating: UInt8(0xFF), count: 4))
        let (decoded, error) = try Decoded.ending(of: folder.write(bytes, to: "claim.aiff"))
        #expect(decoded.int16.count == 9_000)
        #expect(error?.reason == .truncated && error?.expected == Int64(UInt32.max))
    }
}
