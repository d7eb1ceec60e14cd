import ArgumentParser
import Jobs

/// Options that decide what results are, as typed on a command line or in a settings file.
///
/// Outputs remember those of a command line.
struct ResultOptions: ParsableArguments {
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

    @OptionGroup(title: "Limits and checks")
    var checks: CheckOptions

    func validate() throws {
        try cuts.requireTrimming("--trim-format", batch.trimFormat != nil)
        try cuts.requireTrimming(
            "--waveform-of trimmed", batch.waveformOf?.subjects.contains(.trimmed) == true)
    }

    /// The given options.
    var given: Settings {
        var settings = cuts.given
        batch.apply(to: &settings)
        input.apply(to: &settings)
        filters.apply(to: &settings)
        exports.apply(to: &settings)
        checks.apply(to: &settings)
        return settings
    }
}

/// Options about recordings that are too long, or not quite right.
struct CheckOptions: ParsableArguments {
    @Option("Fail recordings longer than this. (default: 48)", in: "hours")
    var maxHours: Double?

    @Flag(
        inversion: .prefixedNo,
        help: "Fail recordings that are cut off, unfinished or damaged, instead of using the rest.")
    var strict: Bool?

    @Flag(
        inversion: .prefixedNo,
        help:
            "Record the SHA-256 of each recording that does not fail, for verify and to recognise moved files."
    )
    var checksums: Bool?

    @Flag(
        inversion: .prefixedNo,
        help:
            "Decode in processes that can open no files and no connections; for files of strangers."
    )
    var isolate: Bool?

    func validate() throws {
        try requireRange("--max-hours", maxHours, 0.01...10_000, "hours")
    }

    /// Copies the given options into settings.
    func apply(to settings: inout Settings) {
        settings.maxHours = maxHours
        settings.strict = strict
        settings.checksums = checksums
        settings.isolate = isolate
    }
}
