import Audio
import Jobs
import Recordings

/// Writes the trimmed copy of one recording, decoding only the parts it retains.
struct TrimmingPass {
    let order: TrimmingOrder
    let places: RunPlaces
    let ownership: OutputOwnership
    let cancellation: Cancellation
    /// Notes what is being decoded; `nil` if nothing is written.
    var notes: DecodingNotes?
    /// Tracks the decoder's progress.
    var watch = DecoderWatch()
    /// Whether some program has a file open for writing; `nil` if unknown.
    var isBeingWritten: @Sendable (Pathname) -> Bool? = OpenWriterCheck.isBeingWritten

    /// Runs the pass and returns its only answer.
    ///
    /// The decoder's messages are discarded: the listening pass has reported them.
    func run() -> Job.Action {
        LibraryOutput.capture {
            guard let notes, !cancellation.isCancelled else { return carryOut(.here) }
            return notes.during(order.source.folder.appending(order.source.name), carryOut)
        }.result
    }

    private func carryOut(_ way: DecodingNotes.Way) -> Job.Action {
        do throws(RecordingFailure) {
            guard let (file, staged) = try write(way) else { return .cancelled }
            return .trimmed(file, staged: staged)
        } catch {
            return SourceCheck.answer(to: error, of: source, order.source)
        }
    }

    private var source: Pathname {
        places.root.appending(order.source.folder).appending(order.source.name)
    }

    /// Writes the copy and draws its waveforms; `nil` if cancelled.
    private func write(
        _ way: DecodingNotes.Way
    ) throws(RecordingFailure) -> (TrimmedFile, [StagedFile])? {
        try SourceCheck.check(source, order.source.stamp, in: .trim)
        try SourceCheck.checkWriters(of: source, order.source, in: .trim, isBeingWritten)
        let folder = try ownership.hold(order.source.folder, making: true, in: .trim)
        let staged = try inStage(.trim) { () throws(FileSystemError) in
            try StagedOutput(order.name, in: folder)
        }
        let loss = try inStage(.trim) { () throws(AudioFileError) in
            watch.begin()
            defer { watch.end() }
            return try way.open { (isIsolated) throws(AudioFileError) in
                try TrimmedCopy.write(
                    keeping: order.edits, from: source,
                    withoutHeaderAs: places.rules.rawFormat(of: order.source.name),
                    isIsolated: isIsolated, to: staged.file, container: order.container,
                    fadeFrames: order.fadeFrames,
                    isCancelled: {
                        watch.begin()
                        return cancellation.isCancelled
                    })
            }
        }
        guard let loss else { return nil }
        try SourceCheck.check(source, order.source.stamp, in: .trim)
        let receipt = try inStage(.trim) { () throws(FileSystemError) in
            try StagedOutput.receipt(
                of: staged.file.descriptor, staged.file.path,
                isCancelled: { cancellation.isCancelled })
        }
        if cancellation.isCancelled { return nil }
        guard let drawn = try draw(staged.file.path) else { return nil }
        var names: [StagedFile] = []
        var waveforms: [WaveformFile]?
        let modified = order.source.stamp.modifiedNanoseconds
        do throws(FileSystemError) {
            names.append(try staged.keep(modifiedNanoseconds: modified))
            if let format = drawn.measurements?.format {
                let files = WaveformFiles(
                    recipe: order.waveform, format: format, modifiedNanoseconds: modified,
                    folder: folder)
                waveforms = try files.write(drawn.peaks, as: order.waveformNames, &names)
            }
        } catch {
            try? folder.removeAll(names.map(\.temporary))
            throw RecordingFailure(error, in: .trim)
        }
        let frames = Double(order.edits.trimmedFrameCount)
        let file = TrimmedFile(
            path: order.name,
            durationSeconds: frames.seconds(atRate: order.format.sampleRateHertz),
            bytes: receipt.bytes, sha256: receipt.sha256, edits: order.edits.edits,
            waveforms: waveforms, loss: loss)
        return (file, names)
    }

    /// The peaks of the complete copy: it is decoded, so that they are those of any recording with
    /// its bytes; nothing if they are not wanted, `nil` if cancelled.
    private func draw(_ copy: Pathname) throws(RecordingFailure) -> Heard? {
        guard !order.waveformNames.isEmpty else { return Heard() }
        return try inStage(.trim) { () throws(AudioFileError) in
            watch.begin()
            defer { watch.end() }
            var reader = try AudioFileReader(opening: copy)
            var drawing = BlockConsumers(
                reader.format, .waveform, order.waveform, SilenceRecipe())
            let isThrough = try reader.forEachBlock {
                watch.begin()
                return !cancellation.isCancelled
            } _: {
                drawing.consume($0)
            }
            return isThrough ? drawing.finish(reader.decodedFormat) : nil
        }
    }
}
