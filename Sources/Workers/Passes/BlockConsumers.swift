import Analysis
import Jobs
import Recordings

/// The results of decoding a recording.
struct Heard: Sendable {
    var peaks: [Peaks] = []
    /// `nil` if nothing was decoded.
    var measurements: Measurements?
    /// `nil` if no picture is wanted.
    var picture: HeardPicture?
}

/// What a picture of a recording shows.
struct HeardPicture: Sendable {
    /// Of each channel, about 100 pixels per second.
    var peaks: Peaks
    var spectrogram: Spectrogram
    /// Of the first channel if these are looked at by themselves; `nil` if silence was not
    /// looked for.
    var trace: DetectorTrace?
}

/// The analyses that consume each decoded block, as selected by the stages.
struct BlockConsumers {
    private let format: AudioFormat
    private let recipe: SilenceRecipe
    private let listensForSilence: Bool
    private var waveform: WaveformBuilder?
    private var levels: LevelMeter?
    /// One for all channels together, or one for each.
    private var spectra: [SpectrumMeter] = []
    /// For a picture.
    private var overview: WaveformBuilder?
    private var spectrogram: SpectrogramBuilder?
    /// One channel of a block.
    private var channel = AudioBlock(channels: 1, capacityFrames: 0)
    private(set) var framesHeard: Int64 = 0

    /// - Parameter drawn: the frames that a picture shows; `nil` if none is wanted.
    init(
        _ format: AudioFormat, _ stages: Stages, _ drawing: WaveformRecipe,
        _ recipe: SilenceRecipe, drawingFrames drawn: Range<Int>? = nil
    ) {
        self.format = format
        if let drawn {
            overview = WaveformBuilder(
                zooms: [.samplesPerPixel(max(1, format.sampleRateHertz / 100))],
                channels: format.channels,
                splitChannels: true)
            spectrogram = SpectrogramBuilder(
                sampleRateHertz: format.sampleRateHertz, channels: format.channels, part: drawn)
        }
        self.recipe = recipe
        if stages.contains(.waveform) {
            waveform = WaveformBuilder(
                zooms: drawing.zooms(atRate: format.sampleRateHertz), channels: format.channels,
                splitChannels: drawing.splitChannels)
        }
        if stages.contains(.levels) {
            levels = LevelMeter(channels: format.channels, encoding: format.encoding)
        }
        listensForSilence = stages.contains(.silence)
        if listensForSilence, format.sampleRateHertz >= SilenceMap.leastRateHertz {
            let meters = recipe.channels == .each ? format.channels : 1
            let meter = SpectrumMeter(
                sampleRateHertz: format.sampleRateHertz, channels: format.channels / meters,
                keepsBands: recipe.goesByNetwork)
            spectra = Array(repeating: meter, count: meters)
        }
        // Headers may be wrong: reserve room for at most a day.
        let frames = Int(min(format.frames, 86_400 * Int64(format.sampleRateHertz)))
        waveform?.expect(frames: frames)
        for index in spectra.indices { spectra[index].expect(frames: frames) }
    }

    mutating func consume(_ block: borrowing AudioBlock) {
        waveform?.consume(block)
        levels?.consume(block)
        overview?.consume(block)
        spectrogram?.consume(block)
        if spectra.count == 1 {
            spectra[0].consume(block)
        } else {
            for index in spectra.indices {
                channel.copySamples(ofChannel: index, in: block)
                spectra[index].consume(channel)
            }
        }
        framesHeard += Int64(block.frames)
    }

    /// Returns the results, once; after a decoding error, those of the decoded part.
    mutating func finish(_ decoded: AudioFormat?) -> Heard {
        let format = decoded ?? partialFormat
        let peaks = waveform?.finish() ?? []
        var maps: [SilenceMap] = []
        var trace: DetectorTrace?
        for index in spectra.indices {
            let track = spectra[index].finish()
            if spectrogram != nil, trace == nil {
                let found = SilenceDetector.detectAndTrace(track, recipe: recipe, format: format)
                maps.append(found.0)
                trace = found.1
            } else {
                maps.append(SilenceDetector.detect(track, recipe: recipe, format: format))
            }
        }
        let silence = SilenceMap(whereAllAreSilent: maps, format, recipe)
        let measurements = Measurements(
            format: format, levels: levels?.finish(),
            silence: silence ?? (listensForSilence ? .notAnalysed(of: format) : nil))
        var heard = Heard(peaks: peaks, measurements: measurements)
        if let overview = overview?.finish().first, let spectrogram = spectrogram?.finish() {
            heard.picture = HeardPicture(peaks: overview, spectrogram: spectrogram, trace: trace)
        }
        return heard
    }

    private var partialFormat: AudioFormat { format.with(frames: framesHeard) }
}
