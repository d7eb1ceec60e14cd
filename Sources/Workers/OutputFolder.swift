import Jobs
import Recordings

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The top of an output tree, for as long as a run writes there.
///
/// It is marked by a hidden file, so that no later scan takes the copies in it for recordings.
/// The mark is also the lock: two runs never write to one output, and the lock goes with the
/// process that holds it, however that ends.
package struct OutputFolder: ~Copyable {
    private static let mark: Pathname = ".tapedeck"
    private static let text =
        "This folder is written by tapedeck. The recordings in it are copies.\n"

    private let lock: Int32

    /// Makes the folder if need be, marks it, and takes the lock.
    ///
    /// Where that cannot be done, no folder is left that was not there before.
    package init(_ path: Pathname) throws(RunRefusal) {
        var made: [Pathname] = []
        do throws(RunRefusal) {
            lock = try OutputFolder.takeLock(in: path, made: &made)
        } catch {
            FileSystem.removeEmptyFolders(made)
            throw error
        }
    }

    deinit {
        close(lock)
    }

    private static func takeLock(
        in path: Pathname, made: inout [Pathname]
    ) throws(RunRefusal) -> Int32 {
        do throws(FileSystemError) {
            try FileSystem.makeFolder(path, made: &made)
        } catch {
            throw error.code == ENOTDIR || error.code == EEXIST
                ? .outputNotAFolder(path) : .outputNotMade(path, detail: error.detail)
        }
        let descriptor = try openMark(in: path)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            close(descriptor)
            throw code == EWOULDBLOCK
                ? .outputBusy(path)
                : .outputNotMade(path, detail: FileSystemError(path, code: code).detail)
        }
        return descriptor
    }

    private static func openMark(in path: Pathname) throws(RunRefusal) -> Int32 {
        // A link would lead the words into somebody else's file.
        let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW
        let descriptor = path.appending(mark).withCString { open($0, flags, 0o666) }
        guard descriptor >= 0 else {
            throw .outputNotMade(path, detail: FileSystemError(path).detail)
        }
        // One that is there already stays as it is, time included.
        guard lseek(descriptor, 0, SEEK_END) == 0 else { return descriptor }
        let bytes = Array(text.utf8)
        let written = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
        guard written == bytes.count else {
            let code = errno
            close(descriptor)
            throw .outputNotMade(path, detail: FileSystemError(path, code: code).detail)
        }
        return descriptor
    }

    /// Lets the next run in, now rather than when the value happens to go.
    package consuming func release() {}

    /// Whether a folder is the top of an output tree.
    static func isMarked(_ folder: Pathname) -> Bool {
        (try? FileSystem.status(folder.appending(mark)))?.kind == .regular
    }

    /// The output folder that `folder` is, or lies in; `nil` where it is none.
    static func markedFolder(atOrAbove folder: Pathname) -> Pathname? {
        var place = folder
        while !isMarked(place) {
            guard place.parent != place else { return nil }
            place = place.parent
        }
        return place
    }

    /// Some recording or manifest in a folder or below it, which a run might overwrite; hidden names
    /// are left out.
    static func firstFileAtRisk(below folder: Pathname) -> Pathname? {
        guard let names = try? FileSystem.names(in: folder) else { return nil }
        for entry in names.sorted(by: { $0.name < $1.name }) where !entry.name.isHidden {
            let path = folder.appending(entry.name)
            switch FileSystem.kind(of: entry, at: path) {
            case .folder:
                if let found = firstFileAtRisk(below: path) { return found }
            case .regular where entry.name.isAtRisk, .link where entry.name.isAtRisk:
                return path
            default:
                continue
            }
        }
        return nil
    }
}

extension Pathname {
    /// Whether an output may bear this name.
    fileprivate var isAtRisk: Bool { isRecordingName || self == OutputNames.manifest }
}
