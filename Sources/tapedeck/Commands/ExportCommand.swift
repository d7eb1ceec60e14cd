import ArgumentParser
import Exports
import Jobs
import Recordings
import Reports
import Workers

/// `tapedeck export`: writes results for other programs.
struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write segments, silences and edits for other programs.",
        discussion: """
            Nothing is decoded: it writes what a run has found, also beside a run.

            Exit status: 0 written, 1 not written, 3 a recording could not be listed, \
            64 wrong usage.

            Example: tapedeck export ~/interviews --to audacity
            """
    )

    @Argument(
        help: ArgumentHelp(
            "An output, a folder in one, or a folder of recordings.", valueName: "path"))
    var path: Pathname = "."

    @Option(
        help: ArgumentHelp(
            "Write these formats, such as csv,rttm; see --list.", valueName: "format,..."))
    var to: String?

    @Option(
        help: ArgumentHelp(
            "List segments, silences, edits (what copies keep) or recordings. (default: segments, if possible)",
            valueName: "what"))
    var of: ExportSubject?

    @Option(
        help: ArgumentHelp(
            "Give times in the original (source) or in the trimmed copy (trimmed).",
            valueName: "time"))
    var time = ExportTime.source

    @Flag(
        exclusivity: .exclusive,
        help: ArgumentHelp("Write one file for all recordings, or one beside each."))
    var layout: ExportLayout?

    @Option(
        help: ArgumentHelp("Write to this folder. (default: the output)", valueName: "dir"))
    var into: Pathname?

    @OptionGroup var segments: SegmentOptions

    @Flag(help: "Replace existing files.")
    var overwrite = false

    @Flag(help: "Print the formats, and write nothing.")
    var list = false

    @OptionGroup(title: "Filters")
    var filters: FilterOptions

    func validate() throws {
        try requirePath(path)
        if let into { try requirePath(into) }
        try segments.check()
        if !list { _ = try orders() }
    }

    func run() throws {
        if list {
            let lines = ExportView.list(ExportFormats.all)
            return StandardStream.output.write(lines.joined(separator: "\n") + "\n")
        }
        let orders = try orders()
        try ExitStatus.end(saying: FailureText.sentence(for:)) { () throws(RunRefusal) in
            let list = try filters.list()
            let tree = try ResultTree.find(path)
            var status = ExitStatus.allWell
            for var order in orders {
                order.filter = filters.filter
                order.list = list
                var run = try ExportRun(order, of: tree)
                do throws(ExportRefusal) {
                    if tell(try run.run(), order) != .allWell { status = .someFailed }
                } catch {
                    StandardStream.complain(ExportView.sentence(for: error))
                    return .couldNotRun
                }
            }
            return status
        }
    }

    private func tell(_ outcome: ExportRun.Outcome, _ order: ExportRun.Order) -> ExitStatus {
        for (path, obstacle) in outcome.leftOut {
            StandardStream.complain(
                ExportView.sentence(for: obstacle, of: path, in: order.format.name))
        }
        if let line = ExportView.leftOut(failed: outcome.failed, missing: outcome.missing) {
            StandardStream.output.write(line + "\n")
        }
        if let list = order.list?.name, let line = ExportView.unknown(outcome.unknown, of: list) {
            StandardStream.complain(line)
        }
        let counts = ExportView.counts(
            recordings: outcome.recordings, stretches: outcome.stretches, order.subject)
        let names = order.isBeside ? [] : order.format.files(of: order.subject)
        let place =
            names.count == 1 ? outcome.folder.appending(names[0]) : outcome.folder
        StandardStream.output.write("\(counts) in \(place.displayText)\n")
        return outcome.leftOut.isEmpty && outcome.unknown.isEmpty ? .allWell : .someFailed
    }

    /// What to write, by format; throws if one of them cannot.
    private func orders() throws -> [ExportRun.Order] {
        guard let to else {
            throw ValidationError("choose a format, as with --to audacity; --list prints all")
        }
        return try to.split(separator: ",", omittingEmptySubsequences: false)
            .map { try order(String($0)) }
    }

    private func order(_ name: String) throws -> ExportRun.Order {
        let format = try ExportFormats.format(named: name)
        let subject = of ?? format.subjects[0]
        guard format.subjects.contains(subject) else {
            let known = format.subjects.map(\.rawValue).joined(separator: " or ")
            throw ValidationError("\(name) lists \(known), not \(subject.rawValue)")
        }
        if subject == .edits, time == .trimmed {
            throw ValidationError("--of edits is about the original; leave --time trimmed out")
        }
        let isBeside = layout.map { $0 == .beside } ?? format.files(of: subject).isEmpty
        guard isBeside ? format.ending != nil : !format.files(of: subject).isEmpty else {
            throw ValidationError(
                isBeside
                    ? "\(name) lists all recordings together; leave --beside out"
                    : "\(name) lists each recording in a file of its own; leave --one-file out")
        }
        var order = ExportRun.Order(format: format, subject: subject, isBeside: isBeside)
        order.isOfCopies = time == .trimmed
        order.folder = into
        order.replaces = overwrite
        order.rules = segments.rules
        return order
    }
}

/// Whose times an export gives.
enum ExportTime: String, ExpressibleByArgument, CaseIterable {
    case source, trimmed
}

enum ExportLayout: String, EnumerableFlag {
    case oneFile, beside
}

extension ExportSubject: ExpressibleByArgument {}
