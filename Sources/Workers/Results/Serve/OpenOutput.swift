import Glibc
import Jobs
import Recordings
import Reports

/// The record and the folders of an output that is served, open.
final class OpenOutput: Sendable {
    /// From the output to the recordings, in addresses.
    private static let way = Pathname("../" + ServedTarget.Place.recordings.rawValue)

    let record: OutputRecord
    /// How many were opened before it.
    let number: Int
    private let tree: ResultTree
    private let recordings: DirectoryHandle
    private let output: DirectoryHandle
    private let rules: InputRules
    private let ownsRecord: Bool

    convenience init(_ tree: ResultTree, number: Int) throws(RunRefusal) {
        let (record, root) = try tree.recordAndRoot()
        let settings = try OutputRecord.reading(tree.shownOutput, record.settings).usual
        Isolation.follow(settings)
        try self.init(tree, record, root: root, settings.rules, ownsRecord: true, number: number)
    }

    /// - Parameter ownsRecord: whether nobody else uses the connection.
    init(
        _ tree: ResultTree, _ record: OutputRecord, root: Pathname, _ rules: InputRules,
        ownsRecord: Bool, number: Int
    ) throws(RunRefusal) {
        (self.tree, self.record, self.ownsRecord, self.number) = (tree, record, ownsRecord, number)
        self.rules = rules
        recordings = try ResultTree.inPath(root) { () throws(FileSystemError) in
            try DirectoryHandle(root)
        }
        output = try ResultTree.inPath(tree.output) { () throws(FileSystemError) in
            try DirectoryHandle(tree.output)
        }
    }

    func close() { if ownsRecord { record.close() } }

    /// Differs whenever anything was recorded, by whomever.
    func version() throws(FileSystemError) -> String {
        "\(number).\(try record.dataVersion())"
    }

    func recording(_ target: ServedTarget) throws(FileSystemError) -> any ServedBody {
        let place = RecordedPlace(folder: target.path.parent, name: target.path.lastComponent)
        guard let entry = try record.entry(place) else { throw missing(target) }
        let file = try ServedFile(target.path, below: recordings)
        guard target.query[ReportPage.asWAV] != nil else { return file }
        guard let format = entry.format, format.frames > 0 else { throw missing(target) }
        guard file.stamp == entry.source else { throw FileSystemError(target.path, code: ESTALE) }
        return ServedSound(file, format, withoutHeaderAs: rules.storage(of: entry.name))
    }

    /// A page, a part of one, or a file of the output.
    func page(_ target: ServedTarget) throws(FileSystemError) -> any ServedBody {
        let folder = target.isFolder ? target.path : target.path.parent
        let name = target.isFolder ? ReportPage.page : target.path.lastComponent
        if folder.isEmpty {
            if let (_, bytes) = ReportPage.shared.first(where: { $0.name == name }) {
                let type = name.fileExtension == "css" ? "text/css" : "text/javascript"
                return ServedText(bytes, type: type)
            }
            if name == ReportPage.folders {
                return OpenOutput.script("folders", JSONLine.text(try record.reportFolders()))
            }
        }
        switch name {
        case ReportPage.page:
            guard try isKnown(folder) else { throw missing(target) }
            let html = ReportPage.html(of: folder, isLive: true)
            return ServedText(Array(html.utf8), type: "text/html; charset=utf-8")
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

    static func script(_ function: String, _ json: String) -> ServedText {
        ServedText(Array(ReportPage.script(function, json).utf8), type: "text/javascript")
    }

    /// What is drawn of a recording; `nil` if the name is not of that.
    private func part(
        _ name: Pathname, in folder: Pathname
    ) throws(FileSystemError) -> (any ServedBody)? {
        for suffix in [ReportPage.drawingSuffix, ReportPage.detailsSuffix] {
            guard name.bytes.count > suffix.utf8.count, name.text.hasSuffix(suffix) else {
                continue
            }
            let recording = Pathname(bytes: name.bytes.dropLast(suffix.utf8.count))
            let place = RecordedPlace(folder: folder, name: recording)
            guard let (entry, recipe) = try record.recipeAndEntry(of: place) else {
                throw FileSystemError(folder.appending(name), code: ENOENT)
            }
            return suffix == ReportPage.detailsSuffix
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
        // The path is that of the open file.
        let text = withExtendedLifetime(file) { order.text(of: file.openedAt, rules) }
        guard let text else {
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

extension OpenOutput {
    static func links(of folder: Pathname) -> ReportLinks {
        ReportLinks(of: folder, way: way, isServed: true)
    }

    /// The texts of rows, in JSON.
    func rows(of folder: Pathname, _ changes: OutputRecord.Changes) -> String {
        let links = OpenOutput.links(of: folder)
        let rows = changes.entries.map { entry, seconds in
            var row = ReportRow(entry, links)
            row.changed = seconds
            return row
        }
        return JSONLine.text(rows)
    }
}
