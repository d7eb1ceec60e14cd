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
/// process that holds it, however that ends. And it says where the recordings are, as one output
/// cannot hold the results of two folders: their manifests would have the same names.
package struct OutputFolder: ~Copyable {
    private static let mark: Pathname = ".tapedeck"
    /// More than the text of any mark takes.
    private static let longestMarkBytes = 1 << 16

    private let lock: Int32

    /// Makes the folder if need be, marks it, and takes the lock.
    ///
    /// Where that cannot be done, no folder is left that was not there before.
    /// - Parameter root: where the recordings are.
    package init(_ path: Pathname, root: Pathname) throws(RunRefusal) {
        var made: [Pathname] = []
        do throws(RunRefusal) {
            lock = try OutputFolder.takeLock(in: path, root: root, made: &made)
        } catch {
            FileSystem.removeEmptyFolders(made)
            throw error
        }
    }

    deinit {
        Self.letGo(of: lock)
    }

    /// Unlocks a mark before it closes it: a process that is being started has all that is open
    /// here too, until it is another program, and the lock would stay with it.
    ///
    /// First goes the lock that only tells, so that whoever takes the other one can tell, too.
    private static func letGo(of descriptor: Int32) {
        var region = wholeFile
        region.l_type = Int16(F_UNLCK)
        _ = fcntl(descriptor, F_SETLK, &region)
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    private static func takeLock(
        in path: Pathname, root: Pathname, made: inout [Pathname]
    ) throws(RunRefusal) -> Int32 {
        do throws(FileSystemError) {
            try FileSystem.makeFolder(path, made: &made)
        } catch {
            throw error.code == ENOTDIR || error.code == EEXIST
                ? .outputNotAFolder(path) : .outputNotMade(path, detail: error.detail)
        }
        // A link would lead the words into somebody else's file.
        let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW
        let descriptor = path.appending(mark).withCString { open($0, flags, 0o666) }
        guard descriptor >= 0 else {
            throw .outputNotMade(path, detail: FileSystemError(path).detail)
        }
        do throws(RunRefusal) {
            try hold(descriptor, path)
            try sign(descriptor, path, root: root)
        } catch {
            letGo(of: descriptor)
            throw error
        }
        return descriptor
    }

    private static func hold(_ descriptor: Int32, _ path: Pathname) throws(RunRefusal) {
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            throw code == EWOULDBLOCK
                ? .outputBusy(path, holder: holder(of: descriptor))
                : .outputNotMade(path, detail: FileSystemError(path, code: code).detail)
        }
        // This other kind of lock says whose it is. It goes as soon as the process closes the file
        // anywhere, so it only tells, and the first kind keeps others out.
        var region = wholeFile
        _ = fcntl(descriptor, F_SETLK, &region)
    }

    /// The process that says it holds the lock.
    private static func holder(of descriptor: Int32) -> Int32? {
        var region = wholeFile
        guard fcntl(descriptor, F_GETLK, &region) == 0, region.l_type != Int16(F_UNLCK),
            region.l_pid > 0
        else { return nil }
        return region.l_pid
    }

    private static var wholeFile: flock {
        var region = flock()
        region.l_type = Int16(F_WRLCK)
        region.l_whence = Int16(SEEK_SET)
        return region
    }

    /// Writes the mark, unless it says already what it is to say: then it stays as it is, time
    /// included.
    private static func sign(
        _ descriptor: Int32, _ path: Pathname, root: Pathname
    ) throws(RunRefusal) {
        var text = [UInt8](repeating: 0, count: longestMarkBytes)
        let count = text.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
        text.removeLast(text.count - max(0, count))
        if let other = otherRoot(in: text, of: path, root: root) {
            throw .outputOfOthers(output: path, root: other)
        }
        let resolved = (try? FileSystem.resolve(path)) ?? path
        let root = (try? FileSystem.resolve(root)) ?? root
        let words = OutputMark.text(root: OutputMark.way(from: resolved, to: root))
        guard words != text else { return }
        // In place, as a new file would not be the locked one; half a mark is only written again.
        let written = words.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
        guard written == words.count, ftruncate(descriptor, off_t(written)) == 0 else {
            let error = FileSystemError(path)
            if text.isEmpty { try? FileSystem.remove(path.appending(mark)) }
            throw .outputNotMade(path, detail: error.detail)
        }
    }

    /// Lets the next run in, now rather than when the value happens to go.
    package consuming func release() {}

    /// Refuses an output that holds the results of recordings elsewhere; looks only.
    static func requireNoOther(than root: Pathname, in output: Pathname) throws(RunRefusal) {
        guard isMarked(output), let text = try? FileSystem.contents(of: output.appending(mark)),
            let other = otherRoot(in: text, of: output, root: root)
        else { return }
        throw .outputOfOthers(output: output, root: other)
    }

    /// The folder whose results a marked folder holds; `nil` where that is not known, or gone.
    package static func root(of output: Pathname) -> Pathname? {
        guard let text = try? FileSystem.contents(of: output.appending(mark)) else { return nil }
        return root(in: text, of: output)
    }

    private static func root(in text: [UInt8], of output: Pathname) -> Pathname? {
        guard let way = OutputMark.root(in: text),
            let root = try? FileSystem.resolve(output.appending(way)),
            (try? FileSystem.status(root))?.kind == .folder
        else { return nil }
        return root
    }

    private static func otherRoot(
        in text: [UInt8], of output: Pathname, root own: Pathname
    ) -> Pathname? {
        guard let root = root(in: text, of: output),
            root != ((try? FileSystem.resolve(own)) ?? own)
        else { return nil }
        return root
    }

    /// Whether a folder is the output for a root, and is being written to.
    static func isHeld(_ output: Pathname, for root: Pathname) -> Bool {
        let path = output.appending(mark)
        let descriptor = path.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) }
        guard descriptor >= 0 else { return false }
        defer { letGo(of: descriptor) }
        guard flock(descriptor, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK else { return false }
        return OutputFolder.root(of: output) == ((try? FileSystem.resolve(root)) ?? root)
    }

    /// Whether a folder is the top of an output tree.
    package static func isMarked(_ folder: Pathname) -> Bool {
        (try? FileSystem.status(folder.appending(mark)))?.kind == .regular
    }

    /// The output folder that `folder` is, or lies in; `nil` where it is none.
    package static func markedFolder(atOrAbove folder: Pathname) -> Pathname? {
        var place = folder
        while !isMarked(place) {
            guard place.parent != place else { return nil }
            place = place.parent
        }
        return place
    }

    /// Files in a folder that a run might write over: recordings, and the manifest.
    static func namesAtRisk(in folder: Pathname) throws(FileSystemError) -> [Pathname] {
        try FileSystem.names(in: folder)
            .filter { !$0.name.isHidden && $0.name.isAtRisk && $0.kind != .folder }
            .map(\.name)
    }

    /// Some recording or manifest in a folder or below it, which a run might overwrite; hidden
    /// names are left out.
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
