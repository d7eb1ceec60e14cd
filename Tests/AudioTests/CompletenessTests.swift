import Audio
import CSndfile
import Foundation
import Recordings
import TestSupport
import Testing

/// Files that break off, were never finished, or hold more than is read.
@Suite struct CompletenessTests {
    private let folder = TestFolder()
    private static let frames = 30000

    private static let counted = [
        SF_FORMAT_WAV | SF_FORMAT_PCM_U8, SF_FORMAT_WAV | SF_FORMAT_PCM_16,
        SF_FORMAT_WAV | SF_FORMAT_PCM_24, SF_FORMAT_WAV | SF_FORMAT_FLOAT,
        SF_FORMAT_WAV | SF_FORMAT_DOUBLE, SF_FORMAT_WAV | SF_FORMAT_ALAW,
        SF_FORMAT_WAV | SF_FORMAT_PCM_16 | SF_ENDIAN_BIG, SF_FORMAT_WAVEX | SF_FORMAT_PCM_24,
        SF_FORMAT_RF64 | SF_FORMAT_PCM_16, SF_FORMAT_W64 | SF_FORMAT_PCM_16,
        SF_FORMAT_AIFF | SF_FORMAT_PCM_16, SF_FORMAT_AIFF | SF_FORMAT_FLOAT,
        SF_FORMAT_AU | SF_FORMAT_PCM_16, SF_FORMAT_AU | SF_FORMAT_ULAW,
        SF_FORMAT_FLAC | SF_FORMAT_PCM_16, SF_FORMAT_FLAC | SF_FORMAT_PCM_24,
    ]
    private static let uncounted = [
        SF_FORMAT_WAV | SF_FORMAT_GSM610, SF_FORMAT_WAV | SF_FORMAT_IMA_ADPCM,
        SF_FORMAT_WAV | SF_FORMAT_MS_ADPCM, SF_FORMAT_OGG | SF_FORMAT_VORBIS,
        SF_FORMAT_OGG | SF_FORMAT_OPUS,
    ]
    private static let caf = [
        SF_FORMAT_CAF | SF_FORMAT_PCM_16, SF_FORMAT_CAF | SF_FORMAT_PCM_24,
        SF_FORMAT_CAF | SF_FORMAT_ALAC_16,
    ]

    /// A sound file of the format, cut to so many hundredths of its bytes.
    private func sound(_ format: Int, percent: Int = 100) -> Pathname {
        let path = folder.path("sound")
        SoundMaker.write(noise, format: format, to: path)
        let bytes = TestFolder.bytes(of: path)
        return folder.write(Array(bytes.prefix(bytes.count * percent / 100)), to: "cut")
    }

    /// Noise, so that no encoding makes it small.
    private var noise: [Double] {
        var state: UInt32 = 1
        return (0..<Self.frames).map { _ in
            state = state &* 1_664_525 &+ 1_013_904_223
            return Double(state >> 8) / 0x1p24 - 0.5
        }
    }

    @Test(arguments: counted + uncounted + caf)
    func completeFilesAreReadWithoutError(format: Int) throws {
        let (decoded, error) = try Decoded.ending(of: sound(format))
        #expect(error == nil)
        #expect(decoded.int16.count >= Self.frames)
    }

    private enum Tags: CaseIterable {
        case one, two, withFooter

        var bytes: [UInt8] {
            switch self {
            case .one: SoundMaker.tag
            case .two:
                SoundMaker.tag + Array("ID3".utf8) + [3, 0, 0, 0, 0, 16, 0]
                    + Array(repeating: 7, count: 2048)
            case .withFooter:
                Array("ID3".utf8) + [4, 0, 0x10, 0, 0, 0, 5, 1, 2, 3, 4, 5]
                    + Array("3DI".utf8) + [4, 0, 0x10, 0, 0, 0, 5]
            }
        }
    }

