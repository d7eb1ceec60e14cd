import Foundation

/// WAV files of 16-bit samples, written and read by hand so that no test depends on what it tests.
///
/// Loops over samples are plain ones, since test builds are not optimised and there are many.
package enum SmallWAV {
    package static let sampleRateHertz = 8000

    /// A whole file; samples of several channels are interleaved.
    package static func bytes(
        _ samples: [Int16], channels: Int = 1, sampleRateHertz: Int = sampleRateHertz
    ) -> [UInt8] {
        func little(_ number: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        var data = [UInt8](repeating: 0, count: 2 * samples.count)
        data.withUnsafeMutableBytes { data in
            var index = 0
            while index < samples.count {
                data.storeBytes(
                    of: samples[index].littleEndian, toByteOffset: 2 * index, as: Int16.self)
                index += 1
            }
        }
        let frameBytes = 2 * channels
        let format =
            little(1, 2) + little(channels, 2) + little(sampleRateHertz, 4)
            + little(frameBytes * sampleRateHertz, 4) + little(frameBytes, 2) + little(16, 2)
        return Array("RIFF".utf8) + little(36 + data.count, 4) + Array("WAVEfmt ".utf8)
            + little(16, 4) + format + Array("data".utf8) + little(data.count, 4) + data
    }

    /// The samples of a file of 16-bit PCM; `nil` where it is none.
    package static func samples(in bytes: [UInt8]) -> [Int16]? {
        func number(_ place: Int, _ count: Int) -> Int {
            (0..<count).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
        }
        guard bytes.count >= 44, bytes.starts(with: "RIFF".utf8) else { return nil }
        var place = 12
        var isPCM16 = false
        while place + 8 <= bytes.count {
            let name = String(decoding: bytes[place..<place + 4], as: UTF8.self)
            let size = number(place + 4, 4)
            let first = place + 8
            if name == "fmt " {
                isPCM16 = number(first, 2) == 1 && number(first + 14, 2) == 16
            } else if name == "data", isPCM16 {
                let end = min(first + size, bytes.count)
                return numbers(in: bytes[first..<end])
            }
            place = first + size + size % 2
        }
        return nil
    }

    private static func numbers(in bytes: ArraySlice<UInt8>) -> [Int16] {
        var samples = [Int16](repeating: 0, count: bytes.count / 2)
        bytes.withUnsafeBytes { bytes in
            var index = 0
            while index < samples.count {
                samples[index] = Int16(
                    littleEndian: bytes.loadUnaligned(fromByteOffset: 2 * index, as: Int16.self))
                index += 1
            }
        }
        return samples
    }

    /// Seconds of digital silence, of a voice that rises and falls, and of digital silence.
    ///
    /// It peaks at half of full scale.
    package static func voice(
        after leading: Double = 1, seconds: Double = 1, before trailing: Double = 1,
        hertz: Double = 147
    ) -> [Int16] {
        let rate = Double(sampleRateHertz)
        let silence = { [Int16](repeating: 0, count: Int($0 * rate)) }
        let voice = SpokenSound.samples(
            hertz: hertz, seconds: seconds, sampleRateHertz: sampleRateHertz)
        var peak: Float = 1e-9
        var frame = 0
        while frame < voice.count {
            peak = max(peak, abs(voice[frame]))
            frame += 1
        }
        var samples = [Int16](repeating: 0, count: voice.count)
        frame = 0
        while frame < voice.count {
            samples[frame] = Int16((16_384 / peak * voice[frame]).rounded())
            frame += 1
        }
        return silence(leading) + samples + silence(trailing)
    }
}
