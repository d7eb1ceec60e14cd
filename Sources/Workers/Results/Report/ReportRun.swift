import Exports
import Jobs
import Recordings
import Reports
import WaveformData

/// Writes the pages of an output, one for each folder with results.
///
/// Waveforms are those that runs have drawn, and files that would come out the same stay. The
/// drawings of a folder, for which waveforms are read, are only made again if what they show has
/// changed. What else an open row draws is made by decoding the recording once, if that is wanted.
struct ReportRun {
    /// What pages are called among exports.
    static let format = ExportChoice.report

    /// Differs between programs that make other pages of the same results.
    static var version: String {
        let files = ReportPage.shared.flatMap(\.bytes) + ReportPage.html(of: .empty).utf8
        return SHA256.hexadecimal(of: files)
    }

    private let output: Pathname
    private let record: OutputRecord
    private let kept: KeptExports
    /// `nil` if details are only kept.
    private let maker: ReportDetailsMaker?
    /// From the output to the recordings.
    private let way: Pathname

    init(
        _ places: RunPlaces, _ record: OutputRecord, _ kept: KeptExports,
        _ maker: ReportDetailsMaker?
    ) {
        self.maker = maker
        output = places.output
        way = OutputMark.way(from: places.output, to: places.root)
        (self.record, self.kept) = (record, kept)
    }

    func run() throws(ExportRefusal) {
        for (name, bytes) in ReportPage.shared { try kept.write(bytes, at: name) }
        let known = try ExportRefusal.reading { () throws(FileSystemError) in try record.folders() }
        // There is a page to begin with.
        for folder in known.first == .empty ? known : [.empty] + known { try write(folder) }
        let folders = try ExportRefusal.reading { () throws(FileSystemError) in
            try record.reportFolders()
        }
        let list = ReportPage.script("folders", JSONLine.text(folders))
        try kept.write(Array(list.utf8), at: ReportPage.folders)
    }

    private func write(_ folder: Pathname) throws(ExportRefusal) {
        var found: [(entry: ManifestEntry, recipe: SilenceRecipe)] = []
        try ExportRefusal.reading { () throws(FileSystemError) in
            _ = try record.forEachEntry(in: folder) { row, recipe in
                if let entry = row.entry(1) { found.append((entry, recipe.silence)) }
            }
        }
        let entries = found.map(\.entry)
        let links = ReportLinks(of: folder, way: way)
        var rows = entries.map { ReportRow($0, links) }
        for index in try detailed(found, in: folder) {
            rows[index].details = ExportValue.reference(
                ReportPage.details(of: entries[index].name))
        }
        let text = ReportPage.script("rows", JSONLine.text(rows))
        let each = ReportPage.rowsPerDrawing
        for first in stride(from: 0, to: entries.count, by: each) {
            let some = entries[first..<min(first + each, entries.count)]
            try draw(Array(some), first / each, in: folder)
        }
        try kept.write(Array(text.utf8), at: folder.appending(ReportPage.rows))
        let page = ReportPage.html(of: folder)
        try kept.write(Array(page.utf8), at: folder.appending(ReportPage.page))
    }

    /// Makes the details that are wanted, and returns which recordings have theirs.
    private func detailed(
        _ found: [(entry: ManifestEntry, recipe: SilenceRecipe)], in folder: Pathname
    ) throws(ExportRefusal) -> [Int] {
        var detailed: [Int] = []
        var wanted: [(index: Int, order: ReportDetailsMaker.Order)] = []
        for (index, (entry, recipe)) in found.enumerated() {
            guard entry.status == .done, let source = entry.source else { continue }
            let path = folder.appending(ReportPage.details(of: entry.name))
            let order = ReportDetailsMaker.Order(
                recording: folder.appending(entry.name), source: source, recipe: recipe)
            if try kept.begins(with: Array(order.mark.utf8), at: path) {
                detailed.append(index)
            } else if maker != nil {
                wanted.append((index, order))
            }
        }
        guard let maker else { return detailed }
        try maker.make(wanted.map(\.order)) { (number, text) throws(ExportRefusal) in
            let index = wanted[number].index
            let name = ReportPage.details(of: found[index].entry.name)
            try kept.write(text, at: folder.appending(name))
            detailed.append(index)
        }
        return detailed
    }

    /// Writes what is drawn of some recordings.
    private func draw(
        _ entries: [ManifestEntry], _ number: Int, in folder: Pathname
    ) throws(ExportRefusal) {
        let path = folder.appending(ReportPage.drawings(number))
        var drawings = entries.map { ReportDrawing($0) }
        let digests = entries.map { $0.waveforms?.coarsest?.sha256 }
        let source = SHA256.hexadecimal(
            of: JSONLine.bytes(drawings) + JSONLine.bytes(digests))
        let mark = "// \(source)\n"
        if try kept.begins(with: Array(mark.utf8), at: path) { return }
        for (index, entry) in entries.enumerated() {
            drawings[index].peaks = entry.waveforms?.reportColumns(in: output.appending(folder))
        }
        let text =
            mark + ReportPage.script("drawings", "\(number), " + JSONLine.text(drawings))
        try kept.write(Array(text.utf8), at: path)
    }
}

extension [WaveformFile] {
    /// The columns that a page draws, in base64; `nil` if no file can be read.
    /// - Parameter folder: theirs, in the output.
    func reportColumns(in folder: Pathname) -> String? {
        guard let file = coarsest,
            let bytes = try? FileSystem.contents(of: folder.appending(file.path)),
            let waveform = Waveform(binary: bytes)
        else { return nil }
        return JSONLine.base64(ReportDrawing.columns(of: waveform.peaks))
    }

    /// The waveform with the fewest pixels that are enough, or the one with the most.
    fileprivate var coarsest: WaveformFile? {
        filter { $0.length >= ReportDrawing.columns }.min { $0.length < $1.length }
            ?? self.max { $0.length < $1.length }
    }
}
