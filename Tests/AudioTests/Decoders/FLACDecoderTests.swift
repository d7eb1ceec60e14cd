import CSndfile
import Recordings
import TestSupport
import Testing

@testable import Audio

/// Frames of FLAC streams, which come past libsndfile: they are what libsndfile hands over, and
/// where libsndfile complains, so does this.
@Suite struct FLACDecoderTests {
    private let folder = TestFolder()

    /// As many bits as are read of a sample: 16, or 32.
    private static let formats = [
        (SF_FORMAT_PCM_S8, 16), (SF_FORMAT_PCM_16, 16), (SF_FORMAT_PCM_24, 32),
    ]

    /// Noise that nothing makes much smaller.
    private func stream(
        _ format: Int, channels: Int, frames: Int = 40_000, to name: Pathname = "sound.flac"
    ) -> Pathname {
        var random = SeededGenerator(seed: UInt64(channels))
        let path = folder.path(name)
        SoundMaker.write(
            random.noise(frames * channels) as [Int32], format: SF_FORMAT_FLAC | format,
            channels: channels, to: path)
        return path
    }

    /// What a call gave, and what libsndfile says of it.
    private struct Answer: Equatable {
        var samples: ArraySlice<Int32>
        var code: Int?
    }

    /// Asks for some frames by way of the decoder.
    private func answer(_ frames: Int, bits: Int, of file: DecodableFile) -> Answer {
        var short = [Int16](repeating: 7, count: frames * file.format.channels)
        var wide = [Int32](repeating: 7, count: frames * file.format.channels)
        let count =
            bits == 16
            ? file.decoder.read(frames, into: &short) : file.decoder.read(frames, into: &wide)
        let samples = bits == 16 ? short.map(Int32.init) : wide
        return Answer(samples: samples[..<(count * file.format.channels)], code: nil)
    }

    /// Asks for some frames by way of libsndfile alone.
    private func answer(_ frames: Int, bits: Int, of library: SoundFile) -> Answer {
        let channels = Int(library.info.channels)
        var short = [Int16](repeating: 7, count: frames * channels)
        var wide = [Int32](repeating: 7, count: frames * channels)
        let count =
            bits == 16
            ? sf_readf_short(library.handle, &short, Int64(frames))
            : sf_readf_int(library.handle, &wide, Int64(frames))
        let samples = bits == 16 ? short.map(Int32.init) : wide
        return Answer(
            samples: samples[..<(Int(count) * channels)], code: library.refusal?.code)
    }

    /// The file as libsndfile reads it.
    private func library(_ path: Pathname) throws -> SoundFile {
        try SoundFile(reading: SourceFile(opening: path), stream: nil)
    }

    @Test(arguments: formats, [1, 2, 3, 8])
    func samplesMatchLibsndfile(format: (Int, Int), channels: Int) throws {
        let path = stream(format.0, channels: channels)
        let file = try DecodableFile(opening: path)
        let other = try library(path)
        var random = SeededGenerator(seed: 4)
        for _ in 0..<60 {
            if random.chance(percent: 30) {
                let frame = Int64.random(in: 0..<40_000, using: &random)
                #expect(file.decoder.seek(to: frame))
                #expect(sf_seek(other.handle, frame, SEEK_SET) == frame)
            }
            let frames = random.pick([1, 700, 4096, 8192, 30_000])
            let expected = answer(frames, bits: format.1, of: other)
            #expect(answer(frames, bits: format.1, of: file) == expected)
        }
    }

    /// Held against the stream by itself, since libsndfile goes nowhere in many of such files.
    @Test(arguments: formats) func samplesAfterID3TagAreUnchanged(format: (Int, Int)) throws {
        let path = stream(format.0, channels: 2)
        let tagged = try DecodableFile(
            opening: folder.write(SoundMaker.tag + TestFolder.bytes(of: path), to: "tagged.flac"))
        let file = try DecodableFile(opening: path)
        var random = SeededGenerator(seed: 8)
        for _ in 0..<60 {
            if random.chance(percent: 30) {
                let frame = Int64.random(in: 0..<40_000, using: &random)
                #expect(tagged.decoder.seek(to: frame) && file.decoder.seek(to: frame))
            }
            let frames = random.pick([1, 700, 4096, 8192, 30_000])
            let expected = answer(frames, bits: format.1, of: file)
            #expect(answer(frames, bits: format.1, of: tagged) == expected)
        }
    }

