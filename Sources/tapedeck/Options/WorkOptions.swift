import ArgumentParser
import Jobs
import Recordings
import Reports
import Workers

/// Options of all commands that process recordings.
struct WorkOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "Folders, with everything below them, and recordings.", valueName: "path"))
    var paths: [Pathname]

    @Option(
        help: ArgumentHelp(
            "Write results to this folder. (default: tapedeck in the folder that holds all paths)",
            valueName: "dir"))
    var output: Pathname?

    @Option(
        "Process this many recordings at once. (default: the number of cores)", in: "n")
    var jobs: Int?

    @Option(
        "Fail recordings longer than this. (default: 48)", in: "hours")
    var maxHours: Double?

    @Flag(help: "Explain why each recording is reprocessed.")
    var explain = false

    @Flag(
        inversion: .prefixedNo,
        help: "Fail recordings that are cut off, unfinished or damaged, instead of using the rest.")
    var strict: Bool?

    @Flag(help: "Retry failed recordings, also unchanged ones.")
    var retryFailed = false

    @Flag(help: "Delete the results of deleted recordings.")
    var prune = false

    @Flag(
        inversion: .prefixedNo,
        help:
            "Record the SHA-256 of each recording that does not fail, for verify and to recognise moved files."
    )
    var checksums: Bool?

    @Flag(help: "The recordings of this output are at PATH now, though they are elsewhere, too.")
    var moved = false

    @Flag(help: "Forget the settings of the output; use the defaults and the given options.")
    var defaults = false

    @Flag(help: "Print one JSON object per line (NDJSON).")
    var json = false

    @Flag(help: "Print failures and warnings only.")
    var quiet = false

    @Option(
        help: ArgumentHelp(
            "Record all decisions, for tapedeck replay.",
            valueName: "file"))
    var trace: Pathname?

    @OptionGroup(title: "What is processed")
    var input: InputOptions

    @OptionGroup(title: "Filters")
    var filters: FilterOptions

    @OptionGroup(title: "Silence and trimming")
    var cuts: CutOptions

    @OptionGroup(title: "Waveforms and copies")
    var batch: BatchOptions

    @OptionGroup(title: "For other programs")
    var exports: ExportOptions

    func validate() throws {
        guard !paths.isEmpty else {
            throw ValidationError("name at least one folder or recording")
        }
        guard filters.filesFrom == nil || paths.count == 1 else {
            throw ValidationError(
                "--files-from needs one folder, to which the paths in the list are relative")
        }
        try requireJobs(jobs)
        try cuts.requireTrimming("--trim-format", batch.trimFormat != nil)
        try cuts.requireTrimming(
            "--waveform-of trimmed", batch.waveformOf?.subjects.contains(.trimmed) == true)
        try requireRange("--max-hours", maxHours, 0.01...10_000, "hours")
        for path in paths + [output, trace].compactMap({ $0 }) { try requirePath(path) }
    }

    /// The given options that the output will remember.
    var given: Settings {
        var settings = cuts.given
        batch.apply(to: &settings)
        input.apply(to: &settings)
        filters.apply(to: &settings)
        exports.apply(to: &settings)
        settings.strict = strict
        settings.checksums = checksums
        settings.maxHours = maxHours
        return settings
    }

    /// The job store's configuration by these options and settings; the number of jobs is
    /// determined later.
    func configuration(_ settings: Settings) -> JobStore.Configuration {
        var configuration = settings.configuration
        configuration.retriesFailed = retryFailed
        configuration.prunesMissing = prune
        configuration.explains = explain
        configuration.rules.filter.newerThanNanoseconds = filters.newerThan?.nanoseconds
        return configuration
    }
}

/// Rejects job counts out of range.
func requireJobs(_ jobs: Int?) throws {
    if let jobs, !(1...1024).contains(jobs) {
        throw ValidationError("--jobs takes 1 to 1024, not \(jobs)")
    }
}

/// Rejects a number out of range, with a hint at a valid one; `nil` passes.
func requireRange(
    _ option: String, _ value: Double?, _ range: ClosedRange<Double>, _ hint: String
) throws {
    guard let value else { return }
    guard range.contains(value) else {
        let bounds = [range.lowerBound, range.upperBound].map(CountText.plain)
        throw ValidationError(
            "\(option) takes \(bounds[0]) to \(bounds[1]) \(hint), not \(CountText.plain(value))")
    }
}

extension Option {
    /// A number option that also accepts -1 as a value, so that the error can suggest a valid one.
    init(wrappedValue: Value, _ help: String, in unit: String) where Value: ExpressibleByArgument {
        self.init(
            wrappedValue: wrappedValue, parsing: .unconditional,
            help: ArgumentHelp(help, valueName: unit))
    }

    init<Number: ExpressibleByArgument>(_ help: String, in unit: String) where Value == Number? {
        self.init(parsing: .unconditional, help: ArgumentHelp(help, valueName: unit))
    }
}
