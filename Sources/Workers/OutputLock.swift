import Glibc
import Jobs
import Recordings

/// The lock that one run holds on an output: a lock on its mark, which says whose results it holds.
enum OutputLock {
    private static let mark = OutputFolder.mark

    /// Locks the mark of a folder, which is made where it is missing; gives back its descriptor.
    static func take(in path: Pathname, root: Pathname) throws(RunRefusal) -> Int32 {
        let folder = try refusing(path) { () throws(FileSystemError) in
            try requireOwn(JournalFile.name, in: try DirectoryHandle(path))
            return try DirectoryHandle(path)
        }
        while true {
            if let lock = try lock(in: folder, root: root) { return lock }
        }
    }

    /// Unlocks a mark before it closes it: a process that is being started has all that is open
    /// here too, until it is another program, and the lock would stay with it.
    ///
    /// First goes the lock that only tells, so that whoever takes the other one can tell, too.
    static func release(_ descriptor: Int32) {
        var region = wholeFile
        region.l_type = Int16(F_UNLCK)
        _ = fcntl(descriptor, F_SETLK, &region)
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Whether a folder is the output for a root, and is being written to.
    static func isHeld(_ folder: DirectoryHandle, for root: Pathname) -> Bool {
        guard let (descriptor, _) = try? folder.openOwn(mark, O_RDONLY) else { return false }
        defer { release(descriptor) }
        guard flock(descriptor, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK else { return false }
        let text = FileSystem.beginning(of: descriptor, bytes: OutputMark.mostBytes)
        return OutputFolder.root(in: text, of: folder.path)
            == ((try? FileSystem.resolve(root)) ?? root)
    }

    /// `nil` where another mark has taken the place of the one that was opened.
    private static func lock(
        in folder: DirectoryHandle, root: Pathname
    ) throws(RunRefusal) -> Int32? {
        let path = folder.path
        var (descriptor, links) = try refusing(path) { () throws(FileSystemError) in
            try open(in: folder)
        }
        do throws(RunRefusal) {
            try hold(descriptor, path)
            let isInPlace = try refusing(path) { () throws(FileSystemError) in
                try folder.status(of: mark)?.identity
                    == FileSystem.status(descriptor, path.appending(mark)).identity
            }
            guard isInPlace else {
                release(descriptor)
                return nil
            }
            let text = FileSystem.beginning(of: descriptor, bytes: OutputMark.mostBytes)
            if let other = OutputFolder.otherRoot(in: text, of: path, root: root) {
                throw .outputOfOthers(output: path, root: other)
            }
            // One that has further names, in a backup of links or in somebody else's folder, is
            // never written to.
            if links > 1 { try replace(&descriptor, in: folder) }
            try sign(descriptor, links > 1 ? [] : text, folder, root: root)
        } catch {
            release(descriptor)
            throw error
        }
        return descriptor
    }

    /// Opens the mark, and how many names it has; makes it where there is none.
    private static func open(
        in folder: DirectoryHandle
    ) throws(FileSystemError) -> (descriptor: Int32, links: Int) {
        while true {
            do throws(FileSystemError) {
                return try folder.openOwn(mark, O_RDWR)
            } catch {
                guard error.code == ENOENT else { throw error }
            }
            do throws(FileSystemError) {
                return (try folder.create(mark), 1)
            } catch {
                // Another run was quicker.
                guard error.code == EEXIST else { throw error }
            }
        }
    }

    /// Throws where something stands under the name of a file of our own that is none.
    private static func requireOwn(
        _ name: Pathname, in folder: DirectoryHandle
    ) throws(FileSystemError) {
        do throws(FileSystemError) {
            close(try folder.openOwn(name, O_RDONLY).descriptor)
        } catch {
            guard error.code == ENOENT else { throw error }
        }
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

    /// Puts a new, empty mark in the place of a locked one, locked before anybody can see it.
    private static func replace(
        _ descriptor: inout Int32, in folder: DirectoryHandle
    ) throws(RunRefusal) {
        let path = folder.path
        let (temporary, made) = try refusing(path) { () throws(FileSystemError) in
            try StagedOutput.unused { (name) throws(FileSystemError) in try folder.create(name) }
        }
        do throws(RunRefusal) {
            try hold(made, path)
            try refusing(path) { () throws(FileSystemError) in
                try folder.rename(temporary, to: mark)
            }
        } catch {
            try? folder.remove(temporary)
            release(made)
            throw error
        }
        release(descriptor)
        descriptor = made
    }

    /// Writes the mark, unless it says already what it is to say: then it stays as it is, time
    /// included.
    private static func sign(
        _ descriptor: Int32, _ text: [UInt8], _ folder: DirectoryHandle, root: Pathname
    ) throws(RunRefusal) {
        let path = folder.path
        let resolved = (try? FileSystem.resolve(path)) ?? path
        let root = (try? FileSystem.resolve(root)) ?? root
        let words = OutputMark.text(root: OutputMark.way(from: resolved, to: root))
        guard words != text else { return }
        // In place, as a new file would not be the locked one; half a mark is only written again.
        let written = words.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
        guard written == words.count, ftruncate(descriptor, off_t(written)) == 0 else {
            let error = FileSystemError(path)
            if text.isEmpty { try? folder.remove(mark) }
            throw .outputNotMade(path, detail: error.detail)
        }
    }

    /// Has what goes wrong with the files at the top of an output refuse the run.
    private static func refusing<Result>(
        _ output: Pathname, _ body: () throws(FileSystemError) -> Result
    ) throws(RunRefusal) -> Result {
        do throws(FileSystemError) {
            return try body()
        } catch {
            if error.isNotRegular { throw .outputFileNotRegular(error.path) }
            if error.isOfAnother { throw .outputFileOfAnother(error.path) }
            throw .outputNotMade(output, detail: error.detail)
        }
    }
}
