import Foundation

/// WAV files of 16-bit samples, written and read by hand so that no test depends on what it tests.
package enum SmallWAV {
    package static let sampleRateHertz = 8000

    /// A whole file; samples of several channels are interleaved.
    package static func bytes(
        _ samples: [Int16], channels: Int = 1, sampleRateHertz: Int = sampleRateHertz
    ) -> [UInt8] {
        func little(_ number: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        let data = samples.flatMap { little(Int($0), 2) }
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
                return stride(from: first, to: end - 1, by: 2).map {
                    Int16(truncatingIfNeeded: number($0, 2))
                }
            }
            place = first + size + size % 2
        }
        return nil
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
        let period = (0..<1024).map { place in
            let angle = 2 * Double.pi * Double(place) / 1024
            return (1...max(1, Int(3000 / hertz))).reduce(0.0) {
                $0 + sin(angle * Double($1) + Double($1 * $1)) / Double($1)
            }
        }
        var place = 0.0
        let voice = (0..<Int(seconds * rate)).map { frame in
            let time = Double(frame) / rate
            // Four syllables a second, in a melody: what keeps its tone is no speech.
            place += hertz / rate * (1 + 0.12 * sin(8 * time))
            let loudness = sin(4 * Double.pi * time + 0.7)
            return (0.3 + 0.7 * loudness * loudness) * period[Int(1024 * place) % 1024]
        }
        let peak = voice.reduce(1e-9) { max($0, abs($1)) }
        let samples = voice.map { Int16((16_384 / peak * $0).rounded()) }
        return silence(leading) + samples + silence(trailing)
    }
}
