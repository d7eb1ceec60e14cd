import ArgumentParser
import Jobs
import Recordings
import Reports
import Workers

/// What all commands that work on recordings can be told.
struct WorkOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("Folders and recordings.", valueName: "path"))
    var paths: [Pathname]

    @Option(
        help: ArgumentHelp(
            "Folder for the results. (default: tapedeck in the deepest folder that holds all"
                + " paths)", valueName: "dir"))
    var output: Pathname?

    @Option(
        "Workers: recordings worked on at once, or shares of a long one. (default: the number of"
            + " cores)", in: "n")
    var jobs: Int?

    @Option(
        "Refuse recordings longer than this; memory grows with their length. (default: 48)",
        in: "hours")
    var maxHours: Double?

    @Flag(help: "Say of each recording that is not up to date why.")
    var explain = false

    @Flag(help: "Try again what failed before, though nothing has changed.")
    var retryFailed = false

    @Flag(help: "Remove what was made of recordings that are gone.")
    var prune = false

    @Flag(
        help:
            "Record the SHA-256 of each recording too, for verify, and for watch to know moved ones by."
    )
    var checksums = false

    @Flag(help: "Print a JSON object a line for each recording, and a last one with the summary.")
    var json = false

    @Flag(help: "Print neither progress nor a summary in words; failures are still told.")
    var quiet = false

    @Option(
        help: ArgumentHelp(
            "Record there every action and the commands it led to, for tapedeck replay.",
            valueName: "file"))
    var trace: Pathname?

    @OptionGroup(title: "What is made")
    var batch: BatchOptions

    func validate() throws {
        guard !paths.isEmpty else {
            throw ValidationError("name at least one folder or recording")
        }
        try requireJobs(jobs)
        try requireRange("--max-hours", maxHours, 0.01...10_000, "hours")
        for path in paths + [output, trace].compactMap({ $0 }) { try requirePath(path) }
    }

    /// How long a recording may be.
    var limit: LengthLimit { LengthLimit(hours: maxHours ?? LengthLimit.usualHours) }

    /// What they ask of the job store; how many jobs are possible is found out later.
    var configuration: JobStore.Configuration {
        var configuration = JobStore.Configuration(recipe: batch.recipe)
        configuration.retriesFailed = retryFailed
        configuration.wantsChecksums = checksums
        configuration.prunesMissing = prune
        configuration.explains = explain
        return configuration
    }
}

/// Refuses numbers of jobs that make no sense.
func requireJobs(_ jobs: Int?) throws {
    if let jobs, !(1...1024).contains(jobs) {
        throw ValidationError("--jobs takes 1 to 1024, not \(jobs)")
    }
}

/// Refuses numbers that are out of range, with one that would be right; none is no number.
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
    /// A number, taken as it comes, so that -1 is answered with what would be right.
    init(wrappedValue: Value, _ help: String, in unit: String) where Value: ExpressibleByArgument {
        self.init(
            wrappedValue: wrappedValue, parsing: .unconditional,
            help: ArgumentHelp(help, valueName: unit))
    }

    init<Number: ExpressibleByArgument>(_ help: String, in unit: String) where Value == Number? {
        self.init(parsing: .unconditional, help: ArgumentHelp(help, valueName: unit))
    }
}
