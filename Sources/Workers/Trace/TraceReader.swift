import Jobs
import Recordings

/// Reads a trace step by step; only one step is in memory.
package final class TraceReader {
    /// One action and its commands.
    package struct Step: Sendable {
        package var action: JobStore.Action
        /// `nil` if the program ended before writing them; this is then the last step.
        package var commands: [JobStore.Command]?
    }

    /// The version of the tool that wrote the trace.
    package let version: String
    package let configuration: JobStore.Configuration
    /// Whether the last line was truncated, and skipped.
    package private(set) var isTorn = false

    private let path: Pathname
    private let lines: LineReader
    private var lineNumber = 1

    /// Opens a trace and reads its first line.
    package init(_ path: Pathname) throws(TraceRefusal) {
        let isTrace: Bool
        do throws(FileSystemError) {
            lines = LineReader(try ReadableFile(waitingFor: path))
            // Checked before reading the line, which may have no end in other files.
            isTrace = try lines.begins(with: TraceFile.mark)
        } catch {
            throw .notRead(path, detail: error.detail)
        }
        guard isTrace else { throw .notATrace(path) }
        let first = try TraceReader.nextLine(of: lines, path)?.bytes ?? []
        guard let format = JSONLine.read(TraceFile.FormatLine.self, from: first)?.trace.format
        else { throw .damaged(path, line: 1) }
        guard format == TraceFile.currentFormat else { throw .otherFormat(path, format) }
        guard let header = JSONLine.read(TraceFile.Line.self, from: first)?.trace else {
            throw .damaged(path, line: 1)
        }
        version = header.version
        configuration = header.configuration
        self.path = path
    }

    /// The next action with its commands; `nil` at the end.
    package func next() throws(TraceRefusal) -> Step? {
        guard let first = try nextPart() else { return nil }
        guard let action = first.action else { throw .damaged(path, line: lineNumber) }
        guard let second = try nextPart() else { return Step(action: action) }
        guard let commands = second.commands else { throw .damaged(path, line: lineNumber) }
        return Step(action: action, commands: commands)
    }

    /// The next line, decoded; `nil` at the end, or at a truncated last line.
    private func nextPart() throws(TraceRefusal) -> TraceFile.Line? {
        guard let line = try TraceReader.nextLine(of: lines, path) else { return nil }
        lineNumber += 1
        if let part = JSONLine.read(TraceFile.Line.self, from: line.bytes) { return part }
        guard !line.isTerminated else { throw .damaged(path, line: lineNumber) }
        isTorn = true
        return nil
    }

    private static func nextLine(
        of lines: LineReader, _ path: Pathname
    ) throws(TraceRefusal) -> LineReader.Line? {
        do throws(FileSystemError) {
            return try lines.next()
        } catch {
            throw .notRead(path, detail: error.detail)
        }
    }
}
