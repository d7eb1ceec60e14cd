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
        name: .shortAndLong,
        help: ArgumentHelp(
            "Write results to this folder. (default: tapedeck in the folder that holds all paths)",
            valueName: "dir"))
    var output: Pathname?

    @Option(
        name: [.customShort("j", allowingJoined: true), .long], parsing: .unconditional,
        help: ArgumentHelp(
            "Process this many recordings at once. (default: the number of cores)",
            valueName: "n"))
    var jobs: Int?

    @Flag(name: .shortAndLong, help: "Print failures and warnings only.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Print a line for each recording.")
    var verbose = false

    @Flag(help: "Explain why each recording is reprocessed.")
    var explain = false

    @Flag(help: "Print one JSON object per line (NDJSON).")
    var json = false

    @Option(
        help: ArgumentHelp(
            "Colour failures and warnings. (default: auto: on a terminal, without NO_COLOR)",
            valueName: "when"))
    var color: ColorChoice?

    @Option(
        help: ArgumentHelp(
            "Record all decisions, for tapedeck replay.",
            valueName: "file"))
    var trace: Pathname?

    @OptionGroup(title: "Settings")
    var source: SettingsOptions

    @OptionGroup
    var results: ResultOptions

    @OptionGroup(title: "Retry, move, delete")
    var repeats: RepeatOptions

    func validate() throws {
        guard !paths.isEmpty else {
            throw ValidationError("name at least one folder or recording")
        }
        guard results.filters.filesFrom == nil || paths.count == 1 else {
            throw ValidationError(
                "--files-from needs one folder, to which the paths in the list are relative")
        }
        guard !(quiet && verbose) else {
            throw ValidationError("--quiet and --verbose contradict each other; leave one out")
        }
        try requireJobs(jobs)
        for path in paths + [output, trace].compactMap({ $0 }) { try requirePath(path) }
    }

    /// The given options that the output will remember, with those of a preset below them.
    var given: Settings {
        (source.preset?.settings ?? Settings()).changed(by: results.given)
    }

    /// The job store's configuration by these options and settings; the number of jobs is
    /// determined later.
    func configuration(_ settings: OutputSettings) -> JobStore.Configuration {
        var configuration = settings.configuration
        configuration.retriesFailed = repeats.retryFailed
        configuration.prunesMissing = repeats.prune
        configuration.explains = explain
        configuration.rules.filter.newerThanNanoseconds =
            results.filters.newerThan?.nanoseconds
        return configuration
    }
}

/// Options about earlier results.
struct RepeatOptions: ParsableArguments {
    @Flag(help: "Retry failed recordings, also unchanged ones.")
    var retryFailed = false

    @Flag(help: "The recordings of this output are at PATH now, though they are elsewhere, too.")
    var moved = false

    @Flag(help: "Delete the results of deleted recordings.")
    var prune = false
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

extension ArgumentHelp {
    /// For the path of commands that look at results.
    static let results = ArgumentHelp(
        "An output, a folder in it, or a folder of recordings.", valueName: "path")
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