    /// Players put tags of MP3 before sound of any format.
    @Test(arguments: counted + uncounted + caf, Tags.allCases)
    private func leadingID3TagsDoNotChangeResult(format: Int, tags: Tags) throws {
        let whole = TestFolder.bytes(of: sound(format))
        var flipped = whole
        flipped[whole.count / 2] ^= 0x10
        let kinds = [whole, Array(whole.prefix(whole.count * 6 / 10)), whole + whole, flipped]
        for (number, bytes) in kinds.enumerated() {
            let (plain, expected) = ending(folder.write(bytes, to: "plain"))
            let (tagged, error) = ending(folder.write(tags.bytes + bytes, to: "tagged"))
            #expect(tagged == plain, "\(number)")
            #expect(error?.activity == expected?.activity, "\(number)")
            #expect(error?.reason == expected?.reason, "\(number)")
            #expect(error?.frame == expected?.frame && error?.expected == expected?.expected)
        }
    }

    private func ending(_ path: Pathname) -> ([Int16], AudioFileError?) {
        do throws(AudioFileError) {
            let (decoded, error) = try Decoded.ending(of: path)
            return (decoded.int16, error)
        } catch {
            return ([], error)
        }
    }

    @Test(arguments: counted, [30, 95])
    func cutOffFilesAreReportedAsTruncated(format: Int, percent: Int) throws {
        let (decoded, error) = try Decoded.ending(of: sound(format, percent: percent))
        #expect(error?.reason == .truncated)
        #expect(error?.expected == Int64(Self.frames))
        #expect(error?.frame == Int64(decoded.int16.count))
        #expect(decoded.int16.count > Self.frames * (percent - 25) / 100)
        #expect(decoded.int16.count < Self.frames)
    }

    @Test(arguments: uncounted, [60, 95])
    func cutOffCompressedFilesAreReportedAsTruncated(format: Int, percent: Int) throws {
        let (decoded, error) = try Decoded.ending(of: sound(format, percent: percent))
        #expect(error?.reason == .truncated)
        #expect(error?.frame == Int64(decoded.int16.count))
        #expect(decoded.int16.count < Self.frames)
        // Not the bytes of blocks that hold several frames each.
        let promised = try #require(error).expected ?? Int64(Self.frames)
        #expect(promised > decoded.int16.count && promised < Self.frames + 2000)
    }

    @Test(arguments: caf, [30, 95])
    func cutOffCAFFilesAreReportedAsTruncated(format: Int, percent: Int) throws {
        let path = sound(format, percent: percent)
        let error = #expect(throws: AudioFileError.self) { try Decoded(path) }
        #expect(error?.reason == .truncated)
    }

    @Test func cutOffHeaderIsReportedAsTruncated() throws {
        let bytes = TestFolder.bytes(of: sound(SF_FORMAT_WAV | SF_FORMAT_PCM_16))
        for count in [12, 20, 36, 40, 43] {
            let path = folder.write(Array(bytes.prefix(count)), to: "header.wav")
            let error = #expect(throws: AudioFileError.self) { try Decoded(path) }
            #expect(error?.reason == .truncated)
        }
    }

    @Test func unfinishedAndEmptyWAVFilesAreDistinguished() throws {
        let bytes = TestFolder.bytes(of: sound(SF_FORMAT_WAV | SF_FORMAT_PCM_16))
        for riffSize: UInt8 in [0, 36] {
            var unfinished = bytes
            unfinished[4...7] = [riffSize, 0, 0, 0]
            unfinished[40...43] = [0, 0, 0, 0]
            let path = folder.write(unfinished, to: "unfinished.wav")
            #expect(try Decoded.ending(of: path).1?.reason == .unfinished)
            let empty = folder.write(Array(unfinished.prefix(44)), to: "empty.wav")
            #expect(try Decoded.ending(of: empty).1?.reason == .noAudio)
            let note = Array("LIST".utf8) + [4, 0, 0, 0] + Array("INFO".utf8)
            let noted = folder.write(Array(unfinished.prefix(44)) + note, to: "noted.wav")
            #expect(try Decoded.ending(of: noted).1?.reason == .noAudio)
        }
    }

