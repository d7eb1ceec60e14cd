import Glibc
import Jobs
import Recordings

/// Gives the outputs of a recording that was renamed or moved the names they have to have now.
///
/// The old names stay until nothing names them any more: the new ones are links to the same bytes,
/// or copies where the file system has no links, or the recording bears another time than it did.
struct AdoptionPass {
    let order: AdoptionOrder
    let places: RunPlaces
    let ownership: OutputOwnership
    let cancellation: Cancellation
    /// Gives a file a second name.
    var linker: DirectoryHandle.Linker = DirectoryHandle.link

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

    /// Gives a file a second name, or makes a copy of it; `nil` when told to stop.
    private func take(
        _ file: AdoptionOrder.Renaming, from former: DirectoryHandle, in folder: DirectoryHandle
    ) throws(FileSystemError) -> StagedFile? {
        if cancellation.isCancelled { return nil }
        // A link has but one time, and the old name is to keep its own as long as it is there.
        if order.formerNanoseconds == order.source.stamp.modifiedNanoseconds,
            let temporary = try link(file.old, from: former, in: folder)
        {
            return StagedFile(temporary: temporary, name: file.new)
        }
        return try copy(file, from: former, in: folder)
    }

    /// Gives a file a temporary name in another folder; `nil` where that cannot be, as from one
    /// disk to another, and on file systems that have no links.
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
            try requireFormer(found?.kind == .regular ? found?.stamp : nil, old, former)
        } catch {
            try? folder.remove(temporary)
            throw error
        }
        return temporary
    }

    /// Copies a file, which gets the time of the recording as it is now; `nil` when told to stop.
    private func copy(
        _ file: AdoptionOrder.Renaming, from former: DirectoryHandle, in folder: DirectoryHandle
    ) throws(FileSystemError) -> StagedFile? {
        let descriptor = try former.openRegular(file.old)
        defer { close(descriptor) }
        let path = former.path.appending(file.old)
        let before = try FileSystem.status(descriptor, path).stamp
        try requireFormer(before, file.old, former)
        let output = try StagedOutput(file.new, in: folder)
        _ = try output.write { (put) throws(FileSystemError) in
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
        guard try FileSystem.status(descriptor, path).stamp == before else {
            throw FileSystemError(path, code: ESTALE)
        }
        return try output.keep(modifiedNanoseconds: order.source.stamp.modifiedNanoseconds)
    }

    /// Throws where another recording has taken the old name since, and its output with it.
    private func requireFormer(
        _ found: FileStamp?, _ old: Pathname, _ former: DirectoryHandle
    ) throws(FileSystemError) {
        guard let found,
            FileStamp.isTime(found.modifiedNanoseconds, order.formerNanoseconds)
        else { throw FileSystemError(former.path.appending(old), code: ESTALE) }
    }
}
