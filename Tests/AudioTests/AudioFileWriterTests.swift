import Audio
import Recordings
import TestSupport
import Testing

@Suite struct AudioFileWriterTests {
    private let folder = TestFolder()

    private static let formats: [(AudioContainer, SampleEncoding)] = [
        (.wav, .pcm16), (.wav, .pcm24), (.flac, .pcm16), (.mp3, .mp3), (.ogg, .vorbis),
        (.ogg, .opus),
    ]

    private func format(
        _ container: AudioContainer, _ encoding: SampleEncoding, frames: Int64 = 0
    ) -> AudioFormat {
        AudioFormat(
            container: container, encoding: encoding, sampleRateHertz: 48_000, channels: 2,
            frames: frames)
    }

    @Test(arguments: formats)
    func writesWhatTheReaderReads(container: AudioContainer, encoding: SampleEncoding) throws {
        let path = folder.path("sound")
        let samples = tone(frames: 24_000, channels: 2).map { Float($0) }
        let asked = format(container, encoding)
        #expect(AudioFileWriter.canWrite(asked))
        var writer = try AudioFileWriter(creating: path, as: asked)
        try writer.write(Array(samples[..<20_000]))
        try writer.write(Array(samples[20_000...]))
        try writer.finish()

        let decoded = try Decoded(path)
        #expect(decoded.format.container == container && decoded.format.encoding == encoding)
        #expect(decoded.format.sampleRateHertz == 48_000 && decoded.format.channels == 2)
        // An MP3 has a length in whole frames of its own, of 1152.
        #expect(abs(decoded.samples.count / 2 - 24_000) < 1152)
        let (before, after) = (loudness(samples), loudness(decoded.samples))
        #expect(abs(after / before - 1) < 0.05)
    }

    @Test func clampsWhatIsBeyondFullScale() throws {
        let path = folder.path("sound")
        var writer = try AudioFileWriter(creating: path, as: format(.wav, .pcm16))
        try writer.write([1.5, -1.5, 0, 0])
        try writer.finish()
        #expect(try Decoded(path).int16 == [.max, .min, 0, 0])
    }

    @Test func refusesWhatItCannotEncode() {
        let refused = format(.wav, .opus)
        #expect(!AudioFileWriter.canWrite(refused))
        let path = folder.path("sound")
        let error = #expect(throws: AudioFileError.self) {
            var writer = try AudioFileWriter(creating: path, as: refused)
            try writer.write([])
        }
        #expect(error?.reason == .unsupportedEncoding)
    }

    @Test func saysThatTheFileCannotBeMade() {
        let path = folder.path("nowhere/sound")
        let error = #expect(throws: AudioFileError.self) {
            var writer = try AudioFileWriter(creating: path, as: format(.wav, .pcm16))
            try writer.write([])
        }
        #expect(error?.activity == .creating && error?.reason == .vanished)
    }

    private func loudness(_ samples: [Float]) -> Float {
        samples.reduce(0) { $0 + $1 * $1 }.squareRoot()
    }
}