    @Test func soundBeyondHeaderLengthIsReportedAsUnfinished() throws {
        var bytes = TestFolder.bytes(of: sound(SF_FORMAT_WAV | SF_FORMAT_DOUBLE))
        let data = try #require(bytes.firstRange(of: Array("data".utf8))).upperBound
        bytes[data..<data + 4] = [0, 64, 0, 0]
        let path = folder.write(bytes, to: "outgrown.wav")
        let (decoded, error) = try Decoded.ending(of: path)
        #expect(error?.reason == .unfinished)
        #expect(decoded.int16.count == Self.frames)
    }

    @Test(
        arguments: [
            [0xFF, 0xFF, 0xFF, 0xFF], [0x00, 0xF0, 0xFF, 0x7F], [0x00, 0x00, 0x00, 0x80],
            [0xDB, 0xFF, 0xFF, 0xFF],
        ] as [[UInt8]])
    func streamOfUnknownLengthIsReadToEnd(size: [UInt8]) throws {
        var bytes = TestFolder.bytes(of: sound(SF_FORMAT_WAV | SF_FORMAT_PCM_16))
        bytes[40...43] = size[...]
        let decoded = try Decoded(folder.write(bytes, to: "streamed.wav"))
        #expect(decoded.int16.count == Self.frames)
    }

    @Test func soundBeyondFourGigabytesIsReportedAsUnfinished() throws {
        var bytes = TestFolder.bytes(of: sound(SF_FORMAT_WAV | SF_FORMAT_PCM_16))
        bytes[40...43] = [0xFF, 0xFF, 0xFF, 0xFF]
        let path = folder.write(bytes, to: "streamed.wav")
        // A hole, which takes no room on the disk and reads as digital silence.
        #expect(truncate(path.text, off_t(UInt32.max) + 1_000_000) == 0)
        var reader = try AudioFileReader(opening: path)
        var block = AudioBlock(channels: 1, capacityFrames: 4096)
        try reader.read(into: &block)
        let error = #expect(throws: AudioFileError.self) { try reader.verifyEnd() }
        #expect(error?.reason == .unfinished)
    }

    @Test func cutOffThreeGigabyteFileIsReportedAsTruncated() throws {
        var bytes = TestFolder.bytes(of: sound(SF_FORMAT_WAV | SF_FORMAT_PCM_16))
        bytes[40...43] = [0, 0, 0, 0xC0]
        let (_, error) = try Decoded.ending(of: folder.write(bytes, to: "huge.wav"))
        #expect(error?.reason == .truncated)
        #expect(error?.expected == Int64(0xC000_0000) / 2)
    }

    @Test func missingPadByteAndTrailingTagsAreAccepted() throws {
        let path = folder.path("odd.wav")
        SoundMaker.write(
            Array(noise.prefix(1001)), format: SF_FORMAT_WAV | SF_FORMAT_PCM_U8, to: path)
        let bytes = TestFolder.bytes(of: path)
        #expect(bytes.count == 44 + 1001 + 1)
        #expect(try Decoded(folder.write(bytes.dropLast(), to: "odd.wav")).int16.count == 1001)
        let tag = Array("TAG".utf8) + Array(repeating: 32, count: 125)
        for format in [SF_FORMAT_WAV | SF_FORMAT_PCM_16, SF_FORMAT_FLAC | SF_FORMAT_PCM_16] {
            let tagged = TestFolder.bytes(of: sound(format)) + tag
            #expect(try Decoded(folder.write(tagged, to: "tagged")).int16.count == Self.frames)
        }
    }

    @Test(arguments: [SF_FORMAT_OGG | SF_FORMAT_VORBIS, SF_FORMAT_OGG | SF_FORMAT_OPUS])
    func chainedOggStreamsOfOneSerialNumberAreReadToTheEnd(format: Int) throws {
        let once = TestFolder.bytes(of: sound(format))
        let (decoded, error) = try Decoded.ending(of: folder.write(once + once, to: "chained"))
        #expect(error == nil)
        let frames = decoded.int16.count * 8000 / decoded.format.sampleRateHertz
        #expect(abs(frames - 2 * Self.frames) < 400)
    }

