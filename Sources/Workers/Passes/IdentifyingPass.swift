import Jobs
import Recordings

/// Finds out what a recording holds: the digest of its bytes.
///
/// Reads it once, in chunks.
struct IdentifyingPass {
    let source: RecordingSource
    let places: RunPlaces
    let cancellation: Cancellation

    /// Runs to the end; the only answer that its order gets.
    func run() -> Job.Action {
        let path = places.root.appending(source.folder).appending(source.name)
        do throws(RecordingFailure) {
            let receipt = try inStage(.scan) { () throws(FileSystemError) in
                try StagedOutput.receipt(
                    of: path, isCancelled: { cancellation.isCancelled })
            }
            if cancellation.isCancelled { return .cancelled }
            // Of what was written to meanwhile the digest says nothing.
            try SourceCheck.check(path, source.stamp, in: .scan)
            return .identified(receipt.sha256)
        } catch {
            return SourceCheck.answer(to: error, of: path, source)
        }
    }
}
