import Glibc
import Jobs
import Recordings
import Reports
import Synchronization

/// Why a request is not answered with what it asks for.
package enum ServedRefusal: Error, Hashable, Sendable {
    /// Nothing that a page shows is there.
    case notFound
    /// A link leads out of the recordings or the output.
    case outside
    /// The recording is gone, or no longer what it was when it was processed.
    case changed
    /// The record, or a file, cannot be read.
    case unreadable(detail: String)
}

/// An output and its recordings, as the pages of a server show them; nothing is ever written.
///
/// Pages are made from the record when they are asked for. Of files, only those are opened that the
/// record knows: recordings, their copies, and manifests. All calls block on the disk.
package final class ServedOutput: Sendable {
    /// From the output to the recordings, in addresses.
    private static let way = Pathname("../" + ServedTarget.Place.recordings.rawValue)

    private let tree: ResultTree
    private let recordings: DirectoryHandle
    private let output: DirectoryHandle
    private let rules: InputRules
    private let open: Mutex<OutputRecord>

    /// Opens the output of a path, with a record of its own.
    package convenience init(_ tree: ResultTree) throws(RunRefusal) {
        let (record, root) = try tree.recordAndRoot()
        try self.init(tree, record, root: root)
    }

    /// Opens the output of a run of this process.
    package convenience init(
        _ places: RunPlaces, _ record: OutputRecord
    ) throws(RunRefusal) {
        // On a share nobody else may open it, not even here.
        let reader = (try? record.reader()) ?? record
        try self.init(ResultTree(output: places.output), reader, root: places.root)
    }

    private init(
        _ tree: ResultTree, _ record: OutputRecord, root: Pathname
    ) throws(RunRefusal) {
        self.tree = tree
        rules = try OutputRecord.reading(tree.shownOutput, record.settings).rules
        recordings = try ResultTree.inPath(root) { () throws(FileSystemError) in
            try DirectoryHandle(root)
        }
        output = try ResultTree.inPath(tree.output) { () throws(FileSystemError) in
            try DirectoryHandle(tree.output)
        }
        open = Mutex(record)
    }

    /// The record, opened again if another file is in its place.
    var record: OutputRecord {
        open.withLock { record in
            if record.hasMoved(), let new = try? tree.record() {
                record.close()
                record = new
            }
            return record
        }
    }

    package func close() { open.withLock { $0.close() } }
}

// MARK: - Answers

extension ServedOutput {
    package func body(for target: ServedTarget) throws(ServedRefusal) -> any ServedBody {
        do throws(FileSystemError) {
            switch target.place {
            case .recordings: return try recording(target)
            case .output: return try page(target)
            }
        } catch {
            switch error.code {
            case ENOENT, ENOTDIR: throw .notFound
            case EXDEV, ELOOP: throw .outside
            case ESTALE: throw .changed
            default: throw .unreadable(detail: error.detail)
            }
        }
    }

    private func recording(_ target: ServedTarget) throws(FileSystemError) -> any ServedBody {
        let place = RecordedPlace(folder: target.path.parent, name: target.path.lastComponent)
        guard let entry = try record.entry(place) else { throw missing(target) }
        let file = try ServedFile(target.path, below: recordings)
        guard target.query[ReportPage.asWAV] != nil else { return file }
        guard let format = entry.format, format.frames > 0 else { throw missing(target) }
        guard file.stamp == entry.source else { throw FileSystemError(target.path, code: ESTALE) }
        return ServedSound(file, format, withoutHeaderAs: rules.storage(of: entry.name))
    }

    /// A page, a part of one, or a file of the output.
    private func page(_ target: ServedTarget) throws(FileSystemError) -> any ServedBody {
        let folder = target.isFolder ? target.path : target.path.parent
        let name = target.isFolder ? ReportPage.page : target.path.lastComponent
        if folder.isEmpty {
            if let (_, bytes) = ReportPage.shared.first(where: { $0.name == name }) {
                let type = name.fileExtension == "css" ? "text/css" : "text/javascript"
                return ServedText(bytes, type: type)
            }
            if name == ReportPage.folders {
                return script("folders", JSONLine.text(try record.reportFolders()))
            }
        }
        switch name {
        case ReportPage.page:
            guard try isKnown(folder) else { throw missing(target) }
            let html = ReportPage.html(of: folder, isLive: true)
            return ServedText(Array(html.utf8), type: "text/html; charset=utf-8")
        case ReportPage.rows:
            return script("rows", rows(of: folder, try record.changes(in: folder, since: 0)))
        default:
            if let part = try part(name, in: folder) { return part }
            return try file(name, in: folder)
        }
    }

