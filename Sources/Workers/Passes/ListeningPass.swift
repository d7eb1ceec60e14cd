import Analysis
import Audio
import Jobs
import Recordings

/// Decodes one recording once, for all stages that only read the sound.
///
/// Memory: a block of frames, and the results, which are a few bytes per analysis frame.
struct ListeningPass {
    let order: ListeningOrder
    let places: RunPlaces
    let ownership: OutputOwnership
    let cancellation: Cancellation
    var limit = LengthLimit()
    /// Takes what pages draw of the recording; `nil` if there are none.
    var details: ReportDetailsKeeper?
    /// Notes what is being decoded; `nil` if nothing is written.
    var notes: DecodingNotes?
    /// Tracks the decoder's progress.
    var watch = DecoderWatch()
    /// Whether some program has a file open for writing; `nil` if unknown.
    var isBeingWritten: @Sendable (Pathname) -> Bool? = OpenWriterCheck.isBeingWritten

    /// Runs the pass and returns its only answer.
    func run() -> Job.Action {
        let (answer, printed) = LibraryOutput.capture {
            guard let notes, !order.decodingStages.isEmpty, !cancellation.isCancelled else {
                return carryOut(.here)
            }
            return notes.during(order.source.folder.appending(order.source.name), carryOut)
        }
        return answer.noting(decoderMessage: printed)
    }

    private func carryOut(_ way: DecodingNotes.Way) -> Job.Action {
        var heard = Heard()
        do throws(RecordingFailure) {
            try checkSource()
            try SourceCheck.checkWriters(of: source, order.source, in: .decode, isBeingWritten)
            let isDecoding = !order.decodingStages.isEmpty
            if isDecoding, try !listen(&heard, way) { return .cancelled }
            let digest = order.stages.contains(.checksum) ? try sourceDigest() : nil
            if digest != nil, cancellation.isCancelled { return .cancelled }
            // Check before writing anything: results from two versions of a file are useless.
            try checkSource()
            if isDecoding, heard.measurements == nil {
                throw RecordingFailure(stage: .decode, reason: .noAudio)
            }
            var measured = heard.measurements ?? Measurements(format: nil)
            measured.sourceSHA256 = digest
            var staged: [StagedFile] = []
            measured.waveforms = try writeWaveforms(heard, &staged)
            if let picture = heard.picture {
                details?.take(picture, of: order.source, order.silence)
            }
            return .listened(measured, staged: staged)
        } catch {
            return SourceCheck.answer(
                to: error, measured: heard.measurements, of: source, order.source)
        }
    }

    private var source: Pathname {
        places.root.appending(order.source.folder).appending(order.source.name)
    }

    /// Throws if the source has changed since the scan.
    private func checkSource() throws(RecordingFailure) {
        try SourceCheck.check(source, order.source.stamp, in: .decode)
    }

    /// Decodes the recording for all consumers; `false` if cancelled.
    private func listen(
        _ heard: inout Heard, _ way: DecodingNotes.Way
    ) throws(RecordingFailure) -> Bool {
        watch.begin()
        defer { watch.end() }
        var reader = try inStage(.decode) { () throws(AudioFileError) in
            try way.open { (isIsolated) throws(AudioFileError) in
                try AudioFileReader(
                    opening: source,
                    withoutHeaderAs: places.rules.rawFormat(of: order.source.name),
                    isIsolated: isIsolated)
            }
        }
        defer {
            heard.measurements?.decoding = reader.decoding
            heard.measurements?.metadata = reader.metadata
        }
        try limit.check(
            frames: reader.format.frames, reader.format, bytes: order.source.stamp.bytes)
        let bytes = order.source.stamp.bytes
        let most = limit.mostFrames(reader.format, bytes: bytes)
        var listeners = BlockConsumers(
            reader.format, order.decodingStages, order.waveform, order.silence,
            drawingFrames: details != nil && order.decodingStages.contains(.silence)
                ? 0..<Int.max : nil)
        do throws(AudioFileError) {
            let isThrough = try reader.forEachBlock {
                watch.begin()
                return !cancellation.isCancelled && listeners.framesHeard <= most
            } _: {
                listeners.consume($0)
            }
            watch.end()
            guard isThrough || listeners.framesHeard > most else { return false }
            if isThrough {
                heard = listeners.finish(reader.decodedFormat)
                watch.begin()
                try reader.verifyEnd()
                return true
            }
        } catch {
            watch.end()
            if heard.measurements == nil { heard = listeners.finish(nil) }
            let failure = RecordingFailure(error, in: .decode)
            guard let warning = warning(insteadOf: failure, reader.format) else { throw failure }
            heard.measurements?.warnings = [warning]
            return true
        }
        try limit.check(frames: listeners.framesHeard, reader.format, bytes: bytes)
        return false
    }

    /// The warning for a fault that is tolerated; `nil` for one that is a failure.
    private func warning(
        insteadOf failure: RecordingFailure, _ format: AudioFormat
    ) -> RecordingWarning? {
        guard failure.leavesSound else { return nil }
        switch order.tolerance {
        case .none: return nil
        case .lasting where failure.mayPassWithWriting: return nil
        case .lasting, .all:
            return RecordingWarning(insteadOf: failure, atRate: format.sampleRateHertz)
        }
    }

    /// The digest of the file, read separately: a decoder may skip bytes or read out of order.
    private func sourceDigest() throws(RecordingFailure) -> String {
        try inStage(.decode) { () throws(FileSystemError) in
            try StagedOutput.receipt(of: source, isCancelled: { cancellation.isCancelled }).sha256
        }
    }

    private func writeWaveforms(
        _ heard: Heard, _ staged: inout [StagedFile]
    ) throws(RecordingFailure) -> [WaveformFile]? {
        guard order.stages.contains(.waveform) else { return nil }
        let names = order.waveformNames
        guard !names.isEmpty, let format = heard.measurements?.format else { return [] }
        let folder = try ownership.hold(order.source.folder, making: true, in: .waveform)
        let files = WaveformFiles(
            recipe: order.waveform, format: format,
            modifiedNanoseconds: order.source.stamp.modifiedNanoseconds, folder: folder)
        do throws(FileSystemError) {
            return try files.write(heard.peaks, as: names, &staged)
        } catch {
            try? folder.removeAll(staged.map(\.temporary))
            throw RecordingFailure(error, in: .waveform)
        }
    }
}
