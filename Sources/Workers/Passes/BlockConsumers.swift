import Analysis
import Jobs
import Recordings

/// The results of decoding a recording.
struct Heard: Sendable {
    var sampleRateHertz = 0
    var peaks: [Peaks] = []
    /// `nil` if nothing was decoded.
    var measurements: Measurements?
}

/// The analyses that consume each decoded block, as selected by the stages.
struct BlockConsumers {
    private let format: AudioFormat
    private let recipe: SilenceRecipe
    private let listensForSilence: Bool
    private var waveform: WaveformBuilder?
    private var levels: LevelMeter?
    private var spectrum: SpectrumMeter?
    private(set) var framesHeard: Int64 = 0

    init(
        _ format: AudioFormat, _ stages: Stages, _ drawing: WaveformRecipe, _ recipe: SilenceRecipe
    ) {
        self.format = format
        self.recipe = recipe
        if stages.contains(.waveform) {
            waveform = WaveformBuilder(
                samplesPerPixel: drawing.samplesPerPixel, channels: format.channels,
                splitChannels: drawing.splitChannels)
        }
        if stages.contains(.levels) {
            levels = LevelMeter(channels: format.channels, encoding: format.encoding)
        }
        listensForSilence = stages.contains(.silence)
        if listensForSilence, format.sampleRateHertz >= SilenceMap.leastRateHertz {
            spectrum = SpectrumMeter(
                sampleRateHertz: format.sampleRateHertz, channels: format.channels,
                keepsBands: recipe.goesByNetwork)
        }
        // Headers may be wrong: reserve room for at most a day.
        let frames = Int(min(format.frames, 86_400 * Int64(format.sampleRateHertz)))
        waveform?.expect(frames: frames)
        spectrum?.expect(frames: frames)
    }

    mutating func consume(_ block: borrowing AudioBlock) {
        waveform?.consume(block)
        levels?.consume(block)
        spectrum?.consume(block)
        framesHeard += Int64(block.frames)
    }

    /// Returns the results, once; after a decoding error, those of the decoded part.
    /// - Parameter lookAt: receives the track in which silence is detected.
    mutating func finish(
        _ decoded: AudioFormat?, lookAt: (ActivityTrack) -> Void = { _ in }
    ) -> Heard {
        let format = decoded ?? partialFormat
        let peaks = waveform?.finish() ?? []
        let track = spectrum?.finish()
        track.map(lookAt)
        let measurements = Measurements(
            format: format, levels: levels?.finish(),
            silence: track.map {
                SilenceDetector.detect($0, recipe: recipe, format: format)
            } ?? (listensForSilence ? .notAnalysed(of: format) : nil))
        return Heard(
            sampleRateHertz: format.sampleRateHertz, peaks: peaks, measurements: measurements)
    }

    private var partialFormat: AudioFormat {
        AudioFormat(
            container: format.container, encoding: format.encoding,
            sampleRateHertz: format.sampleRateHertz, channels: format.channels,
            frames: framesHeard)
    }
}
