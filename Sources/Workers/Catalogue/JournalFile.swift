import Glibc
import Recordings

/// `.tapedeck.journal`: what became of recordings, kept until manifests say it.
///
/// The file is made with its first fact, so that a run with nothing to tell leaves no trace. It is
/// for one user at a time: whoever holds the output's lock.
package struct JournalFile: ~Copyable, Sendable {
    /// Its name, at the top of the output folder.
    package static let name: Pathname = ".tapedeck.journal"

    /// Opens the output's top.
    typealias Hold = @Sendable () throws(FileSystemError) -> DirectoryHandle

    private let hold: Hold
    private let write: FileSystem.Writer
    /// Open from the first fact on.
    private var opened: Opened?

    private struct Opened {
        var descriptor: Int32
        var path: Pathname
        /// All of it whole lines.
        var bytes: Int64
        var isNew = false
    }

    /// The journal of an output folder, which need not be there yet; looks at nothing.
    package init(in output: Pathname) {
        self.init { () throws(FileSystemError) in try DirectoryHandle(output) }
    }

    init(write: @escaping FileSystem.Writer = FileSystem.writeBytes, hold: @escaping Hold) {
        self.hold = hold
        self.write = write
    }

    deinit {
        if let opened { close(opened.descriptor) }
    }

    /// Writes facts and returns once they are on the disk; costs one sync, however many they are.
    ///
    /// When that fails the file is as long as before, as far as that can be done, and the next
    /// attempt begins anew.
    package mutating func append(_ facts: [JournalFact]) throws(FileSystemError) {
        guard !facts.isEmpty else { return }
        let file: Opened
        // Held where the file has yet to be opened.
        var folder: DirectoryHandle?
        if let opened {
            file = opened
        } else {
            let held = try hold()
            folder = held
            file = try open(held)
        }
        var text = file.bytes == 0 ? JournalLine.header : []
        for fact in facts { text += JournalLine.spelling(of: fact) }
        do throws(FileSystemError) {
            try FileSystem.write(text, to: file.descriptor, of: file.path, with: write)
            guard fsync(file.descriptor) == 0 else { throw FileSystemError(file.path) }
            try folder?.sync()
        } catch {
            // Whatever this leaves behind is a torn tail, which the next attempt takes away.
            if file.isNew {
                try? folder?.remove(JournalFile.name)
            } else {
                _ = ftruncate(file.descriptor, off_t(file.bytes))
            }
            close(file.descriptor)
            opened = nil
            throw error
        }
        opened = Opened(
            descriptor: file.descriptor, path: file.path, bytes: file.bytes + Int64(text.count))
    }

    /// Takes the file away, if there is one.
    package mutating func remove() throws(FileSystemError) {
        closeFile()
        let folder = try hold()
        guard try folder.status(of: JournalFile.name) != nil else { return }
        try folder.remove(JournalFile.name)
        try folder.sync()
    }

    /// Keeps only the facts about these folders, in a new file in the old one's place, or none
    /// where no fact remains; damaged lines go.
    package mutating func keep(
        only folders: Set<Pathname>
    ) throws(FileSystemError) {
        let folder = try hold()
        guard try folder.status(of: JournalFile.name) != nil else { return }
        let journal = try RecoveredJournal.read(in: folder)
        guard journal.tells(of: folders) else { return try remove() }
        closeFile()
        let staged = try StagedOutput(JournalFile.name, in: folder)
        _ = try staged.write(syncing: true) { (put) throws(FileSystemError) in
            try put(JournalLine.header)
            try journal.forEachLine(about: folders, put)
        }
        try staged.commit()
        try folder.sync()
    }

    private mutating func closeFile() {
        if let opened { close(opened.descriptor) }
        opened = nil
    }
}

// MARK: - Opening

extension JournalFile {
    /// Opens a file to be appended to.
    ///
    /// One that is there is never written to, as it may have further names, in a backup of links or
    /// in somebody else's folder: its whole lines are copied, and the copy takes its place.
    private func open(_ folder: DirectoryHandle) throws(FileSystemError) -> Opened {
        let path = folder.path.appending(JournalFile.name)
        guard try folder.status(of: JournalFile.name) != nil else {
            let made = try folder.create(JournalFile.name)
            return Opened(descriptor: made, path: path, bytes: 0, isNew: true)
        }
        let file = ReadableFile(try folder.openOwn(JournalFile.name, O_RDONLY).descriptor, path)
        try refuseLaterVersion(file)
        let whole = try wholeBytes(in: file)
        let staged = try StagedOutput(JournalFile.name, in: folder)
        _ = try staged.write(syncing: true) { (put) throws(FileSystemError) in
            for start in stride(from: 0, to: whole, by: JournalFile.stepBytes) {
                try put(try file.bytes(in: start..<min(whole, start + JournalFile.stepBytes)))
            }
        }
        return Opened(descriptor: try staged.commitOpen(), path: path, bytes: Int64(whole))
    }

    private static let stepBytes = 1 << 16

    private func refuseLaterVersion(_ file: ReadableFile) throws(FileSystemError) {
        let count = min(try file.byteCount(), JournalLine.longestHeaderBytes)
        let line = try file.bytes(in: 0..<count).prefix { $0 != JournalLine.newline }
        let version = Array(line).withUnsafeBytes { line in
            JournalLine.json(in: line[...]).flatMap {
                JournalLine.version(inJSON: Array(line[$0]))
            }
        }
        if let version, version > JournalLine.version { throw .laterJournal(file.path) }
    }

    /// Where the last whole line ends.
    private func wholeBytes(in file: ReadableFile) throws(FileSystemError) -> Int {
        var end = try file.byteCount()
        while end > 0 {
            let start = max(0, end - JournalFile.stepBytes)
            let chunk = try file.bytes(in: start..<end)
            if let place = chunk.lastIndex(of: JournalLine.newline) { return start + place + 1 }
            end = start
        }
        return 0
    }
}
