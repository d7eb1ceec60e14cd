import Analysis
import Audio
import Foundation
import Recordings

/// Writes what the speech network is shown of recordings, for the script that trains it.
///
///     show-inputs RECORDING OUTPUT [RECORDING OUTPUT …]
///     show-inputs --detect classical|learned RECORDING …
///
/// Each output holds 32-bit floats, 28 for each frame of 10 ms. With `--detect`, the stretches of
/// sound in seconds instead, as one JSON object for all recordings, and on standard error the CPU
/// time that it took. Exit status: 1 where a recording cannot be read.
@main enum ShowInputs {
    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.first == "--detect", arguments.count > 2,
            let detector = SilenceRecipe.Detector(rawValue: arguments[1])
        {
            return try detect(detector, arguments.dropFirst(2))
        }
        for pair in stride(from: 0, to: arguments.count - 1, by: 2) {
            var seconds = 0.0
            let (_, track) = try listen(to: arguments[pair], keepingBands: true, &seconds)
            let data = track.speechInputs().withUnsafeBytes { Data($0) }
            try data.write(to: URL(fileURLWithPath: arguments[pair + 1]))
        }
    }

    private static func detect(
        _ detector: SilenceRecipe.Detector, _ recordings: ArraySlice<String>
    ) throws {
        var recipe = SilenceRecipe()
        recipe.detector = detector
        recipe.minimumSeconds = 0.3
        var (audio, listening, deciding) = (0.0, 0.0, 0.0)
        var sounds: [String: [[Double]]] = [:]
        for path in recordings {
            let (format, track) = try listen(
                to: path, keepingBands: recipe.goesByNetwork, &listening)
            let start = cpuSeconds()
            let map = SilenceDetector.detect(track, recipe: recipe, format: format)
            deciding += cpuSeconds() - start
            audio += format.durationSeconds
            let ends = map.intervalsSeconds.map { $0[0] } + [format.durationSeconds]
            let starts = [0] + map.intervalsSeconds.map { $0[1] }
            let name = URL(fileURLWithPath: path).lastPathComponent
            sounds[name] = zip(starts, ends).filter { $0 < $1 }.map { [$0, $1] }
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let report = String(
            format: "%.4f ms to listen and %.4f ms to decide for a second of sound\n",
            1000 * listening / audio, 1000 * deciding / audio)
        FileHandle.standardError.write(Data(report.utf8))
        print(String(decoding: try encoder.encode(sounds), as: UTF8.self))
    }

    private static func listen(
        to path: String, keepingBands: Bool, _ seconds: inout Double
    ) throws -> (AudioFormat, ActivityTrack) {
        var reader = try AudioFileReader(opening: Pathname(path))
        let format = reader.format
        var meter = SpectrumMeter(
            sampleRateHertz: format.sampleRateHertz, channels: format.channels,
            keepsBands: keepingBands)
        _ = try reader.forEachBlock { block in
            let start = cpuSeconds()
            meter.consume(block)
            seconds += cpuSeconds() - start
        }
        let start = cpuSeconds()
        let track = meter.finish()
        seconds += cpuSeconds() - start
        return (reader.decodedFormat, track)
    }

    private static func cpuSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
