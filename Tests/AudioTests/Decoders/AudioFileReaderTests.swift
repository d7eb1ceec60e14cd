import Audio
import CSndfile
import Recordings
import TestSupport
import Testing

@Suite struct AudioFileReaderTests {
    private let folder = TestFolder()

    /// Integer encodings, and by how much they cut the lowest bits of 32.
    private static let integers: [(Int, Int, AudioContainer, SampleEncoding)] = [
        (SF_FORMAT_WAV | SF_FORMAT_PCM_U8, 24, .wav, .pcmU8),
        (SF_FORMAT_WAV | SF_FORMAT_PCM_16, 16, .wav, .pcm16),
        (SF_FORMAT_WAV | SF_FORMAT_PCM_24, 8, .wav, .pcm24),
        (SF_FORMAT_WAV | SF_FORMAT_PCM_32, 0, .wav, .pcm32),
        (SF_FORMAT_WAV | SF_FORMAT_PCM_16 | SF_ENDIAN_BIG, 16, .wav, .pcm16),
        (SF_FORMAT_WAVEX | SF_FORMAT_PCM_24, 8, .wav, .pcm24),
        (SF_FORMAT_RF64 | SF_FORMAT_PCM_16, 16, .rf64, .pcm16),
        (SF_FORMAT_W64 | SF_FORMAT_PCM_24, 8, .w64, .pcm24),
        (SF_FORMAT_AIFF | SF_FORMAT_PCM_S8, 24, .aiff, .pcmS8),
        (SF_FORMAT_AIFF | SF_FORMAT_PCM_16, 16, .aiff, .pcm16),
        (SF_FORMAT_AIFF | SF_FORMAT_PCM_16 | SF_ENDIAN_LITTLE, 16, .aiff, .pcm16),
        (SF_FORMAT_AIFF | SF_FORMAT_PCM_24, 8, .aiff, .pcm24),
        (SF_FORMAT_CAF | SF_FORMAT_PCM_16, 16, .caf, .pcm16),
        (SF_FORMAT_CAF | SF_FORMAT_PCM_32, 0, .caf, .pcm32),
        (SF_FORMAT_CAF | SF_FORMAT_ALAC_16, 16, .caf, .alac16),
        (SF_FORMAT_CAF | SF_FORMAT_ALAC_20, 12, .caf, .alac20),
        (SF_FORMAT_CAF | SF_FORMAT_ALAC_24, 8, .caf, .alac24),
        (SF_FORMAT_CAF | SF_FORMAT_ALAC_32, 0, .caf, .alac32),
        (SF_FORMAT_AU | SF_FORMAT_PCM_16, 16, .au, .pcm16),
        (SF_FORMAT_FLAC | SF_FORMAT_PCM_S8, 24, .flac, .pcmS8),
        (SF_FORMAT_FLAC | SF_FORMAT_PCM_16, 16, .flac, .pcm16),
        (SF_FORMAT_FLAC | SF_FORMAT_PCM_24, 8, .flac, .pcm24),
    ]

    /// Both extremes, both sides of zero, and a run through the rest; 3001 stereo frames.
    private static let wide: [Int32] =
        [.max, .min, 1 << 24, -1 << 24, 1 << 16, -1 << 16, 0x1234_5678, -0x1234_5678, 255, -1]
        + (0..<5992).map { Int32(truncatingIfNeeded: $0 * 0x0765_4321) }

    /// What clipping is told by.
    @Test(arguments: [
        (SF_FORMAT_PCM_U8, SampleEncoding.pcmU8), (SF_FORMAT_PCM_16, .pcm16),
        (SF_FORMAT_ALAW, .aLaw), (SF_FORMAT_ULAW, .muLaw),
    ]) func largestSampleIsReadAsFullScale(subtype: Int, encoding: SampleEncoding) throws {
        let path = folder.path("loud.wav")
        SoundMaker.write([Int16.max, .min], format: SF_FORMAT_WAV | subtype, to: path)
        let decoded = try Decoded(path)
        #expect(decoded.format.encoding == encoding)
        #expect(decoded.samples[0] == encoding.fullScale)
        #expect(decoded.samples[1] <= -encoding.fullScale)
    }

