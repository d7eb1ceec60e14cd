import CSync
import Glibc
import Recordings

extension FileSystem {
    /// The whole contents of a regular file; throws for a pipe, which could block forever.
    static func contents(of path: Pathname) throws(FileSystemError) -> [UInt8] {
        try contents(of: path, atMost: .max) ?? []
    }

    /// As `contents(of:)`; `nil` if the file is larger than `most`.
    static func contents(
        of path: Pathname, atMost most: Int
    ) throws(FileSystemError) -> [UInt8]? {
        let (descriptor, bytes) = try openRegular(path)
        defer { close(descriptor) }
        if bytes > most { return nil }
        var contents: [UInt8] = []
        // One byte more than the file has, to detect its end.
        var room = bytes + 1
        while true {
            var code: Int32 = 0
            let part = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
                code = fill(buffer, &count, from: descriptor)
            }
            guard code == 0 else { throw FileSystemError(path, code: code) }
            if contents.isEmpty { contents = part } else { contents += part }
            if part.count < room { return contents }
            // The file has grown.
            room = largestChunkBytes
        }
    }

    /// Opens a regular file and returns its length.
    static func openRegular(
        _ path: Pathname
    ) throws(FileSystemError) -> (descriptor: Int32, bytes: Int) {
        let descriptor = path.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        guard descriptor >= 0 else { throw FileSystemError(path) }
        var info = stat()
        let code = fstat(descriptor, &info) == 0 ? 0 : errno
        if code == 0, info.st_mode & S_IFMT == S_IFREG { return (descriptor, Int(info.st_size)) }
        close(descriptor)
        let isFolder = info.st_mode & S_IFMT == S_IFDIR
        throw FileSystemError(path, code: code != 0 ? code : isFolder ? EISDIR : ENODEV)
    }

    /// Whether two files have the same contents; false if one cannot be read.
    static func areEqual(_ path: Pathname, _ other: Pathname) -> Bool {
        guard let (one, bytes) = try? openRegular(path) else { return false }
        defer { close(one) }
        guard let (right, otherBytes) = try? openRegular(other) else { return false }
        defer { close(right) }
        guard bytes == otherBytes else { return false }
        func next(_ descriptor: Int32) -> [UInt8] {
            [UInt8](unsafeUninitializedCapacity: largestChunkBytes) {
                if fill($0, &$1, from: descriptor) != 0 { $1 = 0 }
            }
        }
        var left = bytes
        while left > 0 {
            let chunk = next(one)
            guard !chunk.isEmpty, chunk == next(right) else { return false }
            left -= chunk.count
        }
        return true
    }

    /// Reads until the buffer is full or the file ends; returns `errno`, or 0.
    private static func fill(
        _ buffer: UnsafeMutableBufferPointer<UInt8>, _ count: inout Int, from descriptor: Int32
    ) -> Int32 {
        while count < buffer.count {
            let rest = buffer.baseAddress.map { $0 + count }
            let more = read(descriptor, rest, buffer.count - count)
            if more == 0 { return 0 }
            if more > 0 {
                count += more
            } else if errno != EINTR {
                return errno
            }
        }
        return 0
    }

    /// The first bytes of a file, at most `wanted`; empty if it is a symlink or may not be read.
    ///
    /// Throws if it cannot be read just now: then nobody knows what it is.
    static func beginning(
        of path: Pathname, bytes wanted: Int
    ) throws(FileSystemError) -> [UInt8] {
        try ifReadable { () throws(FileSystemError) in
            let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
            let descriptor = path.withCString { open($0, flags) }
            guard descriptor >= 0 else { throw FileSystemError(path) }
            defer { close(descriptor) }
            return try beginning(of: descriptor, path, bytes: wanted)
        } ?? []
    }

    /// As `beginning(of:bytes:)`, for an open file.
    static func beginning(
        of descriptor: Int32, _ path: Pathname, bytes wanted: Int
    ) throws(FileSystemError) -> [UInt8] {
        var code: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
            count = pread(descriptor, buffer.baseAddress, wanted, 0)
            if count < 0 { (code, count) = (errno, 0) }
        }
        guard code == 0 else { throw FileSystemError(path, code: code) }
        return bytes
    }

    /// Throws `EEXIST` if a file is not empty and does not begin with `mark`.
    static func requireMark(_ mark: [UInt8], of path: Pathname) throws(FileSystemError) {
        try requireBeginning(of: path, bytes: mark.count) { $0 == mark }
    }

    /// Throws `EEXIST` if a file is not empty and its first bytes are not as they should be.
    static func requireBeginning(
        of path: Pathname, bytes wanted: Int, _ isExpected: ([UInt8]) -> Bool
    ) throws(FileSystemError) {
        let (descriptor, bytes) = try openRegular(path)
        defer { close(descriptor) }
        if bytes == 0 { return }
        guard isExpected(try beginning(of: descriptor, path, bytes: wanted)) else {
            throw FileSystemError(path, code: EEXIST)
        }
    }

    static let largestChunkBytes = 1 << 18

    /// Passes an open file's bytes to `body` from start to end, in chunks of bounded size.
    /// - Parameter isCancelled: called before each chunk; if true, the rest is skipped.
    static func forEachChunk(
        of descriptor: Int32, _ path: Pathname,
        isCancelled: () -> Bool = { false }, _ body: (UnsafeRawBufferPointer) -> Void
    ) throws(FileSystemError) {
        let bytes = try status(descriptor, path).stamp.bytes
        // Clearing a whole chunk takes longer than hashing a small file.
        let room = bytes > 0 ? min(largestChunkBytes, Int(bytes)) : largestChunkBytes
        var buffer = [UInt8](repeating: 0, count: room)
        var place: off_t = 0
        while !isCancelled() {
            let count = buffer.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress, $0.count, place)
            }
            if count < 0 {
                if errno == EINTR { continue }
                throw FileSystemError(path)
            }
            if count == 0 { return }
            place += off_t(count)
            buffer.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        }
    }
}

