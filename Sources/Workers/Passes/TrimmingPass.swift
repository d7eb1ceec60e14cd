import Audio
import Jobs
import Recordings

/// Writes the trimmed copy of one recording, decoding only the parts it retains.
struct TrimmingPass {
    let order: TrimmingOrder
    let places: RunPlaces
    let ownership: OutputOwnership
    let cancellation: Cancellation
    /// Tracks the decoder's progress.
    var watch = DecoderWatch()
    /// Whether some program has a file open for writing; `nil` if unknown.
    var isBeingWritten: @Sendable (Pathname) -> Bool? = OpenWriterCheck.isBeingWritten

    /// Runs the pass and returns its only answer.
    ///
    /// The decoder's messages are discarded: the listening pass has reported them.
    func run() -> Job.Action { LibraryOutput.capture { carryOut() }.result }

    private func carryOut() -> Job.Action {
        do throws(RecordingFailure) {
            guard let (file, staged) = try write() else { return .cancelled }
            return .trimmed(file, staged: staged)
        } catch {
            return SourceCheck.answer(to: error, of: source, order.source)
        }
    }

    private var source: Pathname {
        places.root.appending(order.source.folder).appending(order.source.name)
    }

    private func write() throws(RecordingFailure) -> (TrimmedFile, StagedFile)? {
        try SourceCheck.check(source, order.source.stamp, in: .trim)
        try SourceCheck.checkWriters(of: source, order.source, in: .trim, isBeingWritten)
        let folder = try ownership.hold(order.source.folder, making: true, in: .trim)
        let staged = try inStage(.trim) { () throws(FileSystemError) in
            try StagedOutput(order.name, in: folder)
        }
        let isThrough = try inStage(.trim) { () throws(AudioFileError) in
            watch.begin()
            defer { watch.end() }
            return try TrimmedCopy.write(
                keeping: order.edits, from: source,
                withoutHeaderAs: places.rules.rawFormat(of: order.source.name), to: staged.file,
                container: order.container, fadeFrames: order.fadeFrames,
                isCancelled: {
                    watch.begin()
                    return cancellation.isCancelled
                })
        }
        guard isThrough else { return nil }
        try SourceCheck.check(source, order.source.stamp, in: .trim)
        let receipt = try inStage(.trim) { () throws(FileSystemError) in
            try StagedOutput.receipt(
                of: staged.file.descriptor, staged.file.path,
                isCancelled: { cancellation.isCancelled })
        }
        if cancellation.isCancelled { return nil }
        let names: StagedFile
        do throws(FileSystemError) {
            names = try staged.keep(
                modifiedNanoseconds: order.source.stamp.modifiedNanoseconds)
        } catch {
            throw RecordingFailure(error, in: .trim)
        }
        let frames = Double(order.edits.trimmedFrameCount)
        let file = TrimmedFile(
            path: order.name,
            durationSeconds: frames.seconds(atRate: order.format.sampleRateHertz),
            bytes: receipt.bytes, sha256: receipt.sha256, edits: order.edits.edits)
        return (file, names)
    }
}
