import Glibc
import Recordings

/// An open folder that lists its names and checks their status without resolving full paths.
///
/// Saves time in folders with very many names. Closed on deinit. Not thread-safe.
struct DirectoryReader: ~Copyable {
    private let path: Pathname
    private let stream: OpaquePointer

    init(_ path: Pathname) throws(FileSystemError) {
        guard let stream = path.withCString({ opendir($0) }) else { throw FileSystemError(path) }
        self.path = path
        self.stream = stream
    }

    deinit { closedir(stream) }

    /// The status of a name in the folder, by default following a symlink.
    ///
    /// Allocates nothing unless it throws.
    /// - Parameter withBirth: Whether to read the birth time, which tells reused inodes apart.
    func status(
        of name: Pathname, followingLink: Bool = true, withBirth: Bool = false
    ) throws(FileSystemError) -> FileSystem.Status {
        var info = stat()
        let flags = followingLink ? 0 : AT_SYMLINK_NOFOLLOW
        let descriptor = dirfd(stream)
        guard name.withCString({ fstatat(descriptor, $0, &info, flags) }) == 0 else {
            let code = errno
            throw FileSystemError(path.appending(name), code: code)
        }
        let status = FileSystem.Status(info)
        guard withBirth else { return status }
        return status.withBirth(of: name, in: descriptor, followingLink: followingLink)
    }

    /// The status of the folder itself.
    borrowing func status() throws(FileSystemError) -> FileSystem.Status {
        var info = stat()
        guard fstat(dirfd(stream), &info) == 0 else { throw FileSystemError(path) }
        return FileSystem.Status(info)
    }

    /// Whether the folder is empty, hidden names included, but for `exception`; stops at the first.
    borrowing func isBare(but exception: Pathname?) throws(FileSystemError) -> Bool {
        rewinddir(stream)
        while let entry = try nextEntry() {
            guard let exception, entry.name.elementsEqual(exception.bytes) else { return false }
        }
        return true
    }

    /// The kind of an entry, calling `fstatat` if the listing did not report it; `nil` if the entry
    /// is gone.
    func kind(of entry: FileSystem.Name) -> FileSystem.Kind? {
        entry.kind ?? (try? status(of: entry.name, followingLink: false))?.kind
    }

    /// The names that pass the filter, unordered, without "." and ".."; skipping one is cheap.
    borrowing func names(
        where isWanted: (UnsafeRawBufferPointer, FileSystem.Kind?) -> Bool = { _, _ in true }
    ) throws(FileSystemError) -> [FileSystem.Name] {
        // A repeated listing starts over.
        rewinddir(stream)
        var names: [FileSystem.Name] = []
        while let entry = try nextEntry() {
            let kind = FileSystem.Kind(entryType: entry.type)
            guard isWanted(entry.name, kind) else { continue }
            names.append(FileSystem.Name(name: Pathname(bytes: Array(entry.name)), kind: kind))
        }
        return names
    }

    /// The names without a leading dot, sorted bytewise.
    borrowing func visibleNames() throws(FileSystemError) -> [FileSystem.Name] {
        try names { name, _ in name.first != UInt8(ascii: ".") }.sorted { $0.name < $1.name }
    }

    /// The names with this prefix, unordered.
    borrowing func names(beginningWith start: String) throws(FileSystemError) -> [Pathname] {
        try names { name, _ in name.starts(with: start.utf8) }.map(\.name)
    }

    /// The folders and symlinks without a leading dot, unordered.
    borrowing func visibleFolders() throws(FileSystemError) -> (
        folders: [Pathname], links: [Pathname]
    ) {
        let names = try names { name, kind in
            [nil, .folder, .link].contains(kind) && name.first != UInt8(ascii: ".")
        }
        return (
            names.filter { kind(of: $0) == .folder }.map(\.name),
            names.filter { kind(of: $0) == .link }.map(\.name)
        )
    }

    /// The next name, skipping "." and ".."; `nil` at the end; valid until the next call.
    private borrowing func nextEntry() throws(FileSystemError) -> (
        name: UnsafeRawBufferPointer, type: UInt8
    )? {
        let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
        errno = 0
        while let entry = readdir(stream) {
            // readdir(3) terminates the name with a zero inside the entry.
            let start = UnsafeRawPointer(entry).advanced(by: offset)
            let count = strlen(start.assumingMemoryBound(to: CChar.self))
            let name = UnsafeRawBufferPointer(start: start, count: count)
            if count > 2 || !name.allSatisfy({ $0 == UInt8(ascii: ".") }) {
                return (name, entry.pointee.d_type)
            }
            errno = 0
        }
        // readdir(3) returns null both at the end and on an error; only `errno` differs.
        guard errno == 0 else { throw FileSystemError(path) }
        return nil
    }
}

extension FileSystem {
    /// All names in a folder except "." and "..", unordered.
    static func names(in path: Pathname) throws(FileSystemError) -> [Name] {
        try DirectoryReader(path).names()
    }
}

extension FileSystem.Kind {
    fileprivate init?(entryType: UInt8) {
        switch Int(entryType) {
        case Int(DT_REG): self = .regular
        case Int(DT_DIR): self = .folder
        case Int(DT_LNK): self = .link
        case Int(DT_UNKNOWN): return nil
        default: self = .other
        }
    }
}
