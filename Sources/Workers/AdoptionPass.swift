import Jobs
import Recordings

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Gives the outputs of a recording that was renamed or moved the names they have to have now.
///
/// The old names stay until nothing names them any more: the new ones are links to the same bytes,
/// or copies where the file system has no links.
struct AdoptionPass {
    let order: AdoptionOrder
    let places: RunPlaces
    /// Tells this pass's temporary files from others'.
    let tag: String
    let cancellation: Cancellation

    /// Runs to the end; the only answer that its order gets.
    func run() -> Job.Action {
        do throws(RecordingFailure) {
            let source = places.root.appending(order.source.folder).appending(order.source.name)
            try SourceCheck.check(source, order.source.stamp, in: .scan)
            return .adopted(try adopt())
        } catch {
            return .failed(error, measured: nil)
        }
    }

    private func adopt() throws(RecordingFailure) -> [StagedFile] {
        let folder = places.output.appending(order.source.folder)
        var staged: [StagedFile] = []
        do throws(FileSystemError) {
            for file in order.files {
                let output = try StagedOutput(
                    file.new, in: folder, tag: "\(tag).\(staged.count)")
                let old = places.output.appending(order.folder).appending(file.old)
                try FileSystem.link(old, to: output.temporary)
                staged.append(output.leave())
            }
        } catch {
            for file in staged { try? FileSystem.remove(folder.appending(file.temporary)) }
            throw RecordingFailure(error, in: .waveform)
        }
        return staged
    }
}
