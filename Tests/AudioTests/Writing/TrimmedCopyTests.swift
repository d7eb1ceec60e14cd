import Audio
import CSndfile
import Foundation
import Recordings
import TestSupport
import Testing

@Suite struct TrimmedCopyTests {
    private let folder = TestFolder()

    /// Encodings whose copies must be the same to the bit.
    static let lossless = [
        SF_FORMAT_WAV | SF_FORMAT_PCM_U8, SF_FORMAT_WAV | SF_FORMAT_PCM_16,
        SF_FORMAT_WAV | SF_FORMAT_PCM_24, SF_FORMAT_WAV | SF_FORMAT_PCM_32,
        SF_FORMAT_WAV | SF_FORMAT_FLOAT, SF_FORMAT_WAV | SF_FORMAT_DOUBLE,
        SF_FORMAT_WAV | SF_FORMAT_ALAW, SF_FORMAT_WAV | SF_FORMAT_ULAW,
        SF_FORMAT_WAV | SF_FORMAT_PCM_24 | SF_ENDIAN_BIG, SF_FORMAT_WAVEX | SF_FORMAT_PCM_24,
        SF_FORMAT_RF64 | SF_FORMAT_PCM_16, SF_FORMAT_W64 | SF_FORMAT_PCM_24,
        SF_FORMAT_AIFF | SF_FORMAT_PCM_S8, SF_FORMAT_AIFF | SF_FORMAT_PCM_24,
        SF_FORMAT_AIFF | SF_FORMAT_PCM_16 | SF_ENDIAN_LITTLE, SF_FORMAT_AIFF | SF_FORMAT_FLOAT,
        SF_FORMAT_AIFF | SF_FORMAT_DOUBLE, SF_FORMAT_AIFF | SF_FORMAT_ALAW,
        SF_FORMAT_CAF | SF_FORMAT_PCM_24, SF_FORMAT_CAF | SF_FORMAT_FLOAT,
        SF_FORMAT_CAF | SF_FORMAT_PCM_16 | SF_ENDIAN_LITTLE, SF_FORMAT_AU | SF_FORMAT_PCM_16,
        SF_FORMAT_AU | SF_FORMAT_DOUBLE, SF_FORMAT_AU | SF_FORMAT_ULAW,
        SF_FORMAT_AU | SF_FORMAT_FLOAT | SF_ENDIAN_LITTLE, SF_FORMAT_FLAC | SF_FORMAT_PCM_S8,
        SF_FORMAT_FLAC | SF_FORMAT_PCM_16, SF_FORMAT_FLAC | SF_FORMAT_PCM_24,
    ]

    /// Encodings whose samples a copy keeps in another one.
    private static let alac = [
        SF_FORMAT_ALAC_16, SF_FORMAT_ALAC_20, SF_FORMAT_ALAC_24, SF_FORMAT_ALAC_32,
    ].map { SF_FORMAT_CAF | $0 }

    private static let frames: Int64 = 12000
    private static let kept: [Range<Int64>] = [0..<10, 1234..<9999, 10001..<10002, 11000..<12000]

    /// Values over the whole range of 32 bits and both its ends, in stereo.
    private var wide: [Int32] {
        [.max, .min]
            + (0..<Int(Self.frames) * 2 - 2).map { Int32(truncatingIfNeeded: $0 &* 0x0765_4321) }
    }

    private func source(_ format: Int) -> Pathname {
        let path = folder.path("source")
        if [SF_FORMAT_FLOAT, SF_FORMAT_DOUBLE].contains(format & SF_FORMAT_SUBMASK) {
            let values = wide.map { Double($0) / 0x1p31 * 1.7 }
            SoundMaker.write(values, format: format, rate: 22050, channels: 2, to: path)
        } else {
            SoundMaker.write(wide, format: format, rate: 22050, channels: 2, to: path)
        }
        return path
    }

    @discardableResult
    private func copy(
        _ source: Pathname, keeping ranges: [Range<Int64>], of frames: Int64 = Self.frames,
        as container: TrimmedContainer = .same, fadeFrames: Int = 0, to name: Pathname = "copy"
    ) throws(AudioFileError) -> Pathname {
        let path = folder.path(name)
        let isThrough = try TrimmedCopy.write(
            keeping: EditList(keeping: ranges, of: frames), from: source, to: path,
            container: container, fadeFrames: fadeFrames, isCancelled: { false })
        #expect(isThrough)
        return path
    }