    /// The folder of the recordings has a page even if nothing was recorded yet.
    private func isKnown(_ folder: Pathname) throws(FileSystemError) -> Bool {
        if folder.isEmpty { return true }
        return try record.read { (database) throws(FileSystemError) in
            try database.folderRow(folder) != nil
        }
    }

    private func missing(_ target: ServedTarget) -> FileSystemError {
        FileSystemError(target.path, code: ENOENT)
    }

    private func script(_ function: String, _ json: String) -> ServedText {
        ServedText(Array(ReportPage.script(function, json).utf8), type: "text/javascript")
    }

    /// What is drawn of a recording; `nil` if the name is not of that.
    private func part(
        _ name: Pathname, in folder: Pathname
    ) throws(FileSystemError) -> (any ServedBody)? {
        let details = ReportPage.details(of: "").text
        for suffix in [ReportPage.drawingSuffix, details] {
            guard name.bytes.count > suffix.utf8.count, name.text.hasSuffix(suffix) else {
                continue
            }
            let recording = Pathname(bytes: name.bytes.dropLast(suffix.utf8.count))
            let place = RecordedPlace(folder: folder, name: recording)
            guard let (entry, recipe) = try record.recipeAndEntry(of: place) else {
                throw FileSystemError(folder.appending(name), code: ENOENT)
            }
            return suffix == details
                ? try detailsText(of: entry, recipe.silence, in: folder)
                : drawing(of: entry, in: folder)
        }
        return nil
    }

    private func drawing(of entry: ManifestEntry, in folder: Pathname) -> ServedText {
        var drawing = ReportDrawing(entry)
        drawing.peaks = entry.waveforms?.reportColumns(in: tree.output.appending(folder))
        return ServedText(JSONLine.bytes(drawing), type: "application/json")
    }

    /// What an open row draws: the file that `report` has written, or as that would be.
    private func detailsText(
        of entry: ManifestEntry, _ recipe: SilenceRecipe, in folder: Pathname
    ) throws(FileSystemError) -> any ServedBody {
        let path = folder.appending(entry.name)
        guard let source = entry.source else { throw FileSystemError(path, code: ENOENT) }
        let order = ReportDetailsMaker.Order(recording: path, source: source, recipe: recipe)
        let mark = Array(order.mark.utf8)
        if let kept = try? ServedFile(
            folder.appending(ReportPage.details(of: entry.name)), below: output),
            kept.read(at: 0, count: mark.count) == mark
        {
            return kept
        }
        let file = try ServedFile(path, below: recordings)
        guard let text = order.text(of: file.openedAt, rules) else {
            throw FileSystemError(path, code: ESTALE)
        }
        return ServedText(text, type: "text/javascript")
    }

    /// A copy, a waveform or a manifest.
    private func file(
        _ name: Pathname, in folder: Pathname
    ) throws(FileSystemError) -> any ServedBody {
        let path = folder.appending(name)
        let isOurs =
            if name == OutputNames.manifest {
                try isKnown(folder)
            } else {
                try record.files(named: name, in: folder).contains { $0.state != .obsolete }
            }
        guard isOurs else { throw FileSystemError(path, code: ENOENT) }
        return try ServedFile(path, below: output)
    }
}

// MARK: - Changes

extension ServedOutput {
    static func links(of folder: Pathname) -> ReportLinks {
        ReportLinks(of: folder, way: way, isServed: true)
    }

    /// The texts of rows, in JSON.
    func rows(of folder: Pathname, _ changes: OutputRecord.Changes) -> String {
        let links = ServedOutput.links(of: folder)
        let rows = changes.entries.map { entry, seconds in
            var row = ReportRow(entry, links)
            row.changed = seconds
            return row
        }
        return JSONLine.text(rows)
    }
}
