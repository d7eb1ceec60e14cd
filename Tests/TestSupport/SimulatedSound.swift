import Jobs
import Recordings

/// What passes make of a sound: always the same of the same.
enum SimulatedSound {
    /// The decoder fails on it each time, having heard some of it or nothing.
    static func isBroken(_ sound: Int) -> Bool { sound % 6 == 5 }

    static func failure(of sound: Int) -> Job.Action {
        let failure = Example.failure(sound < 6 ? .corrupt : .truncated)
        return .failed(failure, measured: sound < 6 ? nil : Measurements(format: format(of: sound)))
    }

    static func digest(of sound: Int, isWhole: Bool = true) -> String {
        isWhole ? "s\(sound)" : "s\(sound), in part"
    }

    static func format(of sound: Int) -> AudioFormat {
        let isLossy = sound % 3 == 0
        return Example.format(
            container: isLossy ? .mp3 : .wav, encoding: isLossy ? .mp3 : .pcm16)
    }

    static func measurements(of sound: Int, for order: ListeningOrder) -> Measurements {
        let isDecoding = !order.stages.isDisjoint(with: .decoding)
        var measured = Measurements(format: isDecoding ? format(of: sound) : nil)
        if order.stages.contains(.levels) {
            measured.levels = Example.levels(peakDBFS: -Double(sound))
        }
        if order.stages.contains(.silence) {
            measured.silence = silence(of: sound, order.silence)
        }
        if order.stages.contains(.checksum) { measured.sourceSHA256 = digest(of: sound) }
        if order.stages.contains(.waveform) {
            measured.waveforms = zip(order.waveformNames, order.waveform.samplesPerPixel).map {
                waveform($0, of: sound, samplesPerPixel: $1, order.waveform)
            }
        }
        return measured
    }

    static func trimmed(_ order: TrimmingOrder, of sound: Int) -> TrimmedFile {
        let kept = order.edits.edits.reduce(0) { $0 &* 31 &+ $1.sourceFrames[0] &+ $1.frames }
        var file = Example.trimmedFile(for: order)
        // Equal lengths, so that an output that is another's cannot be told by its length.
        file.bytes = 200
        file.sha256 = "c\(sound).\(kept).\(order.fadeFrames).\(order.container.rawValue)"
        file.waveforms = zip(order.waveformNames, order.waveform.samplesPerPixel).map {
            var drawn = waveform($0, of: sound, samplesPerPixel: $1, order.waveform)
            drawn.sha256 += file.sha256
            return drawn
        }
        if file.waveforms?.isEmpty == true { file.waveforms = nil }
        return file
    }

    private static func silence(of sound: Int, _ recipe: SilenceRecipe) -> SilenceMap {
        switch sound % 5 {
        case 0: Example.silence([[0, 1 + recipe.minimumSeconds]])
        case 1: Example.silence([])
        case 2: Example.silence([[3, 6]])
        case 3: Example.silence([[0, 10]], silent: true)
        default: Example.silence([[0, 2], [9, 10]])
        }
    }

    private static func waveform(
        _ name: Pathname, of sound: Int, samplesPerPixel: Int, _ recipe: WaveformRecipe
    ) -> WaveformFile {
        WaveformFile(
            path: name, samplesPerPixel: samplesPerPixel, bits: recipe.bits, channels: 1,
            length: 40, bytes: 100,
            sha256: "w\(sound).\(samplesPerPixel).\(recipe.bits)\(recipe.format.rawValue)")
    }
}
