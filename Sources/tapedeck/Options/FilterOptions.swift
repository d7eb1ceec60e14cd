import ArgumentParser
import Jobs
import Recordings
import Workers

/// Options that leave recordings out.
struct FilterOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Restrict to what matches this pattern or lies in a folder that does; may be repeated.",
            valueName: "pattern"),
        transform: PatternArgument.init)
    var include: [PatternArgument] = []

    @Option(
        help: ArgumentHelp(
            "Leave out what matches this pattern, such as drafts/ or '*-raw.wav'; may be repeated.",
            valueName: "pattern"),
        transform: PatternArgument.init)
    var exclude: [PatternArgument] = []

    @Option(
        help: ArgumentHelp(
            "Restrict to the paths in this list, one per line or NUL-separated; - is standard input.",
            valueName: "file"))
    var filesFrom: Pathname?

    @Option(
        help: ArgumentHelp(
            "Leave out what was modified before this date or longer ago, such as 2026-03-01 or 7d.",
            valueName: "time"),
        transform: TimeLimit.init)
    var newerThan: TimeLimit?

    func validate() throws {
        try requirePath(filesFrom)
    }

    /// Copies the given patterns into settings; an empty pattern alone forgets remembered ones.
    func apply(to settings: inout Settings) {
        settings.include = include.isEmpty ? nil : filter.include
        settings.exclude = exclude.isEmpty ? nil : filter.exclude
    }

    /// The given patterns and time, without remembered ones.
    var filter: PathFilter {
        var filter = PathFilter()
        filter.include = include.compactMap(\.glob)
        filter.exclude = exclude.compactMap(\.glob)
        filter.newerThanNanoseconds = newerThan?.nanoseconds
        return filter
    }

    /// The paths of the list; `nil` if there is none.
    func list() throws(RunRefusal) -> PathList? {
        guard let filesFrom else { return nil }
        return try PathList(reading: filesFrom)
    }
}

/// A pattern as typed.
struct PatternArgument {
    /// `nil` for an empty pattern.
    let glob: Glob?

    @Sendable init(_ argument: String) throws {
        let pattern = Pathname(argument: argument)
        glob = Glob(pattern)
        guard glob == nil, !pattern.isEmpty else { return }
        throw ValidationError(
            "give a name or a path below the recordings, such as '*.wav' or drafts/")
    }
}