    /// Where the header says the length, and where it does not.
    @Test(arguments: formats, 0..<45 as Range<UInt64>)
    func damagedStreamSamplesMatchLibsndfile(format: (Int, Int), seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let frames = Int.random(in: 1...30_000, using: &random)
        var bytes = TestFolder.bytes(of: stream(format.0, channels: 2, frames: frames))
        if seed.isMultiple(of: 3) { FLACBytes.say(frames: 0, in: &bytes) }
        let start = FLACBytes.start(of: bytes)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes.removeLast(Int.random(in: 1..<bytes.count - start, using: &random))
        case 1: bytes.remove(at: Int.random(in: start..<bytes.count, using: &random))
        case 2: bytes += bytes[Int.random(in: start..<bytes.count, using: &random)...]
        default:
            for _ in 0...Int.random(in: 0..<3, using: &random) {
                bytes[Int.random(in: start..<bytes.count, using: &random)] ^=
                    1 << UInt8.random(in: 0..<8, using: &random)
            }
        }
        try compare(folder.write(bytes, to: "damaged.flac"), bits: format.1, &random)
    }

    /// Asks both for all there is, and some more, in pieces of many sizes.
    ///
    /// Up to the first complaint both give the same. What stands behind the last frame is
    /// libsndfile's alone to complain of.
    private func compare(_ path: Pathname, bits: Int, _ random: inout SeededGenerator) throws {
        let file = try DecodableFile(opening: path)
        let other = try library(path)
        var place: Int64 = 0
        for _ in 0..<20 {
            let frames = random.pick([1, 700, 4096, 8192])
            let expected = answer(frames, bits: bits, of: other)
            let given = answer(frames, bits: bits, of: file)
            if let frame = file.decoder.complaint?.frame {
                let sure = Int(max(0, frame - place)) * file.format.channels
                #expect(given.samples.prefix(sure) == expected.samples.prefix(sure))
                return
            }
            #expect(given.samples == expected.samples)
            let isShort = expected.samples.count < frames * file.format.channels
            #expect(expected.code == nil || isShort)
            place += Int64(frames)
        }
    }

    /// Frames that are whole, and stand where no others are, but are not as the header says.
    @Test(arguments: [(SF_FORMAT_PCM_16, 1), (SF_FORMAT_PCM_16, 3), (SF_FORMAT_PCM_24, 2)])
    func framesOfAnotherFormatAreReported(format: Int, channels: Int) throws {
        var own = TestFolder.bytes(of: stream(SF_FORMAT_PCM_16, channels: 2))
        let other = TestFolder.bytes(
            of: stream(format, channels: channels, frames: 8000, to: "other.flac"))
        FLACBytes.say(frames: 48_000, in: &own)
        let path = folder.write(own + other[FLACBytes.start(of: other)...], to: "joined.flac")
        var random = SeededGenerator(seed: 5)
        try compare(path, bits: 16, &random)
        let file = try DecodableFile(opening: path)
        #expect(answer(40_000, bits: 16, of: file).samples.count == 80_000)
        #expect(file.decoder.complaint == nil)
        #expect(answer(8000, bits: 16, of: file).samples.count < 16_000)
        #expect(file.decoder.complaint?.frame == 40_000)
    }

    /// The library puts in silence for frames that are not there, all at one time, and complains of
    /// nothing.
    @Test(arguments: formats, [1, 2, 8])
    func missingFramesAreReportedAndSilenced(format: (Int, Int), channels: Int) throws {
        var bytes = TestFolder.bytes(of: stream(format.0, channels: channels))
        let places = try FLACBytes.places(ofFrames: 0...4, in: bytes)
        bytes.removeSubrange(places[3]..<places[4])
        let file = try DecodableFile(opening: folder.write(bytes, to: "missing.flac"))
        let whole = answer(40_000, bits: format.1, of: file).samples
        let missing: Int64 = 12_288
        #expect(file.decoder.complaint?.frame == missing)
        // Silence of their length has come for them, and what follows is where it belongs.
        #expect(whole.count == 40_000 * channels)
        #expect(whole[(3 * 4096 * channels)..<(4 * 4096 * channels)].allSatisfy { $0 == 0 })
    }

    /// The length in the header, from none over too few to too many.
    @Test(arguments: [0, 1, 4095, 4096, 39_999, 40_001, 50_000])
    func samplesMatchLibsndfileForAnyHeaderLength(length: Int64) throws {
        var bytes = TestFolder.bytes(of: stream(SF_FORMAT_PCM_16, channels: 2))
        FLACBytes.say(frames: length, in: &bytes)
        var random = SeededGenerator(seed: 6)
        try compare(folder.write(bytes, to: "said.flac"), bits: 16, &random)
    }

    /// As it comes out of a pipe: neither does the decoder know it, nor whoever asks.
    @Test(arguments: formats, [1, 2, 8])
    func streamOfUnknownLengthIsReadToEnd(format: (Int, Int), channels: Int) throws {
        var bytes = TestFolder.bytes(of: stream(format.0, channels: channels))
        FLACBytes.say(frames: 0, in: &bytes)
        let path = folder.write(bytes, to: "piped.flac")
        var random = SeededGenerator(seed: 9)
        try compare(path, bits: format.1, &random)
        let file = try DecodableFile(opening: path)
        let read = answer(50_000, bits: format.1, of: file)
        #expect(read.samples.count == 40_000 * channels && read.code == nil)
        #expect(answer(1, bits: format.1, of: file).samples.isEmpty)
        #expect(file.decoder.seek(to: 39_990))
        let last = answer(20, bits: format.1, of: file)
        #expect(last.samples.elementsEqual(read.samples.suffix(10 * channels)))
    }

    /// Its frames go on numbered as they were in what it was taken out of.
    @Test(arguments: [1, 5, 8]) func seekFindsFramesInExtractedPart(first: Int) throws {
        var bytes = TestFolder.bytes(of: stream(SF_FORMAT_PCM_16, channels: 2))
        FLACBytes.say(frames: 0, in: &bytes)
        let places = try FLACBytes.places(ofFrames: 0...first, in: bytes)
        let whole = try DecodableFile(opening: folder.write(bytes, to: "whole.flac"))
        bytes.removeSubrange(places[0]..<places[first])
        let part = try DecodableFile(opening: folder.write(bytes, to: "part.flac"))
        for frame in [0, 700, 1, 5000] as [Int64] where frame < 40_000 - 4096 * Int64(first) {
            #expect(part.decoder.seek(to: frame))
            #expect(whole.decoder.seek(to: frame + 4096 * Int64(first)))
            let expected = answer(3000, bits: 16, of: whole)
            #expect(answer(3000, bits: 16, of: part) == expected)
        }
    }

    /// Frames may each have their own size, and say the number of their first sample.
    @Test(arguments: [nil, 0, 3] as [Int?], [0, 4096 * 8] as [Int64])
    func seekFindsFramesNumberedBySample(missing: Int?, length: Int64) throws {
        let path = stream(SF_FORMAT_PCM_16, channels: 1, frames: 4096 * 8)
        var bytes = TestFolder.bytes(of: path)
        FLACBytes.say(frames: length, in: &bytes)
        FLACBytes.say(blocks: (2048, 4096), in: &bytes)
        let places = try FLACBytes.places(ofFrames: 0...7, in: bytes)
        var numbered = Array(bytes[..<places[0]])
        for (number, place) in places.enumerated() where number != missing {
            var frame =
                [0xff, 0xf9] + bytes[place + 2..<place + 4] + FLACBytes.coded(4096 * number)
            frame.append(FLACStart.checksum(frame[...]))
            let end = number < 7 ? places[number + 1] : bytes.count
            frame += bytes[place + 6..<end - 2]
            let checksum = FLACBytes.checksum(frame)
            numbered += frame + [UInt8(checksum >> 8), UInt8(checksum & 0xff)]
        }
        let whole = try DecodableFile(opening: path)
        let other = try DecodableFile(opening: folder.write(numbered, to: "other.flac"))
        guard missing == nil else {
            _ = answer(4096 * 8, bits: 16, of: other)
            let isPart = missing == 0 && length == 0
            #expect(
                other.decoder.complaint?.frame == (isPart ? nil : missing.map { Int64(4096 * $0) }))
            return
        }
        for frame in [20_000, 700, 32_000, 0] as [Int64] {
            #expect(other.decoder.seek(to: frame) && whole.decoder.seek(to: frame))
            let expected = answer(700, bits: 16, of: whole)
            #expect(answer(700, bits: 16, of: other) == expected)
        }
    }

    /// There is no way to frames whose numbers say nothing but the one over those before them.
    @Test(arguments: [(1000, 4096), (0, 0)]) func seekWorksWithoutUsableFrameNumbers(
        sizes: (least: Int, most: Int)
    ) throws {
        let path = stream(SF_FORMAT_PCM_16, channels: 2)
        var bytes = TestFolder.bytes(of: path)
        FLACBytes.say(blocks: sizes, in: &bytes)
        let whole = try DecodableFile(opening: path)
        let other = try DecodableFile(opening: folder.write(bytes, to: "other.flac"))
        for frame in [700, 9000, 12_000, 39_000] as [Int64] {
            #expect(other.decoder.seek(to: frame) && whole.decoder.seek(to: frame))
            let expected = answer(3000, bits: 16, of: whole)
            #expect(answer(3000, bits: 16, of: other) == expected)
        }
        #expect(other.decoder.seek(to: 0) && whole.decoder.seek(to: 0))
        let first = answer(700, bits: 16, of: whole)
        #expect(answer(700, bits: 16, of: other) == first)
    }

    /// Players put it there, and some of them put it wrong.
    @Test(arguments: [false, true]) func seekWorksDespiteWrongSeekTable(
        isPart: Bool
    ) throws {
        var bytes = TestFolder.bytes(of: stream(SF_FORMAT_PCM_16, channels: 2))
        let whole = try DecodableFile(opening: folder.write(bytes, to: "whole.flac"))
        let places = try FLACBytes.places(ofFrames: 0...8, in: bytes)
        if isPart { FLACBytes.say(frames: 0, in: &bytes) }
        // One point for each frame, of which all lie a byte beside it.
        var points: [UInt8] = []
        for (number, place) in places.enumerated() {
            for word in [4096 * number, place - places[0] + min(number, 1)] {
                points += (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) }
            }
            points += [0x10, 0]
        }
        bytes.insert(contentsOf: [3, 0, 0, UInt8(points.count)] + points, at: 42)
        let path = folder.write(bytes, to: "other.flac")
        let other = try DecodableFile(opening: path)
        for frame in [9000, 12_345, 39_000] as [Int64] {
            #expect(other.decoder.seek(to: frame) && whole.decoder.seek(to: frame))
            let expected = answer(700, bits: 16, of: whole)
            #expect(answer(700, bits: 16, of: other) == expected)
        }
    }

    @Test func nonFLACFileIsDecodedByLibsndfile() throws {
        let path = folder.path("sound.wav")
        SoundMaker.write(
            (0..<9000).map { Int16($0) }, format: SF_FORMAT_WAV | SF_FORMAT_PCM_16, to: path)
        let file = try DecodableFile(opening: path)
        #expect(file.decoder is SoundFile)
        #expect(answer(9000, bits: 16, of: file).samples.last == 8999)
    }
}
