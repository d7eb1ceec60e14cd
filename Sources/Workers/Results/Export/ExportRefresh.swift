import Exports
import Jobs
import Recordings

/// Brings the exports and split files of an output up to date with its record.
///
/// Nothing is read if no results have changed since the last time. Otherwise all texts are made
/// anew, and those that differ are written.
struct ExportRefresh {
    let choice: ExportChoice
    let places: RunPlaces
    let ownership: OutputOwnership
    let record: OutputRecord
    let cancellation: Cancellation
    /// Makes what is missing of pages; `nil` in runs, which keep what there is.
    var details: ReportDetailsMaker?

    func run() -> ExportReport {
        let start = ContinuousClock.now
        var report = ExportReport()
        do throws(FileSystemError) {
            try export(&report)
        } catch {
            report.note(.unreadable(OutputRecord.name, detail: error.detail), "export")
        }
        if choice.splits { split(&report) }
        let elapsed = start.duration(to: .now).components
        report.seconds = Double(elapsed.seconds) + Double(elapsed.attoseconds) * 1e-18
        return report
    }

    private var tree: ResultTree { ResultTree(output: places.output) }

    // MARK: - Exports

    private func export(_ report: inout ExportReport) throws(FileSystemError) {
        let mark = JSONLine.bytes(
            Mark(choice.formats, root: places.root, changes: try record.changes))
        var formats = Set(choice.formats)
        var isComplete = try record.meta("exported") == mark
        try record.forEachExport { export in
            formats.insert(export.format)
            isComplete = isComplete && export.isThere(in: places.output)
        }
        if isComplete, details == nil { return }
        for name in formats.sorted() { export(name, &report) }
        if report.troubles.isEmpty { try record.setMeta("exported", mark) }
    }

    /// What the exports were made of.
    private struct Mark: Encodable {
        /// Increased when a format changes.
        var version = 1
        var formats: [String]
        /// The version of the pages, if there are any.
        var pages: String?
        /// Of which files are named.
        var root: Pathname
        var changes: String

        init(_ formats: [String], root: Pathname, changes: [UInt8]) {
            self.formats = formats
            pages = formats.contains(ReportRun.format) ? ReportRun.version : nil
            self.root = root
            self.changes = String(decoding: changes, as: UTF8.self)
        }
    }

    /// Brings one format up to date, or removes its files if it is not wanted any more.
    private func export(_ name: String, _ report: inout ExportReport) {
        let kept = KeptExports(name, in: places.output, ownership, record)
        do throws(ExportRefusal) {
            if name == ReportRun.format, choice.formats.contains(name) {
                try ReportRun(places, record, kept, details).run()
            } else if choice.formats.contains(name), let format = ExportFormats.named(name) {
                let order = ExportRun.Order(format, kept: kept)
                for (path, obstacle) in try run(order).leftOut {
                    report.troubles.append(
                        ExportTrouble(format: name, path: path, obstacle: obstacle))
                }
            }
            try kept.finish()
        } catch {
            report.note(error, name)
        }
        report.add(kept.report)
    }

    private func run(_ order: ExportRun.Order) throws(ExportRefusal) -> ExportRun.Outcome {
        var run = try ExportRefresh.opening { () throws(RunRefusal) in
            try ExportRun(order, of: tree)
        }
        return try run.run()
    }

    private static func opening<Run>(
        _ body: () throws(RunRefusal) -> Run
    ) throws(ExportRefusal) -> Run {
        do throws(RunRefusal) { return try body() } catch {
            // It says where the recordings are: the run has just written that.
            guard case .recordUnreadable(_, let detail?) = error else {
                throw .unreadable(OutputRecord.name, detail: "it was replaced meanwhile")
            }
            throw .unreadable(OutputRecord.name, detail: detail)
        }
    }

    // MARK: - Split files

    private func split(_ report: inout ExportReport) {
        guard let naming = SegmentNaming(SegmentNaming.standard) else {
            preconditionFailure("the standard template is one")
        }
        var order = SplitRun.Order(naming: naming)
        order.isCancelled = { cancellation.isCancelled }
        var troubles: [ExportTrouble] = []
        do throws(ExportRefusal) {
            let run = try ExportRefresh.opening { () throws(RunRefusal) in
                try SplitRun(order, of: tree)
            }
            let outcome = try run.run { path, obstacle in
                troubles.append(ExportTrouble(format: "split", path: path, obstacle: obstacle))
            }
            report.written += outcome.written
        } catch {
            report.note(error, "split")
        }
        report.troubles += troubles
    }
}

extension ExportReport {
    /// Notes why an export could not be written.
    fileprivate mutating func note(_ refusal: ExportRefusal, _ format: String) {
        let (path, detail): (Pathname, String?) =
            switch refusal {
            case .exists(let path), .amongRecordings(let path): (path, nil)
            case .notWritten(let path, let detail), .unreadable(let path, let detail):
                (path, detail)
            }
        let failure = RecordingFailure(stage: .manifest, reason: .other, detail: detail)
        troubles.append(ExportTrouble(format: format, path: path, obstacle: .failed(failure)))
    }

    fileprivate mutating func add(_ other: ExportReport) {
        written += other.written
        troubles += other.troubles
    }
}
