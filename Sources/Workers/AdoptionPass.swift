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
/// or copies where the file system has no links, or the recording bears another time than it did.
struct AdoptionPass {
    let order: AdoptionOrder
    let places: RunPlaces
    /// Tells this pass's temporary files from others'.
    let tag: String
    let cancellation: Cancellation
    /// Gives a file a second name.
    var linker: FileSystem.Linker = FileSystem.makeLink

    /// Runs to the end; the only answer that its order gets.
    func run() -> Job.Action {
        let source = places.root.appending(order.source.folder).appending(order.source.name)
        do throws(RecordingFailure) {
            try SourceCheck.check(source, order.source.stamp, in: .scan)
            guard let staged = try adopt() else { return .cancelled }
            return .adopted(staged)
        } catch {
            return SourceCheck.answer(to: error, of: source, order.source)
        }
    }

    /// Makes all new names, or leaves none; `nil` when told to stop.
    private func adopt() throws(RecordingFailure) -> [StagedFile]? {
        let folder = places.output.appending(order.source.folder)
        var staged: [StagedFile] = []
        var isComplete = false
        defer {
            if !isComplete {
                for file in staged { try? FileSystem.remove(folder.appending(file.temporary)) }
            }
        }
        do throws(FileSystemError) {
            for file in order.files {
                let output = try StagedOutput(
                    file.new, in: folder, below: places.output, tag: "\(tag).\(staged.count)")
                let old = places.output.appending(order.folder).appending(file.old)
                guard try take(old, as: output.temporary) else { return nil }
                // Another recording may have taken the old name since, and its output with it.
                let found = try FileSystem.status(output.temporary).stamp
                guard FileStamp.isTime(found.modifiedNanoseconds, order.formerNanoseconds) else {
                    throw FileSystemError(old, code: ESTALE)
                }
                let time = order.source.stamp.modifiedNanoseconds
                staged.append(
                    sharesTime ? output.leave() : try output.keep(modifiedNanoseconds: time))
            }
        } catch {
            throw RecordingFailure(error, in: .waveform)
        }
        isComplete = true
        return staged
    }

    /// Whether the recording bears the time that it had before.
    private var sharesTime: Bool {
        order.formerNanoseconds == order.source.stamp.modifiedNanoseconds
    }

    /// Gives a file a second name; `false` when told to stop.
    private func take(_ old: Pathname, as new: Pathname) throws(FileSystemError) -> Bool {
        let isCancelled = { cancellation.isCancelled }
        // A link has but one time, and the old name is to keep its own as long as it is there.
        guard sharesTime else {
            return try FileSystem.duplicate(old, as: new, isCancelled: isCancelled)
        }
        return try FileSystem.link(old, to: new, with: linker, isCancelled: isCancelled)
    }
}
