import ArgumentParser
import Exports
import Jobs
import Recordings
import Reports
import Workers

/// `tapedeck split`: a file for each segment.
struct SplitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "split",
        abstract: "Write every segment of sound to a file of its own.",
        discussion: """
            It cuts the samples of the original, without loss, and lists the files in \
            metadata.jsonl beside them. What was written before is not written again.

            Exit status: 0 written, 1 not written, 3 a recording could not be split, \
            64 wrong usage.

            Example: tapedeck split ~/calls --into ~/segments --merge-gap 0.3
            """
    )

    @Argument(
        help: ArgumentHelp(
            "An output, a folder in one, or a folder of recordings.", valueName: "path"))
    var path: Pathname = "."

    @Option(
        help: ArgumentHelp(
            "Write to this folder. (default: folders named segments in the output)",
            valueName: "dir"))
    var into: Pathname?

    @Option(
        help: ArgumentHelp(
            "Name the files so, from {stem}, {name}, {channel}, {index}, {start} and {end}; {index:4} has leading zeros.",
            valueName: "template"))
    var naming = SegmentNaming.standard

    @Option(
        help: ArgumentHelp(
            "Write flac (wav where that cannot hold the samples) or wav.", valueName: "format"))
    var format = SplitFormat.flac

    @OptionGroup var segments: SegmentOptions

    @OptionGroup(title: "Filters")
    var filters: FilterOptions

    func validate() throws {
        try requirePath(path)
        if let into { try requirePath(into) }
        try segments.check()
        _ = try order()
    }

    func run() throws {
        let order = try order()
        // Before any other thread starts.
        let signals = StopSignals.begin()
        try ExitStatus.end(saying: FailureText.sentence(for:)) { () throws(RunRefusal) in
            var order = order
            order.isCancelled = { signals?.pending != nil }
            order.filter = filters.filter
            order.list = try filters.list()
            let run = try SplitRun(order, of: try ResultTree.find(path))
            do throws(ExportRefusal) {
                var isWhole = true
                let outcome = try run.run { path, obstacle in
                    isWhole = false
                    StandardStream.complain(
                        ExportView.sentence(for: obstacle, of: path, in: "split"))
                }
                let left = ExportView.leftOut(failed: outcome.unheard, missing: outcome.missing)
                if let left { StandardStream.output.write(left + "\n") }
                if let list = order.list?.name,
                    let line = ExportView.unknown(outcome.unknown, of: list)
                {
                    isWhole = false
                    StandardStream.complain(line)
                }
                StandardStream.output.write(
                    "\(SplitView.counts(outcome)) in \(outcome.folder.displayText)\n")
                if let signal = signals?.pending { return ExitStatus(signal) }
                return isWhole ? .allWell : .someFailed
            } catch {
                StandardStream.complain(ExportView.sentence(for: error))
                return .couldNotRun
            }
        }
    }

    private func order() throws -> SplitRun.Order {
        guard let naming = SegmentNaming(naming) else {
            throw ValidationError(
                "--naming takes text with {stem}, {name}, {index}, {start} or {end}, at least one"
                    + " of the last three, and no slash; such as \(SegmentNaming.standard)")
        }
        var order = SplitRun.Order(naming: naming)
        order.isWAV = format == .wav
        order.folder = into
        order.rules = segments.rules
        return order
    }
}

enum SplitFormat: String, ExpressibleByArgument, CaseIterable {
    case flac, wav
}

/// Options on how segments are joined and left out.
struct SegmentOptions: ParsableArguments {
    @Option("Leave out segments shorter than this.", in: "seconds")
    var minSegment: Double?

    @Option("Divide segments longer than this, in their quietest place.", in: "seconds")
    var maxSegment: Double?

    @Option("Join segments with a shorter gap between them.", in: "seconds")
    var mergeGap: Double?

    @Option("Add this much on both sides of a segment.", in: "seconds")
    var pad: Double?

    func check() throws {
        try requireRange("--min-segment", minSegment, 0...3600, "seconds, such as 0.5")
        try requireRange("--max-segment", maxSegment, 0.1...86_400, "seconds, such as 30")
        try requireRange("--merge-gap", mergeGap, 0...3600, "seconds, such as 0.3")
        try requireRange("--pad", pad, 0...3600, "seconds, such as 0.1")
    }

    var rules: StretchRules {
        var rules = StretchRules()
        rules.minimumSeconds = minSegment ?? 0
        rules.maximumSeconds = maxSegment ?? .infinity
        rules.mergeGapSeconds = mergeGap ?? 0
        rules.padSeconds = pad ?? 0
        return rules
    }
}
