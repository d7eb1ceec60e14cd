import Analysis
import Audio
import Jobs
import Recordings
import WaveformData

/// One decoding of one recording, for everything that only needs to listen.
///
/// Memory: a block of frames, and the results, which are a few bytes for each frame of analysis.
struct ListeningPass {
    let order: ListeningOrder
    let places: RunPlaces
    /// Tells this pass's temporary files from others'.
    let tag: String
    let cancellation: Cancellation
    /// Whether some program has a file open for writing; `nil` where that cannot be known.
    var isBeingWritten: @Sendable (Pathname) -> Bool? = FileWriters.isBeingWritten

    /// Runs to the end; the only answer that its order gets.
    func run() -> Job.Action {
        var listeners = Listeners()
        do throws(RecordingFailure) {
            try checkSource()
            try SourceCheck.checkWriters(of: source, order.source, in: .decode, isBeingWritten)
            let isDecoding = !order.stages.isDisjoint(with: .decoding)
            if isDecoding, try !listen(&listeners) { return .cancelled }
            let digest = order.stages.contains(.checksum) ? try sourceDigest() : nil
            if digest != nil, cancellation.isCancelled { return .cancelled }
            // Before anything is written: what comes of two states of a file is of no use.
            try checkSource()
            if isDecoding, listeners.measurements == nil {
                throw RecordingFailure(stage: .decode, reason: .noAudio)
            }
            var measured = listeners.measurements ?? Measurements(format: nil)
            measured.sourceSHA256 = digest
            var staged: [StagedFile] = []
            measured.waveforms = try writeWaveforms(listeners, &staged)
            return .listened(measured, staged: staged)
        } catch {
            return SourceCheck.answer(
                to: error, measured: listeners.measurements, of: source, order.source)
        }
    }

    private var source: Pathname {
        places.root.appending(order.source.folder).appending(order.source.name)
    }

    /// Throws unless the source is the file that the scan saw.
    private func checkSource() throws(RecordingFailure) {
        try SourceCheck.check(source, order.source.stamp, in: .decode)
    }

    /// Decodes the recording into the listeners; `false` when told to stop.
    private func listen(_ listeners: inout Listeners) throws(RecordingFailure) -> Bool {
        do throws(AudioFileError) {
            var reader = try AudioFileReader(opening: source)
            listeners.begin(order, reader.format)
            let isThrough = try reader.forEachBlock(while: { !cancellation.isCancelled }) {
                listeners.consume($0)
            }
            guard isThrough else { return false }
            listeners.finish(reader.decodedFormat)
            try reader.verifyEnd()
            return true
        } catch {
            listeners.finish(nil)
            throw RecordingFailure(error, in: .decode)
        }
    }

    /// Of the bytes as they are, which the decoder need not have read all of, nor in order.
    private func sourceDigest() throws(RecordingFailure) -> String {
        try inStage(.decode) { () throws(FileSystemError) in
            try StagedOutput.receipt(of: source, isCancelled: { cancellation.isCancelled }).sha256
        }
    }

    private func writeWaveforms(
        _ listeners: Listeners, _ staged: inout [StagedFile]
    ) throws(RecordingFailure) -> [WaveformFile]? {
        guard order.stages.contains(.waveform) else { return nil }
        var files: [WaveformFile] = []
        do throws(FileSystemError) {
            for (peaks, name) in zip(listeners.peaks, order.waveformNames) {
                let waveform = Waveform(
                    peaks: peaks, sampleRateHertz: listeners.sampleRateHertz,
                    bits: order.waveform.bits)
                files.append(try write(waveform, as: name, &staged))
            }
        } catch {
            let folder = places.output.appending(order.source.folder)
            for file in staged { try? FileSystem.remove(folder.appending(file.temporary)) }
            throw RecordingFailure(error, in: .waveform)
        }
        return files
    }

    private func write(
        _ waveform: Waveform, as name: Pathname, _ files: inout [StagedFile]
    ) throws(FileSystemError) -> WaveformFile {
        let folder = places.output.appending(order.source.folder)
        let staged = try StagedOutput(name, in: folder, tag: "\(tag).\(files.count)")
        let format = order.waveform.format
        let receipt = try staged.write { (put) throws(FileSystemError) in
            switch format {
            case .dat: try waveform.writeBinary(to: put)
            case .json: try waveform.writeJSON(to: put)
            }
        }
        files.append(
            try staged.keep(modifiedNanoseconds: order.source.stamp.modifiedNanoseconds))
        return WaveformFile(
            path: name, samplesPerPixel: waveform.samplesPerPixel, bits: waveform.bits,
            channels: waveform.channels, length: waveform.length, bytes: receipt.bytes,
            sha256: receipt.sha256)
    }
}

/// Those who take their turn on each block, as far as their stages are wanted.
private struct Listeners {
    private(set) var peaks: [Peaks] = []
    private(set) var measurements: Measurements?

    private var format: AudioFormat?
    private var recipe = SilenceRecipe()
    private var waveform: WaveformBuilder?
    private var levels: LevelMeter?
    private var spectrum: SpectrumMeter?
    private var framesHeard: Int64 = 0

    var sampleRateHertz: Int { format?.sampleRateHertz ?? 0 }

    mutating func begin(_ order: ListeningOrder, _ format: AudioFormat) {
        self.format = format
        recipe = order.silence
        if order.stages.contains(.waveform) {
            waveform = WaveformBuilder(
                samplesPerPixel: order.waveform.samplesPerPixel, channels: format.channels,
                splitChannels: order.waveform.splitChannels)
        }
        if order.stages.contains(.levels) { levels = LevelMeter(channels: format.channels) }
        if order.stages.contains(.silence) {
            spectrum = SpectrumMeter(
                sampleRateHertz: format.sampleRateHertz, channels: format.channels,
                keepsBands: order.silence.goesByNetwork)
        }
    }

    mutating func consume(_ block: borrowing AudioBlock) {
        waveform?.consume(block)
        levels?.consume(block)
        spectrum?.consume(block)
        framesHeard += Int64(block.frames)
    }

    /// Draws the conclusions, once; of what was heard, where decoding ended in an error.
    mutating func finish(_ decoded: AudioFormat?) {
        guard measurements == nil, let format = decoded ?? partialFormat else { return }
        peaks = waveform?.finish() ?? []
        let track = spectrum?.finish()
        measurements = Measurements(
            format: format, levels: levels?.finish(),
            silence: track.map { SilenceDetector.detect($0, recipe: recipe, format: format) })
    }

    private var partialFormat: AudioFormat? {
        format.map {
            AudioFormat(
                container: $0.container, encoding: $0.encoding,
                sampleRateHertz: $0.sampleRateHertz, channels: $0.channels, frames: framesHeard)
        }
    }
}
