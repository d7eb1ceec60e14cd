import Recordings

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// `.tapedeck.journal`: what became of recordings, kept until manifests say it.
///
/// The file is made with its first fact, so that a run with nothing to tell leaves no trace. It is
/// for one user at a time: whoever holds the output's lock.
package struct JournalFile: ~Copyable, Sendable {
    /// Its name, at the top of the output folder.
    package static let name: Pathname = ".tapedeck.journal"

    private let folder: Pathname
    private let write: FileSystem.Writer
    /// Open from the first fact on.
    private var opened: Opened?

    private struct Opened {
        var descriptor: Int32
        /// All of it whole lines.
        var bytes: Int64
        var isNew = false
    }

    /// The journal of an output folder, which need not be there yet; looks at nothing.
    package init(in output: Pathname) {
        self.init(in: output, write: FileSystem.writeBytes)
    }

    init(in output: Pathname, write: @escaping FileSystem.Writer) {
        folder = output
        self.write = write
    }

    deinit {
        if let opened { close(opened.descriptor) }
    }

    private var path: Pathname { folder.appending(JournalFile.name) }

    /// Writes facts and returns once they are on the disk; costs one sync, however many they are.
    ///
    /// When that fails the file is as long as before, as far as that can be done, and the next
    /// attempt begins anew.
    package mutating func append(_ facts: [JournalFact]) throws(FileSystemError) {
        guard !facts.isEmpty else { return }
        let file: Opened
        if let opened { file = opened } else { file = try open() }
        var text = file.bytes == 0 ? JournalLine.header : []
        for fact in facts { text += JournalLine.spelling(of: fact) }
        do throws(FileSystemError) {
            try FileSystem.write(text, to: file.descriptor, of: path, with: write)
            guard fsync(file.descriptor) == 0 else { throw FileSystemError(path) }
            // One that is there already may have been made by a run that was killed before this.
            if opened == nil { try FileSystem.syncFolder(folder) }
        } catch {
            // Whatever this leaves behind is a torn tail, which the next attempt takes away.
            if file.isNew {
                try? FileSystem.remove(path)
            } else {
                _ = ftruncate(file.descriptor, off_t(file.bytes))
            }
            close(file.descriptor)
            opened = nil
            throw error
        }
        opened = Opened(
            descriptor: file.descriptor, bytes: file.bytes + Int64(text.count), isNew: false)
    }

    /// Takes the file away, if there is one.
    package mutating func remove() throws(FileSystemError) {
        closeFile()
        guard try exists() else { return }
        try FileSystem.remove(path)
        try FileSystem.syncFolder(folder)
    }

    /// Keeps only the facts about these folders, in a new file in the old one's place, or none
    /// where no fact remains; damaged lines go.
    package mutating func keep(
        only folders: Set<Pathname>
    ) throws(FileSystemError) {
        guard try exists() else { return }
        let journal = try RecoveredJournal.read(in: folder)
        guard journal.tells(of: folders) else { return try remove() }
        closeFile()
        let staged = try StagedOutput(JournalFile.name, in: folder, tag: "journal")
        _ = try staged.write(syncing: true) { (put) throws(FileSystemError) in
            try put(JournalLine.header)
            try journal.forEachLine(about: folders, put)
        }
        try staged.commitAndSync()
    }

    private mutating func closeFile() {
        if let opened { close(opened.descriptor) }
        opened = nil
    }

    private func exists() throws(FileSystemError) -> Bool {
        do throws(FileSystemError) {
            _ = try FileSystem.status(path, followingLink: false)
            return true
        } catch {
            guard error.code == ENOENT else { throw error }
            return false
        }
    }
}

// MARK: - Opening

extension JournalFile {
    /// Opens the file, making it where there is none, and takes away what a crash left of a line.
    private func open() throws(FileSystemError) -> Opened {
        // A link would lead the facts into somebody else's file.
        let flags = O_RDWR | O_APPEND | O_CLOEXEC | O_NOFOLLOW
        let descriptor = path.withCString { openFile($0, flags) }
        if descriptor < 0 {
            guard errno == ENOENT else { throw FileSystemError(path) }
            let made = path.withCString { openFile($0, flags | O_CREAT | O_EXCL) }
            guard made >= 0 else { throw FileSystemError(path) }
            return Opened(descriptor: made, bytes: 0, isNew: true)
        }
        do throws(FileSystemError) {
            try refuseLaterVersion(descriptor)
            let whole = try wholeBytes(in: descriptor)
            guard ftruncate(descriptor, off_t(whole)) == 0 else { throw FileSystemError(path) }
            return Opened(descriptor: descriptor, bytes: whole)
        } catch {
            close(descriptor)
            throw error
        }
    }

    private func refuseLaterVersion(_ descriptor: Int32) throws(FileSystemError) {
        let start = try bytes(of: descriptor, at: 0, count: JournalLine.longestHeaderBytes)
        let line = start.prefix { $0 != JournalLine.newline }
        let version = Array(line).withUnsafeBytes { line in
            JournalLine.json(in: line[...]).flatMap {
                JournalLine.version(inJSON: Array(line[$0]))
            }
        }
        if let version, version > JournalLine.version { throw .laterJournal(path) }
    }

    /// Where the last whole line ends.
    private func wholeBytes(in descriptor: Int32) throws(FileSystemError) -> Int64 {
        let step = 1 << 16
        var end = Int64(lseek(descriptor, 0, SEEK_END))
        guard end >= 0 else { throw FileSystemError(path) }
        while end > 0 {
            let start = max(0, end - Int64(step))
            let chunk = try bytes(of: descriptor, at: start, count: Int(end - start))
            guard chunk.count == Int(end - start) else { throw FileSystemError(path, code: EIO) }
            if let place = chunk.lastIndex(of: JournalLine.newline) {
                return start + Int64(place) + 1
            }
            end = start
        }
        return 0
    }

    private func bytes(
        of descriptor: Int32, at offset: Int64, count: Int
    ) throws(FileSystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let found = bytes.withUnsafeMutableBytes {
            pread(descriptor, $0.baseAddress, $0.count, off_t(offset))
        }
        guard found >= 0 else { throw FileSystemError(path) }
        return Array(bytes.prefix(found))
    }
}

/// The system's `open`, outside the type whose own function hides that name.
private func openFile(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 {
    open(path, flags, 0o666)
}
