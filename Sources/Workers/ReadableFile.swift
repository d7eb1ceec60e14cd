import Recordings

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A file that is open for reading, and stays the same one whatever becomes of its name.
final class ReadableFile: Sendable {
    let path: Pathname
    let descriptor: Int32

    /// A regular file alone.
    init(_ path: Pathname) throws(FileSystemError) {
        (descriptor, _) = try FileSystem.openRegular(path)
        self.path = path
    }

    /// A file, or a pipe, whose writer is waited for.
    init(waitingFor path: Pathname) throws(FileSystemError) {
        descriptor = path.withCString { open($0, O_RDONLY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw FileSystemError(path) }
        self.path = path
    }

    deinit {
        close(descriptor)
    }

    /// The bytes of a place; throws `EIO` where the file ends before.
    func bytes(in place: Range<Int>) throws(FileSystemError) -> [UInt8] {
        var code: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: place.count) { buffer, count in
            while count < place.count {
                let rest = buffer.baseAddress.map { $0 + count }
                let offset = off_t(place.lowerBound + count)
                let more = pread(descriptor, rest, place.count - count, offset)
                if more > 0 {
                    count += more
                } else if more == 0 || errno != EINTR {
                    code = more == 0 ? EIO : errno
                    return
                }
            }
        }
        guard code == 0 else { throw FileSystemError(path, code: code) }
        return bytes
    }
}
