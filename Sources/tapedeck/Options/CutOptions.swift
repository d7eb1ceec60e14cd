import ArgumentParser
import Recordings

/// Options for silence detection and cutting, as typed; `apply(to:)` gives their meaning.
struct CutOptions: ParsableArguments {
    @Option(help: "Cut silence at both ends, long pauses too, or nothing.")
    var trim = TrimRecipe.Mode.edges

    @Option("Ignore silences shorter than this.", in: "seconds")
    var minSilence = 0.5

    @Option("Ignore sounds shorter than this.", in: "seconds")
    var minSound = 0.2

    @Option(help: "Keep speech, or any sound above the noise floor.")
    var activity = SilenceRecipe.Activity.speech

    @Option(
        help: ArgumentHelp(
            "Detect speech by the neural network (learned) or by levels. (default: learned)",
            valueName: "detector"))
    var detector: SilenceRecipe.Detector?

    @Option(
        "Keep more by lowering all thresholds; negative values keep less.", in: "dB")
    var sensitivity = 0.0

    @Option(
        "Count everything louder than this as sound, such as -45dBFS.", in: "level")
    var threshold: DecibelLevel?

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

    func validate() throws {
        try requireRange("--min-silence", minSilence, 0.05...3600, "seconds, such as 0.5")
        try requireRange("--min-sound", minSound, 0...3600, "seconds, such as 0.2")
        try requireRange("--sensitivity", sensitivity, -20...20, "decibels, such as 3")
        try requireRange(
            "--threshold", threshold?.decibels, -100...0, "dBFS, such as -45dBFS")
        if detector == .learned, activity != .speech || threshold != nil {
            let other = threshold != nil ? "--threshold" : "--activity any"
            throw ValidationError("--detector learned knows speech alone; leave it or \(other) out")
        }
        guard threshold == nil || activity == .speech else {
            throw ValidationError(
                "--threshold goes by the level alone, whatever sounds; leave it or --activity any"
                    + " out")
        }
        try requireRange("--keep-silence", keepSilence, 0...3600, "seconds, such as 0.25")
        try requireRange("--longest-gap", longestGap, 0...3600, "seconds, such as 1")
        try requireRange("--shrink-gaps", shrinkGaps, 0...1, "of each gap, such as 0.5")
        try requireRange(
            "--fade-milliseconds", fadeMilliseconds, 0...1000, "milliseconds, such as 5")
        try validateMode()
    }

    /// Rejects options that have no effect in the chosen trim mode.
    private func validateMode() throws {
        let gapOption =
            shrinkGaps != nil ? "--shrink-gaps" : longestGap != nil ? "--longest-gap" : nil
        if let gapOption, trim != .gaps {
            throw ValidationError(
                "\(gapOption) is about inner silences, which only --trim gaps cuts; add that")
        }
        try requireTrimming("--keep-silence", keepSilence != nil)
        try requireTrimming("--fade-milliseconds", fadeMilliseconds != nil)
    }

    /// Rejects an option for trimmed copies if none are made.
    func requireTrimming(_ option: String, _ isGiven: Bool) throws {
        guard isGiven, trim == .off else { return }
        throw ValidationError(
            "\(option) is about trimmed copies, of which --trim off makes none; leave one of them"
                + " out")
    }

    /// Copies the options into a recipe; adding 0 turns -0 into 0, so that recipes compare equal.
    func apply(to recipe: inout Recipe) {
        recipe.silence.minimumSeconds = minSilence + 0
        recipe.silence.minimumSoundSeconds = minSound + 0
        recipe.silence.activity = activity
        // The learned detector is trained on speech only.
        let isLevel = activity != .speech || threshold != nil
        recipe.silence.detector = detector ?? (isLevel ? .classical : SilenceRecipe.defaultDetector)
        recipe.silence.sensitivityDecibels = sensitivity + 0
        recipe.silence.thresholdDBFS = threshold.map { $0.decibels + 0 }
        recipe.trim.mode = trim
        recipe.trim.keepSilenceSeconds = (keepSilence ?? TrimRecipe().keepSilenceSeconds) + 0
        recipe.trim.keptGapShare = shrinkGaps.map { $0 + 0 }
        // A share for each gap includes the long ones.
        recipe.trim.longestGapSeconds =
            longestGap.map { $0 + 0 } ?? (shrinkGaps == nil ? TrimRecipe().longestGapSeconds : nil)
        recipe.trim.fadeMilliseconds = (fadeMilliseconds ?? TrimRecipe().fadeMilliseconds) + 0
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
extension TrimRecipe.Mode: ExpressibleByArgument {}
