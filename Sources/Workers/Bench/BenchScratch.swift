import Glibc
import Jobs
import Recordings

/// A folder for all that is written while measuring, far from the recordings.
struct BenchScratch: Sendable {
    let path: Pathname

    /// Makes it where `TMPDIR` says, or in `/tmp`.
    init() throws(BenchRefusal) {
        let asked = getenv("TMPDIR").map { Pathname(cString: $0) } ?? .empty
        let base = asked.isEmpty ? "/tmp" : asked
        var template =
            base.appending("tapedeck-bench-XXXXXX").bytes.map { CChar(bitPattern: $0) } + [0]
        guard mkdtemp(&template) != nil else {
            throw .noScratch(base, detail: FileSystemError(base).detail)
        }
        let made = Pathname(bytes: template.dropLast().map { UInt8(bitPattern: $0) })
        // What runs are told of it holds wherever they look from.
        path = (try? FileSystem.resolve(made)) ?? made
    }

    /// Removes it with everything in it, or what a name in it stands for.
    func remove(_ name: Pathname = .empty) { BenchScratch.removeAll(at: path.appending(name)) }

    private static func removeAll(at folder: Pathname) {
        for entry in (try? FileSystem.names(in: folder)) ?? [] {
            let path = folder.appending(entry.name)
            if FileSystem.kind(of: entry, at: path) == .folder {
                removeAll(at: path)
            } else {
                try? FileSystem.remove(path)
            }
        }
        FileSystem.removeEmptyFolders([folder])
    }
}
