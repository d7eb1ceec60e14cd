import Recordings

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension FileSystem {
    /// Gives a file a second name; where that cannot be, makes a copy that bears the same time.
    ///
    /// What has the second name already is replaced. A link costs next to nothing; a copy is needed
    /// from one disk to another, and on file systems that have no links.
    static func link(
        _ old: Pathname, to new: Pathname
    ) throws(FileSystemError) {
        try remove(new)
        let result = old.withCString { old in new.withCString { makeLink(old, $0) } }
        if result == 0 { return }
        guard [EXDEV, EPERM, EMLINK, ENOTSUP, ENOSYS].contains(errno) else {
            throw FileSystemError(old)
        }
        try copy(old, to: new)
    }

    private static func copy(_ old: Pathname, to new: Pathname) throws(FileSystemError) {
        let stamp = try status(old).stamp
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC
        let descriptor = new.withCString { open($0, flags, 0o666) }
        guard descriptor >= 0 else { throw FileSystemError(new) }
        var problem: FileSystemError?
        do throws(FileSystemError) {
            try forEachChunk(of: old, isCancelled: { problem != nil }) { chunk in
                do throws(FileSystemError) {
                    try write(Array(chunk), to: descriptor, of: new)
                } catch {
                    problem = error
                }
            }
        } catch {
            problem = error
        }
        if close(descriptor) != 0, problem == nil { problem = FileSystemError(new) }
        if problem == nil {
            try setModified(new, nanoseconds: stamp.modifiedNanoseconds)
        }
        guard let problem else { return }
        try? remove(new)
        throw problem
    }
}

/// The system's `link`, outside the type whose own function hides that name.
private func makeLink(_ old: UnsafePointer<CChar>, _ new: UnsafePointer<CChar>) -> Int32 {
    link(old, new)
}
