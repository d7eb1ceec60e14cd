import Foundation
import Recordings

/// A fresh temporary folder, removed with everything in it when the last reference goes.
package final class TestFolder {
    package let path: Pathname

    package init() {
        let base = FileManager.default.temporaryDirectory.path
        var template = Array("\(base)/tapedeck-test-XXXXXX".utf8CString)
        let made = mkdtemp(&template)
        precondition(made != nil, "No temporary folder could be made in \(base).")
        path = Pathname(bytes: template.dropLast().map { UInt8(bitPattern: $0) })
    }

    deinit {
        // A test may have taken permissions away, of itself as well.
        _ = chmod(path.text, 0o755)
        try? FileManager.default.removeItem(atPath: path.text)
    }

    /// The path of `name` in the folder, whether or not there is such a file.
    package func path(_ name: Pathname) -> Pathname {
        path.appending(name)
    }

    /// Writes a file with these bytes, and returns its path; the name need not be UTF-8.
    @discardableResult
    package func write(_ bytes: [UInt8], to name: Pathname) -> Pathname {
        let path = path(name)
        let file = TestFolder.open(path, "wb")
        precondition(file != nil, "\(path) cannot be written.")
        if let file {
            fwrite(bytes, 1, bytes.count, file)
            fclose(file)
        }
        return path
    }

    /// The bytes of a file anywhere; empty where it cannot be read.
    package static func bytes(of path: Pathname) -> [UInt8] {
        guard let file = open(path, "rb") else { return [] }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
            bytes += buffer[..<count]
        }
        return bytes
    }

    private static func open(_ path: Pathname, _ mode: String) -> UnsafeMutablePointer<FILE>? {
        let terminated = path.bytes.map { CChar(bitPattern: $0) } + [0]
        return fopen(terminated, mode)
    }
}
