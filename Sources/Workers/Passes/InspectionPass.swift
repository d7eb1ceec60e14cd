import Analysis
import Audio
import Jobs
import Recordings

/// One decoding of one recording that is to be looked at; nothing is written.
///
/// Memory: a block of frames, and some bytes for each 10 ms.
package struct InspectionPass {
    private let path: Pathname
    private let recipe: SilenceRecipe
    /// Whether there is to be what a picture shows.
    private let isForPicture: Bool
    private let limit = LengthLimit()

    package init(_ path: Pathname, recipe: SilenceRecipe, isForPicture: Bool) {
        self.path = path
        self.recipe = recipe
        self.isForPicture = isForPicture
    }

    /// Runs to the end.
    ///
    /// Throws where nothing could be decoded, or the file changed meanwhile. Where only the
    /// beginning could be, the answer is about that and says why.
    package func run() throws(RecordingFailure) -> Inspection {
        let (outcome, printed) = LibraryOutput.capture {
            Result { () throws(RecordingFailure) -> Inspection in try inspect() }
        }
        do throws(RecordingFailure) {
            var inspection = try outcome.get()
            inspection.decoderMessage = printed
            if let failure = inspection.failure {
                inspection.failure = failure.noting(decoderMessage: printed)
            }
            return inspection
        } catch {
            throw error.noting(decoderMessage: printed)
        }
    }

    private func inspect() throws(RecordingFailure) -> Inspection {
        let status = try inStage(.decode) { () throws(FileSystemError) in
            try FileSystem.status(path)
        }
        guard status.kind == .regular else {
            throw RecordingFailure(stage: .decode, reason: .notARegularFile)
        }
        var reader = try inStage(.decode) { () throws(AudioFileError) in
            try AudioFileReader(opening: path)
        }
        try limit.check(frames: reader.format.frames, reader.format, bytes: status.stamp.bytes)
        var listeners = InspectionListeners(reader.format, recipe, isForPicture: isForPicture)
        let most = limit.mostFrames(reader.format, bytes: status.stamp.bytes)
        let failure = listen(&reader, &listeners, atMost: most)
        try limit.check(
            frames: listeners.framesHeard, reader.format, bytes: status.stamp.bytes)
        let format = listeners.format(like: reader.format)
        guard format.frames > 0 else {
            throw failure ?? RecordingFailure(stage: .decode, reason: .noAudio)
        }
        try SourceCheck.check(path, status.stamp, in: .decode)
        var inspection = listeners.finish(status.stamp, format, recipe)
        inspection.failure = failure
        return inspection
    }

    /// Decodes all that can be; why it was not all.
    private func listen(
        _ reader: inout AudioFileReader, _ listeners: inout InspectionListeners,
        atMost most: Int64
    ) -> RecordingFailure? {
        do throws(AudioFileError) {
            _ = try reader.forEachBlock(while: { listeners.framesHeard <= most }) {
                listeners.consume($0)
            }
            try reader.verifyEnd()
            return nil
        } catch {
            return RecordingFailure(error, in: .decode)
        }
    }
}

/// Those who take their turn on each block.
private struct InspectionListeners {
    private var waveform: WaveformBuilder
    private var levels: LevelMeter
    /// `nil` where silence is not looked for.
    private var spectrum: SpectrumMeter?
    private var picture: SpectrogramBuilder?
    private(set) var framesHeard: Int64 = 0

    init(_ format: AudioFormat, _ recipe: SilenceRecipe, isForPicture: Bool) {
        let (rate, channels) = (format.sampleRateHertz, format.channels)
        waveform = WaveformBuilder(
            samplesPerPixel: [max(1, rate / 100)], channels: channels, splitChannels: true)
        levels = LevelMeter(channels: channels, encoding: format.encoding)
        if rate >= SilenceMap.leastRateHertz {
            spectrum = SpectrumMeter(
                sampleRateHertz: rate, channels: channels, keepsBands: recipe.goesByNetwork)
        }
        if isForPicture {
            picture = SpectrogramBuilder(sampleRateHertz: rate, channels: channels)
        }
    }

    mutating func consume(_ block: borrowing AudioBlock) {
        waveform.consume(block)
        levels.consume(block)
        spectrum?.consume(block)
        picture?.consume(block)
        framesHeard += Int64(block.frames)
    }

    /// The format of what was heard.
    func format(like format: AudioFormat) -> AudioFormat {
        AudioFormat(
            container: format.container, encoding: format.encoding,
            sampleRateHertz: format.sampleRateHertz, channels: format.channels,
            frames: framesHeard)
    }

    mutating func finish(
        _ source: FileStamp, _ format: AudioFormat, _ recipe: SilenceRecipe
    ) -> Inspection {
        let track = spectrum?.finish()
        var inspection = Inspection(
            source: source, format: format, levels: levels.finish(),
            silence: track.map {
                SilenceDetector.detect($0, recipe: recipe, format: format)
            } ?? .notAnalysed,
            peaks: waveform.finish()[0])
        if picture != nil {
            inspection.trace = track.map { SilenceDetector.trace($0, recipe: recipe) }
        }
        inspection.spectrogram = picture?.finish()
        return inspection
    }
}
