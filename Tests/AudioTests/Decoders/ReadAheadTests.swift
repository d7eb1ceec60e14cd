import CSndfile
import Recordings
import TestSupport
import Testing

@testable import Audio

/// What is read in larger pieces than the decoder asks for.
@Suite struct ReadAheadTests {
    private let folder = TestFolder()
    private static let formats = [
        SF_FORMAT_WAV | SF_FORMAT_PCM_16, SF_FORMAT_WAV | SF_FORMAT_PCM_24,
        SF_FORMAT_WAV | SF_FORMAT_IMA_ADPCM, SF_FORMAT_WAV | SF_FORMAT_GSM610,
        SF_FORMAT_AIFF | SF_FORMAT_PCM_16, SF_FORMAT_CAF | SF_FORMAT_ALAC_16,
        SF_FORMAT_FLAC | SF_FORMAT_PCM_16,
    ]
    /// Several times what is read at once, and nothing that an encoder makes small.
    private static let samples = (0..<200_000).map { index in
        Int16(truncatingIfNeeded: (index * 0x0765_4321) >> 9) / 2
    }

    private func sound(_ format: Int) -> Pathname {
        let path = folder.path("sound")
        SoundMaker.write(Self.samples, format: format, to: path)
        return path
    }

    @Test(arguments: formats)
    func readAheadSamplesMatchLibsndfile(format: Int) throws {
        let path = sound(format)
        var expected = SoundMaker.librarysShorts(of: path)
        #expect(expected.count >= Self.samples.count)
        // Of GSM the library also gives what the last block holds behind the sound.
        if format == SF_FORMAT_WAV | SF_FORMAT_GSM610 {
            expected = Array(expected.prefix(Self.samples.count))
        }
        for blockFrames in [700, 4096, 50_000] {
            #expect(try Decoded(path, blockFrames: blockFrames).int16 == expected)
        }
    }

    /// The library seeks by such lengths, which is to fail, and not to end the process.
    @Test(arguments: [Int64.max, .max - 80, .max - 7, .min, -1, 1 << 62])
    func impossibleDataLengthsDoNotCrash(length: Int64) throws {
        let bytes = withUnsafeBytes(of: length.littleEndian, Array.init)
        var rf64 = TestFolder.bytes(of: sound(SF_FORMAT_RF64 | SF_FORMAT_PCM_16))
        rf64.replaceSubrange(28..<36, with: bytes)
        var w64 = TestFolder.bytes(of: sound(SF_FORMAT_W64 | SF_FORMAT_PCM_16))
        let data = try #require(w64.firstRange(of: Array("data".utf8))).lowerBound
        w64.replaceSubrange(data + 16..<data + 24, with: bytes)
        for (name, bytes) in [("a.rf64", rf64), ("a.w64", w64)] as [(Pathname, [UInt8])] {
            let path = folder.write(bytes, to: name)
            // What becomes of the sound is the library's affair.
            _ = try? Decoded.ending(of: path)
        }
    }

    /// Some programs put an ID3 tag before sound of any kind.
    @Test(arguments: [
        SF_FORMAT_WAV | SF_FORMAT_PCM_16, SF_FORMAT_AIFF | SF_FORMAT_PCM_16,
        SF_FORMAT_FLAC | SF_FORMAT_PCM_16,
    ])
    func soundAfterID3TagIsRead(format: Int) throws {
        let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 1, 72] + Array(repeating: 0, count: 200)
        let tagged = folder.write(tag + TestFolder.bytes(of: sound(format)), to: "tagged")
        let file = try DecodableFile(opening: tagged)
        for place in [0, 150_000] {
            var read = [Int16](repeating: 0, count: 1000)
            #expect(file.decoder.seek(to: Int64(place)))
            #expect(file.decoder.read(1000, into: &read) == 1000)
            #expect(read == Array(Self.samples[place..<place + 1000]))
        }
        #expect(try Decoded.ending(of: tagged).0.int16 == Self.samples)
    }
}