    @Test(arguments: [
        SF_FORMAT_OGG | SF_FORMAT_VORBIS, SF_FORMAT_OGG | SF_FORMAT_OPUS,
        SF_FORMAT_FLAC | SF_FORMAT_PCM_16,
    ])
    func damageInTheMiddleIsReportedAsCorrupt(format: Int) throws {
        var bytes = TestFolder.bytes(of: sound(format))
        for index in bytes.count / 2..<bytes.count / 2 + 100 { bytes[index] ^= 0x55 }
        let (decoded, error) = try Decoded.ending(of: folder.write(bytes, to: "damaged"))
        #expect(error?.reason == .corrupt)
        let frame = try #require(error?.frame)
        #expect(frame > 5000 && frame <= decoded.int16.count)
    }

    /// The decoder puts silence in the place of a frame that it cannot make out, and all are there.
    ///
    /// Blocks of a long recording hold more frames than those of a short one.
    @Test(arguments: [60_000, 1_100_000])
    func silencedFLACFrameIsReportedAsCorrupt(frames: Int) throws {
        let path = folder.path("long.flac")
        SoundMaker.write(
            tone(frames: frames), format: SF_FORMAT_FLAC | SF_FORMAT_PCM_16, to: path)
        var bytes = TestFolder.bytes(of: path)
        // Frames of the stream hold 4096 frames of sound; this is the third.
        let marks = bytes.indices.filter { bytes[$0...].starts(with: [0xff, 0xf8, 0xc4, 0x08, 2]) }
        bytes[try #require(marks.first) + 20] ^= 0x55
        var reader = try AudioFileReader(opening: folder.write(bytes, to: "damaged.flac"))
        let isThrough = try reader.forEachBlock { _ in }
        #expect(isThrough)
        #expect(reader.framesRead == frames)
        let error = #expect(throws: AudioFileError.self) { try reader.verifyEnd() }
        #expect(error?.reason == .corrupt && error?.frame == 8192)
    }

    @Test(arguments: [Int64.max, 1 << 60, -5])
    func damageAfterInvalidGranuleIsReportedAsCorrupt(granule: Int64) throws {
        var bytes = TestFolder.bytes(of: sound(SF_FORMAT_OGG | SF_FORMAT_OPUS))
        let pages = bytes.indices.filter { bytes[$0...].starts(with: "OggS".utf8) } + [bytes.count]
        let page = try #require(pages.indices.dropFirst(2).first)
        let (start, end) = (pages[page], pages[page + 1])
        for byte in 0..<8 {
            bytes[start + 6 + byte] = UInt8(truncatingIfNeeded: granule >> (8 * byte))
        }
        // The checksum is over the page with zeros in its place.
        for byte in 22..<26 { bytes[start + byte] = 0 }
        let checksum = remainder(Array(bytes[start..<end]), by: 0x1_04C1_1DB7, bits: 32)
        for byte in 0..<4 {
            bytes[start + 22 + byte] = UInt8(truncatingIfNeeded: checksum >> (8 * byte))
        }
        bytes[end + 100] ^= 0x55
        let (decoded, error) = try Decoded.ending(of: folder.write(bytes, to: "damaged"))
        #expect(error?.reason == .corrupt)
        #expect((0...Int64(decoded.int16.count)).contains(error?.frame ?? -1))
    }

    @Test(arguments: [SF_FORMAT_WAV | SF_FORMAT_PCM_16, SF_FORMAT_FLAC | SF_FORMAT_PCM_16])
    func preallocatedFileIsReportedAsTruncated(format: Int) {
        // As a download leaves it that has made itself room; a hole takes none on the disk.
        let header =
            format & SF_FORMAT_TYPEMASK == SF_FORMAT_FLAC
            ? Array("fLaC".utf8) + [0, 0, 0, 34] + Array(repeating: 0, count: 34)
            : Array("RIFF\u{10}\u{10}\u{10}\u{10}WAVEfmt ".utf8) + [16, 0, 0, 0]
                + [1, 0, 1, 0, 0x40, 0x1F, 0, 0, 0x80, 0x3E, 0, 0, 2, 0, 16, 0]
        let path = folder.write(header, to: "begun")
        #expect(truncate(path.text, 1 << 40) == 0)
        let error = #expect(throws: AudioFileError.self) { _ = try AudioFileReader(opening: path) }
        #expect(error?.reason == .truncated)
    }
}
