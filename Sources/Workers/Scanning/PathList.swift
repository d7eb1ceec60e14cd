import Glibc
import Jobs
import Recordings

/// Paths that a user lists in a file or on standard input.
package struct PathList: Hashable, Sendable {
    /// The file as the user wrote it; `-` for standard input.
    package let name: Pathname
    package let paths: [Pathname]

    /// Reads a list to its end; it may come from a pipe.
    package init(reading name: Pathname) throws(RunRefusal) {
        do throws(FileSystemError) {
            self.init(try PathList.contents(of: name), name: name)
        } catch {
            throw .list(name, .unreadable(detail: error.detail))
        }
    }

    /// A list that no user wrote.
    package init(_ paths: [Pathname]) {
        (name, self.paths) = ("-", paths)
    }

    /// - Parameter text: paths that end in NUL, or if there is none, in a newline; empty ones are
    ///   skipped.
    init(_ text: [UInt8], name: Pathname) {
        self.name = name
        guard !text.contains(0) else {
            paths = text.split(separator: 0).map { Pathname(bytes: Array($0)) }
            return
        }
        paths = text.split(separator: UInt8(ascii: "\n")).compactMap { line in
            let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            return line.isEmpty ? nil : Pathname(bytes: Array(line))
        }
    }

    private static func contents(of name: Pathname) throws(FileSystemError) -> [UInt8] {
        let descriptor =
            name == "-" ? STDIN_FILENO : name.withCString { open($0, O_RDONLY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw FileSystemError(name) }
        defer { if name != "-" { close(descriptor) } }
        var text: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: FileSystem.largestChunkBytes)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count == 0 { return text }
            if count > 0 {
                text += chunk[..<count]
            } else if errno != EINTR {
                throw FileSystemError(name)
            }
        }
    }
}
