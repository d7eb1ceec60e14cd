import Analysis
import Jobs
import Recordings

/// What listening to a recording gave.
struct Heard: Sendable {
    var sampleRateHertz = 0
    var peaks: [Peaks] = []
    /// `nil` where nothing was heard.
    var measurements: Measurements?
}

/// Those who take their turn on each block, as far as their stages are wanted.
struct Listeners {
    private let format: AudioFormat
    private let recipe: SilenceRecipe
    private let listensForSilence: Bool
    private var waveform: WaveformBuilder?
    private var levels: LevelMeter?
    private var spectrum: SpectrumMeter?
    private(set) var framesHeard: Int64 = 0

    init(_ order: ListeningOrder, _ format: AudioFormat) {
        self.format = format
        recipe = order.silence
        if order.stages.contains(.waveform) {
            waveform = WaveformBuilder(
                samplesPerPixel: order.waveform.samplesPerPixel, channels: format.channels,
                splitChannels: order.waveform.splitChannels)
        }
        if order.stages.contains(.levels) {
            levels = LevelMeter(channels: format.channels, encoding: format.encoding)
        }
        listensForSilence = order.stages.contains(.silence)
        if listensForSilence, format.sampleRateHertz >= SilenceMap.leastRateHertz {
            spectrum = SpectrumMeter(
                sampleRateHertz: format.sampleRateHertz, channels: format.channels,
                keepsBands: order.silence.goesByNetwork)
        }
        // Headers may lie: a day is the most that room is made for.
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

    /// Draws the conclusions, once; of what was heard, where decoding ended in an error.
    mutating func finish(_ decoded: AudioFormat?) -> Heard {
        let format = decoded ?? partialFormat
        let peaks = waveform?.finish() ?? []
        let track = spectrum?.finish()
        let measurements = Measurements(
            format: format, levels: levels?.finish(),
            silence: track.map {
                SilenceDetector.detect($0, recipe: recipe, format: format)
            } ?? (listensForSilence ? .notAnalysed : nil))
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
