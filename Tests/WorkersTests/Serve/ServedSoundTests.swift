import Recordings
import TestSupport
import Testing

@testable import Workers

/// Recordings that are sent as WAV while they are decoded.
@Suite struct ServedSoundTests {
    private let folder = TestFolder()

    private func sound(_ bytes: [UInt8], _ format: AudioFormat) throws -> ServedSound {
        folder.write(bytes, to: "a.wav")
        let file = try ServedFile("a.wav", below: DirectoryHandle(folder.path))
        return ServedSound(file, format, withoutHeaderAs: nil)
    }

    private func all(_ sound: ServedSound, from place: Int64 = 0, in step: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let next = sound.read(at: place + Int64(bytes.count), count: step)
            if next.isEmpty { return bytes }
            bytes += next
        }
    }

    /// A WAV file of 16 bits decoded and sent as one is that file again.
    @Test(arguments: [1, 2, 3])
    func everyPartIsThatOfTheWhole(channels: Int) throws {
        let samples = (0..<channels * 50_000).map { Int16(truncatingIfNeeded: $0 * 7919) }
        let bytes = SmallWAV.bytes(samples, channels: channels)
        let format = AudioFormat(
            container: .wav, encoding: .pcm16, sampleRateHertz: SmallWAV.sampleRateHertz,
            channels: channels, frames: 50_000)
        let sound = try sound(bytes, format)
        #expect(sound.length == Int64(bytes.count))
        #expect(all(sound, in: 100_000) == bytes)
        #expect(all(sound, in: 7777) == bytes)
        var random = SeededGenerator(seed: 5)
        for _ in 0..<50 {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            let part = sound.read(at: Int64(place), count: 1001)
            #expect(!part.isEmpty && bytes[place...].starts(with: part))
        }
        #expect(sound.read(at: sound.length, count: 1) == [])
    }

    @Test func longRecordingHasTheHeaderOfRF64() throws {
        let format = AudioFormat(
            container: .w64, encoding: .pcm24, sampleRateHertz: 48_000, channels: 2,
            frames: 2_000_000_000)
        let sound = try sound([0], format)
        let header = sound.read(at: 0, count: 200)
        #expect(header.count == 80 && header.starts(with: "RF64".utf8))
        #expect(sound.length == 80 + 8_000_000_000)
        func number(at place: Int) -> Int {
            (0..<8).reduce(0) { $0 | Int(header[place + $1]) << (8 * $1) }
        }
        #expect(number(at: 20) == 8_000_000_072)
        #expect(number(at: 28) == 8_000_000_000)
        #expect(number(at: 36) == 2_000_000_000)
    }

    /// A record may hold what no recording has.
    @Test func impossibleFormatDoesNotEndTheServer() throws {
        let format = AudioFormat(
            container: .wav, encoding: .pcm16, sampleRateHertz: 1_000_000_000, channels: 65_535,
            frames: .max)
        #expect(try sound([0], format).read(at: 0, count: 200).count == 80)
    }

    /// What cannot be decoded ends early, and does not bring anything down.
    @Test func brokenRecordingEndsEarly() throws {
        let format = AudioFormat(
            container: .wav, encoding: .pcm16, sampleRateHertz: 8000, channels: 1, frames: 1000)
        let none = try sound(Array("nonsense".utf8), format)
        #expect(all(none, in: 1000).count == 44)
        let bytes = SmallWAV.bytes(Array(repeating: 1, count: 500))
        #expect(all(try sound(bytes, format), in: 300).count == 44 + 1000)
    }
}