// MARK: - Writing

extension FileSystem {
    /// The system's `write`, which tests replace.
    typealias Writer = @Sendable (Int32, UnsafeRawBufferPointer) -> Int

    /// Writes all bytes, in as many `write` calls as needed.
    /// - Parameter path: the open file's path, for errors.
    static func write(
        _ bytes: [UInt8], to descriptor: Int32, of path: Pathname,
        with writer: Writer = writeBytes
    ) throws(FileSystemError) {
        var done = 0
        while done < bytes.count {
            let written = bytes.withUnsafeBytes {
                writer(descriptor, UnsafeRawBufferPointer(rebasing: $0[done...]))
            }
            if written < 0 && errno == EINTR { continue }
            guard written > 0 else { throw FileSystemError(path) }
            done += written
        }
    }

    /// Syncs the file system that contains a folder (syncfs).
    ///
    /// One call covers any number of files and costs about as much as syncing one of them.
    static func syncAll(at folder: Pathname) throws(FileSystemError) {
        let descriptor = folder.withCString { open($0, O_RDONLY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw FileSystemError(folder) }
        defer { close(descriptor) }
        guard syncfs(descriptor) == 0 else { throw FileSystemError(folder) }
    }

    /// As `syncAll(at:)` for several folders; syncs each file system once.
    static func syncAll(at folders: Set<Pathname>) throws(FileSystemError) {
        var seen: Set<dev_t> = []
        for folder in folders.sorted() {
            var info = stat()
            guard folder.withCString({ fstatat(AT_FDCWD, $0, &info, 0) }) == 0 else {
                throw FileSystemError(folder)
            }
            if seen.insert(info.st_dev).inserted { try syncAll(at: folder) }
        }
    }

    /// The real `write`.
    static let writeBytes: Writer = { systemWrite($0, $1) }
}

/// Calls `write(2)`, which `FileSystem.write` would hide.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}
