import FoundationEssentials
import Glibc
import Jobs
import Recordings

/// A report that is kept, to be compared with later ones.
package enum BaselineFile {
    /// What all reports have in common, whatever they report.
    private struct Heading: Decodable {
        var event: String
        var format: Int
    }

    /// The report at a path; `nil` where there is none yet and one can be written.
    ///
    /// Asked before the work, so that nobody waits for nothing.
    package static func read(_ path: Pathname) throws(BenchRefusal) -> BenchReport? {
        let bytes: [UInt8]
        do throws(FileSystemError) {
            let status = try FileSystem.status(path)
            guard status.kind == .regular else { throw FileSystemError(path, code: EISDIR) }
            bytes = try FileSystem.contents(of: path)
        } catch {
            guard error.code == ENOENT else {
                throw .baselineNotRead(path, detail: error.detail)
            }
            try requireWritable(path)
            return nil
        }
        // As a command makes one that gives out names.
        if bytes.isEmpty { return nil }
        let decoder = JSONDecoder()
        guard let heading = try? decoder.decode(Heading.self, from: Data(bytes)),
            heading.event == BenchReport.event
        else { throw .foreignBaseline(path) }
        guard heading.format == BenchReport.currentFormat else {
            throw .otherFormat(path, heading.format)
        }
        guard let report = try? decoder.decode(BenchReport.self, from: Data(bytes)) else {
            throw .foreignBaseline(path)
        }
        return report
    }

    /// Writes the file, whole or not at all.
    package static func write(_ report: BenchReport, to path: Pathname) throws(BenchRefusal) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        guard let data = try? encoder.encode(report) else {
            preconditionFailure("a report could not be spelled as JSON")
        }
        do throws(FileSystemError) {
            let staged = try StagedOutput(at: path)
            _ = try staged.write { (put) throws(FileSystemError) in
                try put(Array(data) + [UInt8(ascii: "\n")])
            }
            try staged.commit()
        } catch {
            throw .baselineNotWritten(path, detail: error.detail)
        }
    }

    private static func requireWritable(_ path: Pathname) throws(BenchRefusal) {
        let folder = folder(of: path)
        guard folder.withCString({ access($0, W_OK) }) == 0 else {
            throw .baselineNotWritten(path, detail: FileSystemError(folder).detail)
        }
    }

    private static func folder(of path: Pathname) -> Pathname {
        path.parent.isEmpty && !path.isAbsolute ? "." : path.parent
    }
}
