import Glibc
import Jobs
import Recordings

/// The lock that one run holds on an output: a lock on its mark, which says whose results it holds.
enum OutputLock {
    private static let mark = OutputFolder.mark

    /// Locks the mark of a folder, which is made where it is missing; gives back its descriptor.
    static func take(in path: Pathname, root: Pathname) throws(RunRefusal) -> Int32 {
        let folder = try refusing(path) { () throws(FileSystemError) in
            let folder = try DirectoryHandle(path)
            try requireOwn(JournalFile.name, in: folder)
            return folder
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
        var (descriptor, links, isNew) = try refusing(path) { () throws(FileSystemError) in
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
            let words = words(of: path, root: root)
            // One that has further names, in a backup of links or in somebody else's folder, is
            // never written to.
            if links > 1 {
                try replace(&descriptor, with: words, in: folder)
            } else if words != text {
                try sign(descriptor, words, folder, isNew: isNew)
            }
        } catch {
            release(descriptor)
            throw error
        }
        return descriptor
    }

    /// Opens the mark, and how many names it has; makes it where there is none.
    private static func open(
        in folder: DirectoryHandle
    ) throws(FileSystemError) -> (descriptor: Int32, links: Int, isNew: Bool) {
        while true {
            do throws(FileSystemError) {
                let (descriptor, links) = try folder.openOwn(mark, O_RDWR)
                return (descriptor, links, false)
            } catch {
                guard error.code == ENOENT else { throw error }
            }
            do throws(FileSystemError) {
                return (try folder.create(mark), 1, true)
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

    /// Puts a new mark in the place of a locked one, whole and locked before anybody can see it.
    private static func replace(
        _ descriptor: inout Int32, with words: [UInt8], in folder: DirectoryHandle
    ) throws(RunRefusal) {
        let path = folder.path
        let (temporary, made) = try refusing(path) { () throws(FileSystemError) in
            try StagedOutput.unused { (name) throws(FileSystemError) in try folder.create(name) }
        }
        do throws(RunRefusal) {
            try hold(made, path)
            try refusing(path) { () throws(FileSystemError) in
                try FileSystem.write(words, to: made, of: path.appending(temporary))
                guard fsync(made) == 0 else { throw FileSystemError(path) }
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

    /// What the mark is to say.
    private static func words(of path: Pathname, root: Pathname) -> [UInt8] {
        let resolved = (try? FileSystem.resolve(path)) ?? path
        let root = (try? FileSystem.resolve(root)) ?? root
        return OutputMark.text(root: OutputMark.way(from: resolved, to: root))
    }

    /// Writes the mark, in place, as a new file would not be the locked one; half a mark is only
    /// written again.
    private static func sign(
        _ descriptor: Int32, _ words: [UInt8], _ folder: DirectoryHandle, isNew: Bool
    ) throws(RunRefusal) {
        let written = words.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
        guard written == words.count, ftruncate(descriptor, off_t(written)) == 0 else {
            let error = FileSystemError(folder.path)
            if isNew { try? folder.remove(mark) }
            throw .outputNotMade(folder.path, detail: error.detail)
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
