import Audio
import Exports
import Jobs
import Recordings

/// One or several files of an export, which get their names together when they are complete.
final class ExportFiles {
    /// Texts that are not written yet, one per file.
    var texts: [ExportText]
    let files: [ExportFile]

    private static let pieceBytes = 1 << 16

    /// - Parameter open: creates a file under a temporary name.
    init(
        _ paths: [Pathname], open: (Pathname) throws(ExportRefusal) -> ExportFile
    ) throws(ExportRefusal) {
        texts = paths.map { _ in ExportText() }
        var files: [ExportFile] = []
        for path in paths { files.append(try open(path)) }
        self.files = files
    }

    /// Writes what is long enough.
    func flush(isLast: Bool = false) throws(ExportRefusal) {
        for index in files.indices
        where isLast || texts[index].bytes.count >= ExportFiles.pieceBytes {
            try files[index].write(texts[index].take())
        }
    }

    /// Writes the rest and renames the files into place.
    func commit() throws(ExportRefusal) {
        try flush(isLast: true)
        for file in files { try file.commit() }
    }
}

/// A file that is being written under a temporary name; deleted unless it is committed.
final class ExportFile {
    let path: Pathname
    let file: NewFile
    private var staged: StagedOutput?

    /// - Parameter replaces: whether an existing file may be replaced.
    convenience init(_ path: Pathname, replaces: Bool) throws(ExportRefusal) {
        let found = try ExportRefusal.writing(path) { () throws(FileSystemError) in
            try ifThere { () throws(FileSystemError) in
                try FileSystem.status(path, followingLink: false)
            }
        }
        if found != nil, !replaces { throw .exists(path) }
        let staged = try ExportRefusal.writing(path) { () throws(FileSystemError) in
            try FileSystem.makeFolder(path.parent.isEmpty ? "." : path.parent)
            return try StagedOutput(at: path)
        }
        self.init(path, staged)
    }

    init(_ path: Pathname, _ staged: consuming StagedOutput) {
        self.path = path
        file = staged.file
        self.staged = .some(staged)
    }

    func write(_ bytes: [UInt8]) throws(ExportRefusal) {
        try ExportRefusal.writing(path) { () throws(FileSystemError) in
            try FileSystem.write(bytes, to: file.descriptor, of: file.path)
        }
    }

    func commit() throws(ExportRefusal) {
        guard let staged = staged.take() else { return }
        do throws(FileSystemError) { try staged.commit() } catch {
            throw .notWritten(path, detail: error.detail)
        }
    }
}

extension ExportRefusal {
    /// Reads the record of an output.
    static func reading<Result>(
        _ body: () throws(FileSystemError) -> Result
    ) throws(ExportRefusal) -> Result {
        do throws(FileSystemError) { return try body() } catch {
            throw .unreadable(OutputRecord.name, detail: error.detail)
        }
    }

    static func writing<Result: ~Copyable>(
        _ path: Pathname, _ body: () throws(FileSystemError) -> Result
    ) throws(ExportRefusal) -> Result {
        do throws(FileSystemError) { return try body() } catch {
            throw .notWritten(path, detail: error.detail)
        }
    }
}
