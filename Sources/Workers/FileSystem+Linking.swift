import Recordings

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension FileSystem {
    /// The system's `link`, which tests replace.
    typealias Linker = @Sendable (Pathname, Pathname) -> Int32

    /// Gives a file a second name; where that cannot be, makes a copy that bears the same time.
    ///
    /// What has the second name already is replaced. A link costs next to nothing; a copy is needed
    /// from one disk to another, and on file systems that have no links.
    /// - Parameter isCancelled: asked before each chunk of a copy.
    /// - Returns: whether it was not told to stop; then, as after throwing, nothing has that name.
    static func link(
        _ old: Pathname, to new: Pathname, with linker: Linker = makeLink,
        isCancelled: () -> Bool = { false }
    ) throws(FileSystemError) -> Bool {
        try remove(new)
        if isCancelled() { return false }
        if linker(old, new) == 0 { return true }
        guard [EXDEV, EPERM, EMLINK, ENOTSUP, ENOSYS].contains(errno) else {
            throw FileSystemError(old)
        }
        return try duplicate(old, as: new, isCancelled: isCancelled)
    }

    /// Makes a copy that bears the same time.
    ///
    /// What has the new name already is replaced.
    /// - Parameter isCancelled: asked before each chunk.
    /// - Returns: whether it was not told to stop; then, as after throwing, nothing has that name.
    static func duplicate(
        _ old: Pathname, as new: Pathname, isCancelled: () -> Bool = { false }
    ) throws(FileSystemError) -> Bool {
        try remove(new)
        if isCancelled() { return false }
        var isWhole = false
        defer { if !isWhole { try? remove(new) } }
        try copy(old, to: new, isCancelled: isCancelled)
        isWhole = !isCancelled()
        return isWhole
    }

    /// Copies a file with its time; leaves half of one where it throws or is told to stop.
    private static func copy(
        _ old: Pathname, to new: Pathname, isCancelled: () -> Bool
    ) throws(FileSystemError) {
        let before = try status(old)
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC
        let descriptor = new.withCString { open($0, flags, 0o666) }
        guard descriptor >= 0 else { throw FileSystemError(new) }
        var problem: FileSystemError?
        do throws(FileSystemError) {
            try forEachChunk(of: old, isCancelled: { problem != nil || isCancelled() }) { chunk in
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
        if let problem { throw problem }
        let after = try status(old)
        // Another file may have taken the name between the look at it and the copy.
        guard after.number == before.number, after.stamp == before.stamp else {
            throw FileSystemError(old, code: ESTALE)
        }
        try setModified(new, nanoseconds: before.stamp.modifiedNanoseconds)
    }

    /// The system's own.
    static let makeLink: Linker = { old, new in
        old.withCString { old in new.withCString { systemLink(old, $0) } }
    }
}

/// The system's `link`, outside the type whose own function hides that name.
private func systemLink(_ old: UnsafePointer<CChar>, _ new: UnsafePointer<CChar>) -> Int32 {
    link(old, new)
}
