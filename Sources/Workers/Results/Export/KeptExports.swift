import Exports
import Jobs
import Recordings

/// The files of one export that the runs of an output keep current.
///
/// As with other outputs, files are complete and synced under temporary names before the record
/// has them, and renamed after that. A file that no run wrote, or that was modified, stays.
final class KeptExports {
    private let format: String
    private let output: Pathname
    private let ownership: OutputOwnership
    private let record: OutputRecord
    private var waiting: [(file: ExportFile, row: RecordedExport)] = []
    /// The files of before that were not looked at yet.
    private var unvisited: Set<Pathname> = []
    /// Folders in which nothing is left of a crash.
    private var cleaned: Set<Pathname> = []
    private(set) var report = ExportReport()

    /// Number of files that are recorded at once; each is open until then.
    private static let groupSize = 32

    /// - Parameter isWhole: whether all files of the export will be written or found as they are;
    ///   those of before that are not go at the end. What a run adds meanwhile stays.
    init(
        _ format: String, in output: Pathname, _ ownership: OutputOwnership,
        _ record: OutputRecord, isWhole: Bool = true
    ) {
        (self.format, self.output, self.ownership, self.record) = (
            format, output, ownership, record
        )
        guard isWhole else { return }
        // What cannot be read stays.
        try? record.forEachExport { if $0.format == format { unvisited.insert($0.path) } }
    }

    /// Creates a file under a temporary name.
    /// - Parameter path: relative to the output, as all paths here.
    func open(_ path: Pathname) throws(ExportRefusal) -> ExportFile {
        let folder = try hold(path.parent, making: true)
        return ExportFile(
            path,
            try ExportRefusal.writing(path) { () throws(FileSystemError) in
                try removeLeftovers(in: path.parent, folder)
                return try StagedOutput(path.lastComponent, in: folder)
            })
    }

    /// Deletes what a crash has left in a folder of exports alone.
    ///
    /// In a folder of results, the record may name such files: that is for its listing.
    private func removeLeftovers(
        in path: Pathname, _ folder: DirectoryHandle
    ) throws(FileSystemError) {
        guard !path.isEmpty, cleaned.insert(path).inserted,
            try !record.folders(below: path).contains(path)
        else { return }
        let names = try FileSystem.names(in: folder.path).map(\.name)
        try folder.removeAll(names.filter(StagedOutput.isLeftOver))
    }

    /// Whether a file has this text already.
    func has(_ text: [UInt8], at path: Pathname) throws(ExportRefusal) -> Bool {
        let known = try ExportRefusal.reading { () throws(FileSystemError) in
            try record.export(path)
        }
        guard let known, known.sha256 == SHA256.hexadecimal(of: text), known.isThere(in: output)
        else { return false }
        unvisited.remove(path)
        return true
    }

    /// Writes a file unless it has this text already.
    func write(_ text: [UInt8], at path: Pathname) throws(ExportRefusal) {
        if try has(text, at: path) { return }
        let files = try ExportFiles([path], open: open)
        files.texts[0].add(bytes: text)
        try take(files)
    }

    /// Whether a file is as it was written, and begins with this text.
    func begins(with text: [UInt8], at path: Pathname) throws(ExportRefusal) -> Bool {
        let known = try ExportRefusal.reading { () throws(FileSystemError) in
            try record.export(path)
        }
        guard let known, known.isThere(in: output),
            (try? FileSystem.requireMark(text, of: output.appending(path))) != nil
        else { return false }
        unvisited.remove(path)
        return true
    }

    /// Takes complete files, to give them their names later: all of them or, if one is in the way,
    /// none.
    func take(_ files: ExportFiles) throws(ExportRefusal) {
        try files.flush(isLast: true)
        var changed: [(ExportFile, RecordedExport)] = []
        var isFree = true
        for file in files.files {
            unvisited.remove(file.path)
            guard let row = try row(of: file) else {
                isFree = false
                continue
            }
            if !row.isThere(in: output) { changed.append((file, row)) }
        }
        if isFree { waiting += changed }
        if waiting.count >= KeptExports.groupSize { try publish() }
    }

    /// Gives the last files their names, and deletes those of earlier runs that are not wanted any
    /// more.
    func finish() throws(ExportRefusal) {
        try publish()
        var old: [RecordedExport] = []
        try ExportRefusal.reading { () throws(FileSystemError) in
            for path in unvisited.sorted() {
                if let export = try record.export(path) { old.append(export) }
            }
        }
        guard !old.isEmpty else { return }
        for export in old { remove(export) }
        try ExportRefusal.reading { () throws(FileSystemError) in
            try record.removeExports(old.map(\.path))
        }
    }
}

// MARK: - Parts

extension KeptExports {
    /// What is to be recorded of a complete file, or is already; `nil` if another is in its place.
    private func row(of file: ExportFile) throws(ExportRefusal) -> RecordedExport? {
        let path = file.path
        let known = try ExportRefusal.reading { () throws(FileSystemError) in
            try record.export(path)
        }
        let (receipt, stamp) = try ExportRefusal.writing(path) { () throws(FileSystemError) in
            (
                try StagedOutput.receipt(of: file.file.descriptor, file.file.path),
                try FileSystem.status(file.file.descriptor, file.file.path).stamp
            )
        }
        if let known, known.sha256 == receipt.sha256, known.isThere(in: output) { return known }
        let folder = try hold(path.parent, making: false)
        let name = path.lastComponent
        let there = try ExportRefusal.writing(path) { () throws(FileSystemError) -> String? in
            guard let found = try folder.status(of: name) else { return nil }
            return found.kind == .regular ? try folder.receipt(of: name).sha256 : ""
        }
        if let there, there != receipt.sha256, known?.isOwn(there) != true {
            report.troubles.append(
                ExportTrouble(format: format, path: path, obstacle: .taken(name)))
            return nil
        }
        return RecordedExport(
            path: path, format: format, stamp: stamp, sha256: receipt.sha256, earlier: there)
    }

    /// Records the files that wait for it, and gives them their names.
    func publish() throws(ExportRefusal) {
        guard let first = waiting.first else { return }
        defer { waiting = [] }
        try ExportRefusal.writing(first.file.path) { () throws(FileSystemError) in
            try FileSystem.syncAll(at: output)
            try record.add(waiting.map(\.row))
        }
        for (file, _) in waiting { try file.commit() }
        report.written += waiting.count
    }

    /// Deletes a file unless it was modified, and its folder if nothing else is there.
    private func remove(_ export: RecordedExport) {
        let (folder, name) = (export.path.parent, export.path.lastComponent)
        guard let held = try? hold(folder, making: false),
            let digest = try? held.receipt(of: name).sha256, export.isOwn(digest),
            (try? held.remove(name)) != nil, !folder.isEmpty
        else { return }
        _ = try? hold(folder.parent, making: false).removeDirectory(folder.lastComponent)
    }

    private func hold(
        _ folder: Pathname, making: Bool
    ) throws(ExportRefusal) -> DirectoryHandle {
        do throws(RecordingFailure) {
            return try ownership.hold(folder, making: making)
        } catch {
            throw .notWritten(folder, detail: error.detail ?? error.reason.rawValue)
        }
    }
}
