import ArgumentParser
import Jobs
import Recordings
import Reports

/// Options for silence detection and cutting, as typed.
struct CutOptions: ParsableArguments {
    @Option(help: "Cut silence at both ends, long pauses too, or nothing. (default: edges)")
    var trim: TrimRecipe.Mode?

    @Option("Ignore silences shorter than this. (default: 0.5)", in: "seconds")
    var minSilence: Double?

    @Option("Ignore sounds shorter than this. (default: 0.2)", in: "seconds")
    var minSound: Double?

    @Option(help: "Keep speech, any voice (singing too), or any sound. (default: speech)")
    var activity: SilenceRecipe.Activity?

    @Option(
        help: ArgumentHelp(
            "Detect speech by the neural network (learned) or by levels. (default: learned)",
            valueName: "detector"))
    var detector: SilenceRecipe.Detector?

    @Option(
        "Keep more by lowering all thresholds; negative values keep less. (default: 0.0)",
        in: "dB")
    var sensitivity: Double?

    @Option(
        "Count everything louder than this as sound, such as -45dBFS.", in: "level")
    var threshold: DecibelLevel?

    @Option(
        help: ArgumentHelp(
            "Listen to all channels together, or to each by itself; then only what is silent in all is cut. (default: together)",
            valueName: "channels"))
    var channels: SilenceRecipe.Channels?

    @Option(
        "Keep this much silence before the first sound and after the last. (default: 0.25)",
        in: "seconds")
    var keepSilence: Double?

    @Option(
        "Shorten longer pauses to this, with --trim gaps. (default: 1.0; no limit with --shrink-gaps)",
        in: "seconds")
    var longestGap: Double?

    @Option(
        "Keep this share of each pause, such as 0.5, with --trim gaps.", in: "share")
    var shrinkGaps: Double?

    @Option(
        "Fade this long on both sides of a cut, within the silence. (default: 5.0)",
        in: "milliseconds")
    var fadeMilliseconds: Double?

    @Option(
        "Leave a recording uncut if the confidence in its silences is lower. (default: 0.0)",
        in: "share")
    var minConfidence: Double?

    func validate() throws {
        try requireRange("--min-silence", minSilence, 0.05...3600, "seconds, such as 0.5")
        try requireRange("--min-sound", minSound, 0...3600, "seconds, such as 0.2")
        try requireRange("--sensitivity", sensitivity, -20...20, "decibels, such as 3")
        try requireRange(
            "--threshold", threshold?.decibels, -100...0, "dBFS, such as -45dBFS")
        try validateActivity()
        guard threshold == nil || minConfidence == nil else {
            throw ValidationError(
                "--threshold decides by the level, without confidence; leave it or"
                    + " --min-confidence out")
        }
        try requireRange("--min-confidence", minConfidence, 0...1, "as a share, such as 0.7")
        try requireRange("--keep-silence", keepSilence, 0...3600, "seconds, such as 0.25")
        try requireRange("--longest-gap", longestGap, 0...3600, "seconds, such as 1")
        try requireRange("--shrink-gaps", shrinkGaps, 0...1, "of each gap, such as 0.5")
        try requireRange(
            "--fade-milliseconds", fadeMilliseconds, 0...1000, "milliseconds, such as 5")
        try validateMode()
    }

    /// Rejects activities that the chosen detector does not know.
    private func validateActivity() throws {
        if detector == .learned, activity == .any || threshold != nil {
            let other = threshold != nil ? "--threshold" : "--activity any"
            throw ValidationError("--detector learned knows voices alone; leave it or \(other) out")
        }
        if detector == .classical, activity == .voice {
            throw ValidationError(
                "--detector classical cannot tell voices from music; leave it or --activity voice"
                    + " out")
        }
        if threshold != nil, let activity, activity != .speech {
            throw ValidationError(
                "--threshold goes by the level alone, whatever sounds; leave it or --activity"
                    + " \(activity.rawValue) out")
        }
    }

    /// Rejects options that have no effect in the chosen trim mode.
    private func validateMode() throws {
        // Without --trim, it depends on the output's settings.
        if trim != nil { try requireGaps(in: given) }
        try requireTrimming("--keep-silence", keepSilence != nil)
        try requireTrimming("--fade-milliseconds", fadeMilliseconds != nil)
        try requireTrimming("--min-confidence", minConfidence != nil)
    }

    /// Rejects an option for trimmed copies if none are made.
    func requireTrimming(_ option: String, _ isGiven: Bool) throws {
        guard isGiven, trim == .off else { return }
        throw ValidationError(
            "\(option) is about trimmed copies, of which --trim off makes none; leave one of them"
                + " out")
    }

    /// Rejects an option for inner silences if these are not cut.
    func requireGaps(in settings: Settings) throws {
        guard let option = settings.optionWithoutGaps else { return }
        throw ValidationError(FailureText.sentence(forOptionWithoutGaps: option))
    }

    /// The given options.
    var given: Settings {
        var settings = Settings()
        settings.trim = trim
        settings.minSilenceSeconds = minSilence
        settings.minSoundSeconds = minSound
        settings.activity = activity
        settings.detector = detector
        settings.sensitivityDecibels = sensitivity
        settings.thresholdDBFS = threshold?.decibels
        settings.channels = channels
        settings.keepSilenceSeconds = keepSilence
        settings.longestGapSeconds = longestGap
        settings.shrinkGaps = shrinkGaps
        settings.minConfidence = minConfidence
        settings.fadeMilliseconds = fadeMilliseconds
        return settings
    }
}

/// A level relative to full scale, as in `-45dBFS`; the unit is optional.
struct DecibelLevel: ExpressibleByArgument {
    let decibels: Double

    init?(argument: String) {
        var number = Substring(argument)
        if let unit = ["dbfs", "db"].first(where: { argument.lowercased().hasSuffix($0) }) {
            number = number.dropLast(unit.count)
        }
        guard let decibels = Double(number), decibels.isFinite else { return nil }
        self.decibels = decibels
    }
}

extension SilenceRecipe.Activity: ExpressibleByArgument {}
extension SilenceRecipe.Detector: ExpressibleByArgument {}
extension SilenceRecipe.Channels: ExpressibleByArgument {}
extension TrimRecipe.Mode: ExpressibleByArgument {}
