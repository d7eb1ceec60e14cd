import CSndfile
import Foundation
import Recordings
import TestSupport
import Testing

@testable import Audio

/// What an earlier version decoded, held against the files.
@Suite struct EarlierDecodingTests {
    private let folder = TestFolder()
    private let samples = (0..<30_000).map { Int32(($0 * 2_654_435) & 0xFFFF - 0x8000) << 16 }

    private func confirmed(
        _ path: Pathname, hasCopy: Bool = false, _ change: (inout AudioFormat) -> Void = { _ in }
    ) throws -> Decoding? {
        var format = try Decoded.ending(of: path).0.format
        change(&format)
        return try EarlierDecoding(format, hasCopy: hasCopy).confirmed(by: path)
    }

    private func encoded(_ name: String, _ options: [String]) throws -> Pathname {
        let path = folder.path(Pathname(name))
        try Encoder.run(
            ["-f", "lavfi", "-i", "sine=440:sample_rate=44100:duration=2"] + options + [path.text])
        return path
    }

    @Test(arguments: [
        (SF_FORMAT_WAV | SF_FORMAT_PCM_16, Decoding.Library.libsndfile),
        (SF_FORMAT_WAV | SF_FORMAT_IMA_ADPCM, .libsndfile),
        (SF_FORMAT_W64 | SF_FORMAT_PCM_24, .libsndfile),
        (SF_FORMAT_FLAC | SF_FORMAT_PCM_16, .libFLAC),
        (SF_FORMAT_OGG | SF_FORMAT_VORBIS, .libsndfile),
    ])
    func sameReadingIsConfirmed(format: Int, library: Decoding.Library) throws {
        let path = folder.path("sound")
        SoundMaker.write(samples, format: format, to: path)
        #expect(try confirmed(path, hasCopy: true) == Decoding(by: library))
    }

    @Test func otherReadingIsNotConfirmed() throws {
        let path = folder.path("sound.wav")
        SoundMaker.write(samples, format: SF_FORMAT_WAV | SF_FORMAT_PCM_16, to: path)
        let others: [(inout AudioFormat) -> Void] = [
            { $0.frames -= 100 }, { $0.encoding = .pcm32 }, { $0.sampleRateHertz += 1 },
            { $0.channels += 1 }, { $0.container = .caf },
        ]
        for (index, other) in others.enumerated() {
            #expect(try confirmed(path, other) == nil, "change \(index)")
        }
    }

    /// libsndfile would read the header as sound.
    @Test func readingAgainstTheContainerIsNotConfirmed() throws {
        var bytes = SmallWAV.bytes(SmallWAV.voice(seconds: 1))
        bytes.replaceSubrange(40..<44, with: [16, 0, 0, 0])
        bytes += Array(repeating: 1, count: 100_000)
        #expect(try confirmed(folder.write(bytes, to: "stale.wav")) == nil)
    }

    @Test(arguments: ["1", "0"])
    func mp3IsConfirmedUnlessItsChannelsChange(hasHeader: String) throws {
        let options = ["-c:a", "libmp3lame", "-id3v2_version", "0", "-write_xing", hasHeader]
        let mono = try encoded("mono.mp3", options + ["-ac", "1"])
        let stereo = try encoded("stereo.mp3", options + ["-ac", "2"])
        #expect(try confirmed(mono) == Decoding(by: .libsndfile))
        #expect(try confirmed(stereo) == Decoding(by: .libsndfile))
        let joined = folder.write(
            TestFolder.bytes(of: mono) + TestFolder.bytes(of: stereo), to: "joined.mp3")
        let earlier = AudioFormat(
            container: .mp3, encoding: .mp3, sampleRateHertz: 44_100, channels: 1, frames: 88_200)
        #expect(try EarlierDecoding(earlier, hasCopy: false).confirmed(by: joined) == nil)
    }

    /// Neither do files without a header with the bit rate need to be read in full.
    @Test(arguments: [["-b:a", "64k"], ["-q:a", "5"]])
    func mp3WithoutHeaderIsConfirmed(quality: [String]) throws {
        let options = ["-c:a", "libmp3lame", "-id3v2_version", "0", "-write_xing", "0"]
        #expect(try confirmed(encoded("plain.mp3", options + quality)) != nil)
    }

    @Test func flacOfUnknownLengthIsConfirmed() throws {
        let path = folder.path("sound.flac")
        SoundMaker.write(samples, format: SF_FORMAT_FLAC | SF_FORMAT_PCM_16, to: path)
        var bytes = TestFolder.bytes(of: path)
        bytes[21] &= 0xF0
        bytes.replaceSubrange(22..<26, with: [0, 0, 0, 0])
        let unknown = folder.write(bytes, to: "pipe.flac")
        #expect(try confirmed(unknown) { $0 = $0.with(frames: 30_000) } == Decoding(by: .libFLAC))
    }

    @Test func copyInAnotherOrderOfChannelsIsNotConfirmed() throws {
        let path = try encoded("around.ogg", ["-ac", "6", "-c:a", "libvorbis"])
        #expect(try confirmed(path) != nil)
        #expect(try confirmed(path, hasCopy: true) == nil)
    }

    @Test func missingFileIsAnError() {
        let format = AudioFormat(
            container: .wav, encoding: .pcm16, sampleRateHertz: 8000, channels: 1, frames: 1)
        #expect(throws: AudioFileError.self) {
            try EarlierDecoding(format, hasCopy: false).confirmed(by: folder.path("gone.wav"))
        }
    }
}
