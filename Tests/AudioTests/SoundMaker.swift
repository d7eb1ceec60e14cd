import CSndfile
import Recordings
import TestSupport

/// Small sound files with known samples, written by libsndfile.
enum SoundMaker {
    /// A tag of the kind that MP3s have, which some put before a FLAC.
    static let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 20] + Array(repeating: 0, count: 20)

    /// Writes samples, interleaved by channel, as the encoding holds them; `map` says which channel
    /// goes to which loudspeaker.
    static func write(
        _ samples: [Int32], format: Int, rate: Int = 8000, channels: Int = 1, map: [Int32] = [],
        to path: Pathname
    ) {
        write(samples, format, rate, channels, path) { file, count in
            var map = map
            let bytes = Int32(map.count * MemoryLayout<Int32>.size)
            if bytes > 0 { sf_command(file, Int32(SFC_SET_CHANNEL_MAP_INFO), &map, bytes) }
            return sf_write_int(file, samples, count)
        }
    }

    static func write(
        _ samples: [Int16], format: Int, rate: Int = 8000, channels: Int = 1, to path: Pathname
    ) {
        write(samples, format, rate, channels, path) { sf_write_short($0, samples, $1) }
    }

    static func write(
        _ samples: [Double], format: Int, rate: Int = 8000, channels: Int = 1, to path: Pathname
    ) {
        write(samples, format, rate, channels, path) { sf_write_double($0, samples, $1) }
    }

    static func canWrite(_ format: Int, rate: Int = 8000, channels: Int = 1) -> Bool {
        var info = self.info(format, rate, channels)
        return sf_format_check(&info) != 0
    }

    private static func info(_ format: Int, _ rate: Int, _ channels: Int) -> SF_INFO {
        SF_INFO(
            frames: 0, samplerate: Int32(rate), channels: Int32(channels), format: Int32(format),
            sections: 0, seekable: 0)
    }

    private static func write<Sample>(
        _ samples: [Sample], _ format: Int, _ rate: Int, _ channels: Int, _ path: Pathname,
        _ write: (OpaquePointer, Int64) -> Int64
    ) {
        var info = info(format, rate, channels)
        let terminated = path.bytes.map { CChar(bitPattern: $0) } + [0]
        guard let file = sf_open(terminated, Int32(SFM_WRITE), &info) else {
            preconditionFailure("\(path): \(String(cString: sf_strerror(nil)))")
        }
        let written = write(file, Int64(samples.count))
        precondition(written == Int64(samples.count), "Only \(written) samples were taken.")
        sf_close(file)
    }

    /// What libsndfile itself reads as 16 bits.
    static func librarysShorts(of path: Pathname) -> [Int16] {
        var info = SF_INFO()
        let terminated = path.bytes.map { CChar(bitPattern: $0) } + [0]
        guard let file = sf_open(terminated, Int32(SFM_READ), &info) else { return [] }
        defer { sf_close(file) }
        var samples = [Int16](repeating: 0, count: Int(info.frames) * Int(info.channels))
        let count = sf_read_short(file, &samples, Int64(samples.count))
        return Array(samples.prefix(Int(count)))
    }
}

/// Everything that a file holds.
struct Decoded: Equatable {
    var format: AudioFormat
    var int16: [Int16] = []
    var samples: [Float] = []
}

/// A sine of `frames` frames at 16 bits, for encoders that need something to encode.
func tone(frames: Int, channels: Int = 1, amplitude: Double = 0.5) -> [Double] {
    // A recurrence instead of a sine, so that no library is needed: x₊ = 2·cos(ω)·x − x₋.
    var (last, current) = (0.0, amplitude * 0.0998)
    return (0..<frames).flatMap { _ -> [Double] in
        (last, current) = (current, 1.99001 * current - last)
        return Array(repeating: max(-0.99, min(0.99, last)), count: channels)
    }
}
