import Analysis
import Audio
import Foundation
import Recordings

/// Tells what silences are found when one step of the detector is left out, for the benchmark.
///
///     ablate RECORDING...
///
/// Prints a JSON object a line for each recording and step, and one with the step "nothing".
///
/// Exit status: 1 where a recording cannot be read; 64 for wrong usage.
@main enum Ablate {
    /// One line of what is printed.
    private struct Line: Codable {
        var without: String
        var recording: String
        var intervalsSeconds: [[Double]]
        var separable: Bool
    }

    static func main() {
        let paths = CommandLine.arguments.dropFirst()
        guard !paths.isEmpty else {
            tell("usage: ablate RECORDING...")
            exit(64)
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        for path in paths {
            do {
                for line in try lines(of: path) {
                    print(String(decoding: try encoder.encode(line), as: UTF8.self))
                }
            } catch {
                tell("ablate: \(path): \(error)")
                exit(1)
            }
        }
    }

    private static func lines(of path: String) throws -> [Line] {
        var reader = try AudioFileReader(opening: Pathname(path))
        var meter = SpectrumMeter(
            sampleRateHertz: reader.format.sampleRateHertz, channels: reader.format.channels)
        _ = try reader.forEachBlock { meter.consume($0) }
        let track = meter.finish()
        let format = reader.decodedFormat
        var recipe = SilenceRecipe()
        recipe.minimumSeconds = 0.3
        // The network has no steps to be left out.
        recipe.detector = .classical
        let all: [(name: String, step: DetectorSteps)] = [("nothing", [])] + DetectorSteps.named
        return all.map { name, step in
            let map = SilenceDetector.detect(
                track, recipe: recipe, format: format, steps: .all.subtracting(step))
            return Line(
                without: name, recording: path, intervalsSeconds: map.intervalsSeconds,
                separable: map.separable)
        }
    }

    private static func tell(_ line: String) {
        FileHandle.standardError.write(Data("\(line)\n".utf8))
    }
}
