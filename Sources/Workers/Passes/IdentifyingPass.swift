import Jobs
import Recordings

/// Computes the SHA-256 of a recording.
///
/// Reads the file once, in chunks.
struct IdentifyingPass {
    let source: RecordingSource
    let places: RunPlaces
    let cancellation: Cancellation

    /// Runs the pass and returns its only answer.
    func run() -> Job.Action {
        let path = places.root.appending(source.folder).appending(source.name)
        do throws(RecordingFailure) {
            let receipt = try inStage(.scan) { () throws(FileSystemError) in
                try StagedOutput.receipt(
                    of: path, isCancelled: { cancellation.isCancelled })
            }
            if cancellation.isCancelled { return .cancelled }
            // The digest is meaningless if the file was modified meanwhile.
            try SourceCheck.check(path, source.stamp, in: .scan)
            return .identified(receipt.sha256)
        } catch {
            return SourceCheck.answer(to: error, of: path, source)
        }
    }
}
