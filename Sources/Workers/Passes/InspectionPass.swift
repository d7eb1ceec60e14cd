import Analysis
import Audio
import Jobs
import Recordings

/// Decodes one recording for inspection; writes nothing.
///
/// Memory: a block of frames, and some bytes for each 10 ms.
package struct InspectionPass {
    private let path: Pathname
    private let recipe: SilenceRecipe
    /// Whether to compute the spectrogram and the detector trace for a picture.
    private let isForPicture: Bool
    /// The part that the picture shows; the rest is analysed like it, but for the spectrogram.
    package var drawnSeconds = 0.0..<Double.infinity
    private let limit = LengthLimit()
    /// Says how the file is stored if it has no header.
    package var rules = InputRules()
    /// What the recording is called, if the path is not its own.
    var name: Pathname

    package init(_ path: Pathname, recipe: SilenceRecipe, isForPicture: Bool) {
        self.path = path
        name = path.lastComponent
        self.recipe = recipe
        self.isForPicture = isForPicture
    }

    /// Runs the pass.
    ///
    /// Throws if nothing could be decoded or the file changed meanwhile. If only the beginning
    /// could be decoded, the result covers that and includes the failure.
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
            try AudioFileReader(opening: path, withoutHeaderAs: rules.storage(of: name))
        }
        try limit.check(frames: reader.format.frames, reader.format, bytes: status.stamp.bytes)
        var drawing = WaveformRecipe()
        drawing.samplesPerPixel = [max(1, reader.format.sampleRateHertz / 100)]
        drawing.splitChannels = true
        let part = drawnFrames(atRate: reader.format.sampleRateHertz)
        var listeners = BlockConsumers(
            reader.format, .decoding, drawing, recipe, drawingFrames: isForPicture ? part : nil)
        let most = limit.mostFrames(reader.format, bytes: status.stamp.bytes)
        let failure = listen(&reader, &listeners, atMost: most)
        try limit.check(
            frames: listeners.framesHeard, reader.format, bytes: status.stamp.bytes)
        guard listeners.framesHeard > 0 else {
            throw failure ?? RecordingFailure(stage: .decode, reason: .noAudio)
        }
        try SourceCheck.check(path, status.stamp, in: .decode)
        var inspection = finish(&listeners, status.stamp)
        inspection.decoding = reader.decoding
        inspection.metadata = reader.metadata
        if let failure {
            let rate = inspection.format.sampleRateHertz
            inspection.warnings = RecordingWarning(insteadOf: failure, atRate: rate).map { [$0] }
            if inspection.warnings == nil { inspection.failure = failure }
        }
        return inspection
    }

    private func drawnFrames(atRate rate: Int) -> Range<Int> {
        func frame(_ seconds: Double) -> Int {
            Int(exactly: (seconds * Double(rate)).rounded()) ?? .max
        }
        return frame(drawnSeconds.lowerBound)..<frame(drawnSeconds.upperBound)
    }

    /// Decodes as much as possible; returns the error that stopped it.
    private func listen(
        _ reader: inout AudioFileReader, _ listeners: inout BlockConsumers, atMost most: Int64
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

    private func finish(_ listeners: inout BlockConsumers, _ source: FileStamp) -> Inspection {
        let heard = listeners.finish(nil)
        guard let measured = heard.measurements, let format = measured.format,
            let levels = measured.levels, let silence = measured.silence
        else { preconditionFailure("whoever listens for everything has everything") }
        var inspection = Inspection(
            source: source, format: format, levels: levels, silence: silence, peaks: heard.peaks[0])
        (inspection.trace, inspection.spectrogram) = (
            heard.picture?.trace, heard.picture?.spectrogram
        )
        return inspection
    }
}
