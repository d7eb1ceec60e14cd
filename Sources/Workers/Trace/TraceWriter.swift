import Glibc
import Jobs
import Recordings
import ReducerKit
import Synchronization

/// Writes a trace during the run, each line immediately and whole.
///
/// A crash of the program loses no line; nothing waits for the disk.
package final class TraceWriter: Sendable {
    private struct Progress: ~Copyable {
        /// A new file, renamed into place when the run begins.
        var staged: StagedOutput?
        /// The open output: a file in its place, a pipe or a device.
        var descriptor: Int32?
        /// Called on the first error; `nil` while nothing is written.
        var failed: (@Sendable (TraceRefusal) -> Void)?
    }

    private let path: Pathname
    private let progress: Mutex<Progress>

    /// Opens the file; an existing file stays unchanged until `begin`.
    ///
    /// Replaces an earlier trace or an empty file, and refuses any other file. A pipe or a device
    /// is written to directly.
    package init(_ path: Pathname) throws(TraceRefusal) {
        do throws(FileSystemError) {
            progress = Mutex(try TraceWriter.open(path))
        } catch {
            if error.code == EEXIST { throw .foreign(path) }
            let detail =
                error.code == ENXIO
                ? "nobody reads this pipe; start its reader first" : error.detail
            throw .notWritten(path, detail: detail)
        }
        self.path = path
    }

    deinit {
        progress.withLock { if let descriptor = $0.descriptor { close(descriptor) } }
    }

    /// Replaces the file and writes the header.
    /// - Parameter failed: called once, if a line cannot be written; the run continues without a
    ///   trace.
    package func begin(
        version: String, _ configuration: JobStore.Configuration,
        failed: @escaping @Sendable (TraceRefusal) -> Void
    ) {
        progress.withLock { progress in
            progress.failed = failed
            do throws(FileSystemError) {
                guard let staged = progress.staged.take() else { return }
                progress.descriptor = try staged.commitOpen()
            } catch {
                progress.failed = nil
                failed(.notWritten(path, detail: error.detail))
            }
        }
        put {
            TraceFile.text(.init(trace: .init(version: version, configuration: configuration)))
        }
    }

    /// Wraps a reducer to record its actions and commands in this trace.
    package func tracing(
        _ reducer: Reducer<JobStore.State, JobStore.Action, JobStore.Command>
    ) -> Reducer<JobStore.State, JobStore.Action, JobStore.Command> {
        reducer.tracing(
            announcing: { action in self.put { TraceFile.text(.init(action: action)) } },
            to: { _, commands in self.put { TraceFile.text(.init(commands: commands)) } })
    }

    private func put(_ line: () -> [UInt8]) {
        progress.withLock { progress in
            guard let failed = progress.failed, let descriptor = progress.descriptor else { return }
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
    private static func open(_ path: Pathname) throws(FileSystemError) -> Progress {
        let kind = try ifThere { () throws(FileSystemError) in try FileSystem.status(path).kind }
        guard kind == .other else {
            if kind != nil { try FileSystem.requireMark(TraceFile.mark, of: path) }
            return Progress(staged: try StagedOutput(at: path))
        }
        // Opening fails, instead of blocking, if a pipe has no reader.
        let flags = O_WRONLY | O_CLOEXEC | O_NONBLOCK
        let descriptor = path.withCString { openPath($0, flags) }
        guard descriptor >= 0 else { throw FileSystemError(path) }
        _ = fcntl(descriptor, F_SETFL, O_WRONLY)
        return Progress(descriptor: descriptor)
    }
}

/// Calls `open(2)`, which `TraceWriter.open` would hide.
private func openPath(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 { open(path, flags) }
