import Glibc
import Jobs
import Recordings
import ReducerKit
import Synchronization

/// Writes a trace as the run happens, each line at once and whole.
///
/// A crash of the program loses nothing that was told before; nothing waits for the disk.
package final class TraceWriter: Sendable {
    private struct Progress: ~Copyable {
        /// A new file, which takes its place as the run begins.
        var staged: StagedOutput?
        /// Where the lines go: a file in its place, a pipe or a device.
        var descriptor: Int32?
        /// Told of the first failure; `nil` while nothing is to be written.
        var failed: (@Sendable (TraceRefusal) -> Void)?
    }

    private let path: Pathname
    private let progress: Mutex<Progress>

    /// Opens the file and writes nothing yet: what is there stays until `begin`.
    ///
    /// An earlier trace may be replaced, and an empty file; any other is refused. What is not a
    /// file, such as a pipe, is taken as it is.
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

    /// Puts the header in the place of what was there.
    /// - Parameter failed: told once, of the first line that cannot be written; the run goes on
    ///   without a trace.
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
        // A pipe that nobody reads is not waited for.
        let flags = O_WRONLY | O_CLOEXEC | O_NONBLOCK
        let descriptor = path.withCString { openPath($0, flags) }
        guard descriptor >= 0 else { throw FileSystemError(path) }
        _ = fcntl(descriptor, F_SETFL, O_WRONLY)
        return Progress(descriptor: descriptor)
    }
}

/// The system's `open`, outside the type whose own function hides that name.
private func openPath(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 { open(path, flags) }
