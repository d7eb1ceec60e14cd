import Glibc
import Recordings

/// A folder held open, to list its names and to look at them without going the whole way each time.
///
/// For folders with very many names, where making each path and walking it adds up. Closed when it
/// goes. Not for several threads at once.
struct DirectoryReader: ~Copyable {
    private let path: Pathname
    private let stream: OpaquePointer

    init(_ path: Pathname) throws(FileSystemError) {
        guard let stream = path.withCString({ opendir($0) }) else { throw FileSystemError(path) }
        self.path = path
        self.stream = stream
    }

    deinit { closedir(stream) }

    /// What a name in the folder leads to; a link is followed unless asked otherwise.
    ///
    /// Allocates nothing unless it throws.
    /// - Parameter withBirth: Whether to tell it from files that are gone as well.
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

    /// What the folder itself is.
    borrowing func status() throws(FileSystemError) -> FileSystem.Status {
        var info = stat()
        guard fstat(dirfd(stream), &info) == 0 else { throw FileSystemError(path) }
        return FileSystem.Status(info)
    }

    /// Whether no name but one given is in the folder, hidden ones counted; stops at the first.
    borrowing func isBare(but exception: Pathname?) throws(FileSystemError) -> Bool {
        rewinddir(stream)
        while let entry = try nextEntry() {
            guard let exception, entry.name.elementsEqual(exception.bytes) else { return false }
        }
        return true
    }

    /// What a name in the folder stands for, asking again where the listing did not say; `nil`
    /// where it is gone.
    func kind(of entry: FileSystem.Name) -> FileSystem.Kind? {
        entry.kind ?? (try? status(of: entry.name, followingLink: false))?.kind
    }

    /// The names that are wanted, "." and ".." never, in no order; the others cost next to nothing.
    borrowing func names(
        where isWanted: (UnsafeRawBufferPointer, FileSystem.Kind?) -> Bool = { _, _ in true }
    ) throws(FileSystemError) -> [FileSystem.Name] {
        // A second listing begins anew.
        rewinddir(stream)
        var names: [FileSystem.Name] = []
        while let entry = try nextEntry() {
            let kind = FileSystem.Kind(entryType: entry.type)
            guard isWanted(entry.name, kind) else { continue }
            names.append(FileSystem.Name(name: Pathname(bytes: Array(entry.name)), kind: kind))
        }
        return names
    }

    /// The names that do not begin with a dot, ascending by their bytes.
    borrowing func visibleNames() throws(FileSystemError) -> [FileSystem.Name] {
        try names { name, _ in name.first != UInt8(ascii: ".") }.sorted { $0.name < $1.name }
    }

    /// The names that begin with certain bytes, in no order.
    borrowing func names(beginningWith start: String) throws(FileSystemError) -> [Pathname] {
        try names { name, _ in name.starts(with: start.utf8) }.map(\.name)
    }

    /// The folders and the links among the names that do not begin with a dot, in no order.
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

    /// The next name that is neither "." nor "..", which is there until the next call; `nil` at the
    /// end.
    private borrowing func nextEntry() throws(FileSystemError) -> (
        name: UnsafeRawBufferPointer, type: UInt8
    )? {
        let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
        errno = 0
        while let entry = readdir(stream) {
            // The system ends the name with a zero within the entry.
            let start = UnsafeRawPointer(entry).advanced(by: offset)
            let count = strlen(start.assumingMemoryBound(to: CChar.self))
            let name = UnsafeRawBufferPointer(start: start, count: count)
            if count > 2 || !name.allSatisfy({ $0 == UInt8(ascii: ".") }) {
                return (name, entry.pointee.d_type)
            }
            errno = 0
        }
        // The end of the folder and a failure look alike but for this.
        guard errno == 0 else { throw FileSystemError(path) }
        return nil
    }
}

extension FileSystem {
    /// All names in a folder but "." and "..", in no order.
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
