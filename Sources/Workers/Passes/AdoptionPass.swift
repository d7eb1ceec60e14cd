import Glibc
import Jobs
import Recordings

/// Gives the outputs of a renamed or moved recording their new names.
///
/// The old names stay as long as anything refers to them. The new names are hard links, or copies
/// if the file system has no hard links, or a time has changed: the recording's, or that of an
/// output, as after a copy of its folder. A copy is checked by its digest.
struct AdoptionPass {
    let order: AdoptionOrder
    let places: RunPlaces
    let ownership: OutputOwnership
    let cancellation: Cancellation
    /// Creates a hard link; tests replace it.
    var linker: DirectoryHandle.Linker = DirectoryHandle.link

    /// Runs the pass and returns its only answer.
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

    /// Creates all new names or none; `nil` if cancelled.
    private func adopt() throws(RecordingFailure) -> [StagedFile]? {
        let former = try ownership.hold(order.folder, in: .waveform)
        let folder = try ownership.hold(order.source.folder, making: true, in: .waveform)
        var staged: [StagedFile] = []
        var isComplete = false
        defer {
            if !isComplete { try? folder.removeAll(staged.map(\.temporary)) }
        }
        do throws(FileSystemError) {
            for file in order.files {
                guard let taken = try take(file, from: former, in: folder) else { return nil }
                staged.append(taken)
            }
        } catch {
            throw RecordingFailure(error, in: .waveform)
        }
        isComplete = true
        return staged
    }

    /// Hard-links or copies a file; `nil` if cancelled.
    private func take(
        _ file: AdoptionOrder.Renaming, from former: DirectoryHandle, in folder: DirectoryHandle
    ) throws(FileSystemError) -> StagedFile? {
        if cancellation.isCancelled { return nil }
        // Hard links share one timestamp, and the old name must keep its own until it is deleted.
        if order.formerNanoseconds == order.source.stamp.modifiedNanoseconds,
            let temporary = try link(file.old, from: former, in: folder)
        {
            return StagedFile(temporary: temporary, name: file.new)
        }
        return try copy(file, from: former, in: folder)
    }

    /// Hard-links a file under a temporary name in another folder; `nil` if not possible, as across
    /// devices and on file systems without hard links, or if it has not the old file's time.
    private func link(
        _ old: Pathname, from former: DirectoryHandle, in folder: DirectoryHandle
    ) throws(FileSystemError) -> Pathname? {
        let (temporary, isLinked) = try StagedOutput.unused {
            (temporary) throws(FileSystemError) -> Bool in
            if linker(former, old, folder, temporary) == 0 { return true }
            let error = FileSystemError(former.path.appending(old))
            guard [EXDEV, EPERM, EMLINK, ENOTSUP, ENOSYS].contains(error.code) else { throw error }
            return false
        }
        guard isLinked else { return nil }
        do throws(FileSystemError) {
            let found = try folder.status(of: temporary)
            if let found, found.kind == .regular,
                FileStamp.isTime(found.stamp.modifiedNanoseconds, order.formerNanoseconds)
            {
                return temporary
            }
            try folder.remove(temporary)
            return nil
        } catch {
            try? folder.remove(temporary)
            throw error
        }
    }

    /// Copies a file and sets the recording's current modification time; `nil` if cancelled.
    private func copy(
        _ file: AdoptionOrder.Renaming, from former: DirectoryHandle, in folder: DirectoryHandle
    ) throws(FileSystemError) -> StagedFile? {
        let descriptor = try former.openRegular(file.old)
        defer { close(descriptor) }
        let path = former.path.appending(file.old)
        let output = try StagedOutput(file.new, in: folder)
        let receipt = try output.write { (put) throws(FileSystemError) in
            var problem: FileSystemError?
            try FileSystem.forEachChunk(
                of: descriptor, path,
                isCancelled: { problem != nil || cancellation.isCancelled }
            ) { chunk in
                do throws(FileSystemError) { try put(Array(chunk)) } catch { problem = error }
            }
            if let problem { throw problem }
        }
        if cancellation.isCancelled { return nil }
        // It may be another recording's by now.
        guard receipt.sha256 == file.sha256 else { throw FileSystemError(path, code: ESTALE) }
        return try output.keep(modifiedNanoseconds: order.source.stamp.modifiedNanoseconds)
    }
}
