import Jobs
import Recordings
import ReducerKit
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Writes a trace as the run happens, each line at once and whole.
///
/// A crash of the program loses nothing that was told before; nothing waits for the disk.
package final class TraceWriter: Sendable {
    private struct Progress {
        /// Whether the header was written, and with it what was there before given up.
        var hasBegun = false
        /// Told of the first failure; `nil` once nothing further is to be written.
        var failed: (@Sendable (TraceRefusal) -> Void)?
    }

    private let path: Pathname
    private let descriptor: Int32
    /// Whether there was no such file before.
    private let isNew: Bool
    private let progress = Mutex(Progress())

    /// Opens the file and writes nothing yet: what is there stays until `begin`.
    ///
    /// An earlier trace may be overwritten, and an empty file; any other is refused. What is not a
    /// file, such as a pipe, is taken as it is.
    package init(_ path: Pathname) throws(TraceRefusal) {
        do throws(FileSystemError) {
            (descriptor, isNew) = try TraceWriter.open(path)
        } catch {
            throw .notWritten(path, detail: error.detail)
        }
        self.path = path
        guard TraceWriter.mayBeOverwritten(descriptor) else { throw .foreign(path) }
    }

    deinit {
        // Where the run was refused after all, nothing is left.
        if isNew, !progress.withLock({ $0.hasBegun }) { _ = path.withCString { unlink($0) } }
        close(descriptor)
    }

    /// Writes the header in the place of what was there.
    /// - Parameter failed: told once, of the first line that cannot be written; the run goes on
    ///   without a trace.
    package func begin(
        version: String, _ configuration: JobStore.Configuration,
        failed: @escaping @Sendable (TraceRefusal) -> Void
    ) {
        progress.withLock {
            $0.hasBegun = true
            $0.failed = failed
        }
        // Only a file can be cut; a pipe has nothing in it.
        _ = ftruncate(descriptor, 0)
        put { TraceFile.text(version: version, configuration) }
    }

    /// The reducer that tells this trace of everything.
    package func tracing(
        _ reducer: Reducer<JobStore.State, JobStore.Action, JobStore.Command>
    ) -> Reducer<JobStore.State, JobStore.Action, JobStore.Command> {
        reducer.tracing(
            announcing: { action in self.put { TraceFile.text(.init(action: action)) } },
            to: { _, commands in self.put { TraceFile.text(.init(commands: commands)) } })
    }

    private func put(_ line: () -> [UInt8]) {
        progress.withLock { progress in
            guard let failed = progress.failed else { return }
            do throws(FileSystemError) {
                try FileSystem.write(line(), to: descriptor, of: path)
            } catch {
                progress.failed = nil
                failed(.notWritten(path, detail: error.detail))
            }
        }
    }
}

// MARK: - Opening

extension TraceWriter {
    private static func open(
        _ path: Pathname
    ) throws(FileSystemError) -> (descriptor: Int32, isNew: Bool) {
        let made = openFile(path, O_RDWR | O_CREAT | O_EXCL)
        if made >= 0 { return (made, true) }
        guard errno == EEXIST else { throw FileSystemError(path) }
        // A file is looked into first. A pipe that we read as well would never be seen to end.
        let isFile = try FileSystem.status(path).kind == .regular
        let found = openFile(path, isFile ? O_RDWR : O_WRONLY)
        guard found >= 0 else { throw FileSystemError(path) }
        return (found, false)
    }

    private static func openFile(_ path: Pathname, _ flags: Int32) -> Int32 {
        path.withCString { openPath($0, flags | O_CLOEXEC, 0o666) }
    }

    private static func mayBeOverwritten(_ descriptor: Int32) -> Bool {
        var info = stat()
        guard fstat(descriptor, &info) == 0 else { return false }
        let status = FileSystem.Status(info)
        guard status.kind == .regular, status.stamp.bytes > 0 else { return true }
        var first = [UInt8](repeating: 0, count: TraceFile.mark.count)
        let count = first.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
        return count == first.count && first == TraceFile.mark
    }
}

/// The system's `open`, outside the type whose own function hides that name.
private func openPath(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 {
    open(path, flags, mode)
}
