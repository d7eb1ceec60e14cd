import ArgumentParser
import Recordings

/// The options that say what is silence and what is cut, as typed; `apply(to:)` is what they mean.
struct CutOptions: ParsableArguments {
    @Option(help: "What to cut: silence at the edges, inner gaps too, or nothing.")
    var trim = TrimRecipe.Mode.edges

    // Numbers are taken as they come, so that -1 is answered with what would be right.

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Shortest stretch that counts as silence.", valueName: "seconds"))
    var minSilence = 0.5

    @Option(
        help: ArgumentHelp(
            "What tells sound from silence: levels above the noise floor, or a small network that"
                + " knows speech."))
    var detector = SilenceRecipe.defaultDetector

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Silence left before the first sound and behind the last, and no less than a fade.",
            valueName: "seconds"))
    var keepSilence = 0.2

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "With --trim gaps: longer inner silences are shortened to this. (default: 1.0; with"
                + " --shrink-gaps any length)",
            valueName: "seconds"))
    var longestGap: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "With --trim gaps: how much of each inner silence stays, as in 0.5 for half of it; with"
                + " --longest-gap no more than that.",
            valueName: "share"))
    var shrinkGaps: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Fade on each side of a cut, always within the silence that stays.",
            valueName: "milliseconds"))
    var fadeMilliseconds = 5.0

    func validate() throws {
        try requireRange("--min-silence", minSilence, 0.05...3600, "seconds, such as 0.5")
        try requireRange("--keep-silence", keepSilence, 0...3600, "seconds, such as 0.2")
        if let longestGap {
            try requireRange("--longest-gap", longestGap, 0...3600, "seconds, such as 1")
        }
        if let shrinkGaps {
            try requireRange("--shrink-gaps", shrinkGaps, 0...1, "of each gap, such as 0.5")
        }
        try requireRange(
            "--fade-milliseconds", fadeMilliseconds, 0...1000, "milliseconds, such as 5")
        let gapOption =
            shrinkGaps != nil ? "--shrink-gaps" : longestGap != nil ? "--longest-gap" : nil
        if let gapOption, trim != .gaps {
            throw ValidationError(
                "\(gapOption) is about inner silences, which only --trim gaps cuts; add that")
        }
    }

    /// Puts what they say into a recipe.
    func apply(to recipe: inout Recipe) {
        recipe.silence.minimumSeconds = minSilence
        recipe.silence.detector = detector
        recipe.trim.mode = trim
        recipe.trim.keepSilenceSeconds = keepSilence
        recipe.trim.keptGapShare = shrinkGaps
        // Who asks for a share of each means the long ones too.
        recipe.trim.longestGapSeconds =
            longestGap ?? (shrinkGaps == nil ? TrimRecipe().longestGapSeconds : nil)
        recipe.trim.fadeMilliseconds = fadeMilliseconds
    }
}

extension SilenceRecipe.Detector: ExpressibleByArgument {}
extension TrimRecipe.Mode: ExpressibleByArgument {}