    @Test(arguments: integers)
    func integerSamplesAreTruncatedTo16Bits(
        format: Int, cutBits: Int, container: AudioContainer, encoding: SampleEncoding
    ) throws {
        let path = folder.path("sound")
        SoundMaker.write(Self.wide, format: format, rate: 16000, channels: 2, to: path)
        let decoded = try Decoded(path)
        let stored = Self.wide.map { ($0 >> Int32(cutBits)) << Int32(cutBits) }
        #expect(decoded.int16 == stored.map { Int16($0 >> 16) })
        #expect(decoded.samples == stored.map { Float($0) / 0x1p31 })
        #expect(
            decoded.format
                == AudioFormat(
                    container: container, encoding: encoding, sampleRateHertz: 16000, channels: 2,
                    frames: 3001))
    }

    @Test(arguments: [SF_FORMAT_WAV, SF_FORMAT_AIFF, SF_FORMAT_CAF, SF_FORMAT_AU, SF_FORMAT_W64])
    func floatSamplesAreTruncatedTowardZeroAndClamped(container: Int) throws {
        let values: [Double] = [
            0, 1, -1, 0.5, -0.5, 0.99999, -0.99999, 1.5, -1.5, 1e9, 2e-5, -2e-5,
        ]
        for encoding in [SF_FORMAT_FLOAT, SF_FORMAT_DOUBLE] {
            let path = folder.path("float")
            SoundMaker.write(values, format: container | encoding, to: path)
            let decoded = try Decoded(path)
            #expect(
                decoded.int16 == [
                    0, 32767, -32767, 16383, -16383, 32766, -32766, 32767, -32768, 32767, 0, 0,
                ])
            #expect(decoded.samples == values.map { Float($0) })
        }
    }

    @Test func nonFiniteAndHugeSamplesAreReadAsZero() throws {
        let path = folder.path("nan.wav")
        let values = [.nan, .infinity, -2e9, 0.25, -.nan]
        SoundMaker.write(values, format: SF_FORMAT_WAV | SF_FORMAT_FLOAT, to: path)
        let decoded = try Decoded(path)
        #expect(decoded.samples == [0, 0, 0, 0.25, 0])
        #expect(decoded.int16 == [0, 0, 0, 8191, 0])
    }

    @Test(arguments: [
        (SF_FORMAT_WAV | SF_FORMAT_ALAW, SampleEncoding.aLaw),
        (SF_FORMAT_WAV | SF_FORMAT_ULAW, .muLaw), (SF_FORMAT_AU | SF_FORMAT_ULAW, .muLaw),
        (SF_FORMAT_WAV | SF_FORMAT_GSM610, .gsm610),
        (SF_FORMAT_WAV | SF_FORMAT_IMA_ADPCM, .imaADPCM),
        (SF_FORMAT_WAV | SF_FORMAT_MS_ADPCM, .msADPCM),
        (SF_FORMAT_OGG | SF_FORMAT_VORBIS, .vorbis), (SF_FORMAT_OGG | SF_FORMAT_OPUS, .opus),
    ])
    func compressedSoundMatchesLibsndfileIn16Bits(
        format: Int, encoding: SampleEncoding
    ) throws {
        let path = folder.path("compressed")
        SoundMaker.write(tone(frames: 20000), format: format, to: path)
        let decoded = try Decoded(path)
        #expect(decoded.format.encoding == encoding)
        #expect(decoded.int16.count >= 20000)
        #expect(decoded.int16.max() ?? 0 > 8000)
        // Of GSM the library also gives what fills up the last block.
        let shorts = SoundMaker.librarysShorts(of: path)
        #expect(decoded.int16[...] == shorts.prefix(encoding == .gsm610 ? 20000 : shorts.count))
    }

    @Test func lossySamplesAreRoundedHalfToEvenAndClamped() throws {
        // Loud noise comes back from Vorbis beyond full scale, where the library's own 16 bits
        // wrap.
        let path = folder.path("loud.ogg")
        let loud = (0..<30000).map { ($0 * $0 / 7) % 13 < 6 ? 1.0 : -1.0 }
        SoundMaker.write(loud, format: SF_FORMAT_OGG | SF_FORMAT_VORBIS, to: path)
        let decoded = try Decoded(path)
        #expect(decoded.samples.contains { $0 > 1 })
        let expected = decoded.samples.map {
            Int16(max(-32768, min(32767, ($0 * 32767).rounded(.toNearestOrEven))))
        }
        #expect(decoded.int16 == expected)
    }

    @Test(arguments: [1, 7, 1000, 3000, 3001, 3002, 65536])
    func samplesAreIndependentOfBlockSize(blockFrames: Int) throws {
        for format in [SF_FORMAT_WAV | SF_FORMAT_PCM_24, SF_FORMAT_FLAC | SF_FORMAT_PCM_16] {
            let path = folder.path("blocks")
            SoundMaker.write(Self.wide, format: format, channels: 2, to: path)
            #expect(try Decoded(path, blockFrames: blockFrames) == Decoded(path))
        }
    }

    @Test func blocksAreFullThenPartialThenEmpty() throws {
        let path = folder.path("partial.wav")
        SoundMaker.write(Self.wide, format: SF_FORMAT_WAV | SF_FORMAT_PCM_16, channels: 2, to: path)
        var reader = try AudioFileReader(opening: path)
        var block = AudioBlock(channels: 2, capacityFrames: 2000)
        var lent: [Int] = []
        for _ in 0..<4 {
            try reader.read(into: &block)
            lent.append(block.frames)
        }
        #expect(lent == [2000, 1001, 0, 0])
        #expect(reader.framesRead == 3001)
        #expect(reader.decodedFormat.frames == 3001)
    }

    @Test func fileWithNonUTF8NameIsOpened() throws {
        let path = folder.path(Pathname(bytes: [0xFF, 0xFE, 0x2E, 0x77]))
        SoundMaker.write(Self.wide, format: SF_FORMAT_WAV | SF_FORMAT_PCM_16, to: path)
        #expect(try Decoded(path).int16.count == Self.wide.count)
    }

    @Test func forEachBlockVisitsAllBlocksAndCanStop() throws {
        let path = folder.path("sound")
        SoundMaker.write(
            [Int16](repeating: 7, count: 20_000), format: SF_FORMAT_WAV | SF_FORMAT_PCM_16,
            to: path)
        var reader = try AudioFileReader(opening: path)
        var frames: [Int] = []
        #expect(try reader.forEachBlock { frames.append($0.frames) })
        #expect(frames == [8192, 8192, 3616])

        reader = try AudioFileReader(opening: path)
        var left = 2
        let isThrough = try reader.forEachBlock(while: { left > 0 }) { _ in left -= 1 }
        #expect(!isThrough && reader.framesRead == 16_384)
    }
}