    private func keep<Sample>(_ samples: [Sample], channels: Int = 2) -> [Sample] {
        Self.kept.flatMap { samples[Int($0.lowerBound) * channels..<Int($0.upperBound) * channels] }
    }

    @Test(arguments: lossless)
    func losslessCopyKeepsSamplesAndFormat(format: Int) throws {
        let source = source(format)
        let copy = try copy(source, keeping: Self.kept)
        let (before, after) = (try SoundMaker.exact(source), try SoundMaker.exact(copy))
        #expect(after.samples == keep(before.samples))
        #expect(after.format == before.format)
        #expect(after.rate == 22050)
        #expect(
            try Decoded(copy).format.frames == EditList(keeping: Self.kept, of: 0).trimmedFrameCount
        )
    }

    @Test(arguments: lossless)
    func repeatedCopiesAreByteIdentical(format: Int) throws {
        let source = source(format)
        let first = TestFolder.bytes(of: try copy(source, keeping: Self.kept, fadeFrames: 50))
        let second = TestFolder.bytes(of: try copy(source, keeping: Self.kept, fadeFrames: 50))
        #expect(first == second)
        // This chunk holds the time of writing, to the second.
        #expect(!first.contains(Array("PEAK".utf8)) && !first.contains(Array("peak".utf8)))
    }

    @Test(arguments: [SF_FORMAT_ALAW, SF_FORMAT_ULAW], [SF_FORMAT_WAV, SF_FORMAT_AU])
    func compandedSamplesAreKeptForAll256Codes(encoding: Int, container: Int) throws {
        let path = folder.path("codes")
        SoundMaker.write([Int16](repeating: 0, count: 256), format: container | encoding, to: path)
        var bytes = TestFolder.bytes(of: path)
        let start = try #require(
            bytes.firstRange(of: Array(repeating: bytes[bytes.count - 9], count: 256)))
        bytes.replaceSubrange(start, with: (0...255).map { UInt8($0) })
        let source = folder.write(bytes, to: "codes")
        let copy = try copy(source, keeping: [0..<256], of: 256)
        #expect(try Decoded(copy).int16 == Decoded(source).int16)
        #expect(Set(try Decoded(copy).int16).count == (encoding == SF_FORMAT_ALAW ? 256 : 255))
        // µ-law has two zeros, of which the negative one becomes the positive.
        var codes = (0...255).map { UInt8($0) }
        if encoding == SF_FORMAT_ULAW { codes[0x7F] = 0xFF }
        #expect(TestFolder.bytes(of: copy).contains(codes))
    }

    @Test(arguments: lossless + alac)
    func wavCopyKeepsEverySample(format: Int) throws {
        let source = source(format)
        let copy = try copy(source, keeping: Self.kept, as: .wav)
        #expect(try SoundMaker.exact(copy).samples == keep(SoundMaker.exact(source).samples))
        #expect(try Decoded(copy).format.container == .wav)
    }

    @Test(arguments: lossless + alac)
    func flacCopyKeepsEverySampleOrIsRefused(format: Int) throws {
        let source = source(format)
        let encoding = try Decoded(source).format.encoding
        if [.pcm32, .alac32, .float32, .float64].contains(encoding) {
            let error = #expect(throws: AudioFileError.self) {
                try copy(source, keeping: Self.kept, as: .flac)
            }
            #expect(error?.reason == .unsupportedEncoding)
        } else {
            let copy = try copy(source, keeping: Self.kept, as: .flac)
            #expect(try SoundMaker.exact(copy).samples == keep(SoundMaker.exact(source).samples))
            #expect(try Decoded(copy).format.container == .flac)
        }
    }

    /// libsndfile would encode it into a file elsewhere, and crash where there is no room for that.
    @Test(arguments: alac)
    func alacCopyIsRefused(format: Int) throws {
        let source = source(format)
        let error = #expect(throws: AudioFileError.self) { try copy(source, keeping: Self.kept) }
        #expect(error?.reason == .unsupportedEncoding)
    }

    @Test(arguments: [
        SF_FORMAT_OGG | SF_FORMAT_VORBIS, SF_FORMAT_OGG | SF_FORMAT_OPUS,
        SF_FORMAT_WAV | SF_FORMAT_GSM610, SF_FORMAT_WAV | SF_FORMAT_IMA_ADPCM,
        SF_FORMAT_WAV | SF_FORMAT_MS_ADPCM,
    ])
    func lossySourceIsCopiedAsDecodedPCM16(format: Int) throws {
        let path = folder.path("lossy")
        SoundMaker.write(tone(frames: Int(Self.frames)), format: format, to: path)
        let heard = keep(try Decoded(path).int16, channels: 1)
        for container in [TrimmedContainer.wav, .flac] {
            let copy = try copy(path, keeping: Self.kept, as: container)
            #expect(try Decoded(copy).int16 == heard)
            #expect(try Decoded(copy).format.encoding == .pcm16)
        }
        let error = #expect(throws: AudioFileError.self) { try copy(path, keeping: Self.kept) }
        #expect(error?.reason == .unsupportedEncoding)
    }

    @Test(
        arguments: [
            SF_FORMAT_PCM_S8, SF_FORMAT_ULAW, SF_FORMAT_ALAW, SF_FORMAT_PCM_16, SF_FORMAT_PCM_24,
        ], [1, 3])
    func padByteIsNotCountedAsFrame(encoding: Int, channels: Int) throws {
        let path = folder.path("source")
        let samples = (0..<3000 * channels).map { Int32(truncatingIfNeeded: $0 &* 0x0765_4321) }
        SoundMaker.write(
            samples, format: SF_FORMAT_AIFF | encoding, rate: 8000, channels: channels, to: path)
        for end in [1235, 1236] as [Int64] {
            let copy = try copy(path, keeping: [10..<end], of: 3000)
            let (before, after) = (try SoundMaker.exact(path), try SoundMaker.exact(copy))
            #expect(after.samples == Array(before.samples[10 * channels..<Int(end) * channels]))
            // What follows the sound is whole too.
            #expect(TestFolder.bytes(of: copy).count.isMultiple(of: 2))
            #expect(try Decoded.ending(of: copy).1 == nil)
        }
    }

    @Test(arguments: [SF_FORMAT_FLOAT, SF_FORMAT_DOUBLE])
    func rf64CopyHasNoTimestamp(encoding: Int) throws {
        let source = source(SF_FORMAT_RF64 | encoding)
        let copy = try copy(source, keeping: Self.kept)
        #expect(try SoundMaker.exact(copy).samples == keep(SoundMaker.exact(source).samples))
        let bytes = TestFolder.bytes(of: copy)
        let peaks = try #require(bytes.firstRange(of: Array("PEAK".utf8))).upperBound
        #expect(bytes[peaks + 4..<peaks + 12].elementsEqual([1, 0, 0, 0, 0, 0, 0, 0]))
    }

    @Test func matlabCopyHasNoTimestamp() throws {
        let source = source(SF_FORMAT_MAT5 | SF_FORMAT_PCM_16)
        let copy = try copy(source, keeping: Self.kept)
        #expect(try SoundMaker.exact(copy).samples == keep(SoundMaker.exact(source).samples))
        let bytes = TestFolder.bytes(of: copy)
        #expect(bytes[..<116].filter { $0 != 0 } == Array("MATLAB 5.0 MAT-file".utf8))
    }

    @Test func copyPermissionsFollowUmask() throws {
        let mask = umask(0o002)
        defer { umask(mask) }
        let copy = try copy(source(SF_FORMAT_WAV | SF_FORMAT_PCM_16), keeping: Self.kept)
        var info = stat()
        #expect(stat(copy.text, &info) == 0)
        #expect(info.st_mode & 0o777 == 0o664)
    }

    @Test func fadesAreAppliedOnlyAtCuts() throws {
        let path = folder.path("flat.wav")
        let flat = [Int16](repeating: 10000, count: 1000)
        SoundMaker.write(flat, format: SF_FORMAT_WAV | SF_FORMAT_PCM_16, to: path)
        let whole = try copy(path, keeping: [0..<1000], of: 1000, fadeFrames: 10)
        #expect(try Decoded(whole).int16 == flat)

        let kept = try copy(
            path, keeping: [0..<100, 200..<300, 900..<1000], of: 1000, fadeFrames: 10)
        let samples = try Decoded(kept).int16
        let fadeIn: [Int16] = [62, 545, 1464, 2730, 4218, 5782, 7270, 8536, 9455, 9938]
        let steady = [Int16](repeating: 10000, count: 80)
        let ends = steady + steady.prefix(10)
        #expect(Array(samples[..<100]) == ends + fadeIn.reversed())
        #expect(Array(samples[100..<200]) == fadeIn + steady + fadeIn.reversed())
        #expect(Array(samples[200...]) == fadeIn + ends)
    }

    @Test func fadeCoversAtMostHalfAnEdit() throws {
        let path = folder.path("flat.wav")
        SoundMaker.write(
            [Int16](repeating: 10000, count: 100), format: SF_FORMAT_WAV | SF_FORMAT_PCM_16,
            to: path)
        let kept = try copy(path, keeping: [10..<15, 20..<21], of: 100, fadeFrames: 10)
        #expect(try Decoded(kept).int16 == [1464, 8536, 10000, 8536, 1464, 10000])
    }

    @Test func longFadesContinueAcrossBlocks() throws {
        let path = folder.path("long.wav")
        SoundMaker.write(
            [Int16](repeating: 10000, count: 60000), format: SF_FORMAT_WAV | SF_FORMAT_PCM_16,
            to: path)
        let kept = try copy(path, keeping: [100..<50100], of: 60000, fadeFrames: 20000)
        let samples = try Decoded(kept).int16
        #expect(samples == samples.reversed())
        #expect(samples[..<20000] == samples[..<20000].sorted()[...])
        #expect(samples[20000..<30000].allSatisfy { $0 == 10000 })
        #expect(samples[9999] == 5000)
    }

    @Test func faded24BitSamplesAreRoundedToNearest() throws {
        let path = folder.path("flat24.wav")
        SoundMaker.write(
            [Int32](repeating: -1000 << 8, count: 100), format: SF_FORMAT_WAV | SF_FORMAT_PCM_24,
            to: path)
        let kept = try copy(path, keeping: [50..<100], of: 100, fadeFrames: 4)
        let samples = try SoundMaker.exact(kept).samples.prefix(5).map { Int32($0 * 0x1p31) >> 8 }
        // 1000 · (38.06, 308.66, 691.34, 961.94) / 1000.
        #expect(samples == [-38, -309, -691, -962, -1000])
    }

    @Test func writerStopsWhenCancelled() throws {
        let source = source(SF_FORMAT_WAV | SF_FORMAT_PCM_16)
        var asked = 0
        let isThrough = try TrimmedCopy.write(
            keeping: EditList(keeping: [0..<12000], of: 12000), from: source,
            to: folder.path("copy"), container: .same, fadeFrames: 0,
            isCancelled: {
                asked += 1
                return asked == 2
            })
        #expect(!isThrough)
        #expect(asked == 2)
    }

    @Test func shortSourceIsReportedAsTruncated() throws {
        let source = source(SF_FORMAT_WAV | SF_FORMAT_PCM_16)
        let error = #expect(throws: AudioFileError.self) {
            try copy(source, keeping: [10000..<13000], of: 13000)
        }
        #expect(error?.activity == .reading)
        #expect(error?.reason == .truncated)
        #expect(error?.frame == 12000)
    }

    @Test(arguments: [TrimmedContainer.wav, .flac])
    func fullDeviceIsReportedAsNoSpace(container: TrimmedContainer) throws {
        for frames in [10, 12_000, 2_000_000] {
            let path = folder.path("noise")
            var random = SeededGenerator(seed: 1)
            SoundMaker.write(
                random.noise(frames) as [Int16], format: SF_FORMAT_WAV | SF_FORMAT_PCM_16, to: path)
            let error = #expect(throws: AudioFileError.self) {
                try TrimmedCopy.write(
                    keeping: EditList(keeping: [0..<Int64(frames)], of: Int64(frames)),
                    from: path, to: "/dev/full", container: container, fadeFrames: 0,
                    isCancelled: { false })
            }
            #expect(error?.reason == .noSpace)
            #expect(error?.path == "/dev/full")
            #expect(error?.frame == nil)
        }
    }

    @Test func existingFileIsOverwritten() throws {
        let source = source(SF_FORMAT_WAV | SF_FORMAT_PCM_16)
        folder.write(Array(repeating: 7, count: 100_000), to: "copy")
        #expect(TestFolder.bytes(of: try copy(source, keeping: [0..<10])).count == 44 + 40)
    }
}

extension SoundMaker {
    /// Every sample of a file as a double, which holds any of them, and the library's format word.
    static func exact(_ path: Pathname) throws -> (samples: [Double], format: Int32, rate: Int32) {
        var info = SF_INFO()
        let terminated = path.bytes.map { CChar(bitPattern: $0) } + [0]
        let file = try #require(sf_open(terminated, Int32(SFM_READ), &info))
        defer { sf_close(file) }
        var samples = [Double](repeating: 0, count: Int(info.frames) * Int(info.channels))
        let count = sf_read_double(file, &samples, Int64(samples.count))
        return (Array(samples.prefix(Int(count))), info.format, info.samplerate)
    }
}
