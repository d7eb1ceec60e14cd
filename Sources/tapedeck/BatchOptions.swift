import ArgumentParser
import Recordings

/// The options that shape outputs, as typed; `recipe` is what they mean.
struct BatchOptions: ParsableArguments {
    @Option(help: "What to cut: silence at the edges, inner gaps too, or nothing.")
    var trim = TrimRecipe.Mode.edges

    // Numbers are taken as they come, so that -1 is answered with what would be right.

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Shortest stretch that counts as silence.", valueName: "seconds"))
    var minSilence = 0.5

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Shortest stretch that counts as sound.", valueName: "seconds"))
    var minSound = 0.2

    @Option(
        help: ArgumentHelp(
            "What counts as sound: speech, or whatever rises above the noise, as birds and machines"
                + " do."))
    var activity = SilenceRecipe.Activity.speech

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Extra caution: thresholds lie so much lower, and more is kept; less than 0 keeps less.",
            valueName: "dB"))
    var sensitivity = 0.0

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Call sound what is louder than this, such as -45dBFS, instead of finding out.",
            valueName: "level"))
    var threshold: DecibelLevel?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Silence left around sound.", valueName: "seconds"))
    var keepSilence = 0.2

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "With --trim gaps: inner silences are shortened to this.", valueName: "seconds"))
    var longestGap = 1.0

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Fade on each side of a cut.", valueName: "milliseconds"))
    var fadeMilliseconds = 5.0

    @Option(
        help: ArgumentHelp(
            "Container of trimmed copies; auto keeps that of lossless sources and makes FLAC of"
                + " lossy ones."))
    var trimFormat = TrimRecipe.Format.auto

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Zoom of the waveform; several, separated by commas, make a file each.",
            valueName: "count,..."))
    var samplesPerPixel = ZoomList([256])

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Resolution of the waveform: 8 or 16.", valueName: "bits"))
    var waveformBits = 8

    @Option(help: "File format of the waveform.")
    var waveformFormat = WaveformRecipe.Format.dat

    @Flag(help: "Draw each channel by itself instead of their mix.")
    var splitChannels = false

    func validate() throws {
        try requireRange("--min-silence", minSilence, 0.05...3600, "seconds, such as 0.5")
        try requireRange("--min-sound", minSound, 0...3600, "seconds, such as 0.2")
        try requireRange("--sensitivity", sensitivity, -20...20, "decibels, such as 3")
        try threshold?.validate()
        try requireRange("--keep-silence", keepSilence, 0...3600, "seconds, such as 0.2")
        try requireRange("--longest-gap", longestGap, 0...3600, "seconds, such as 1")
        try requireRange(
            "--fade-milliseconds", fadeMilliseconds, 0...1000, "milliseconds, such as 5")
        guard [8, 16].contains(waveformBits) else {
            throw ValidationError("--waveform-bits is 8 or 16, not \(waveformBits)")
        }
        try samplesPerPixel.validate()
    }

    var recipe: Recipe {
        var recipe = Recipe()
        recipe.waveform.samplesPerPixel = samplesPerPixel.zooms
        recipe.waveform.bits = waveformBits
        recipe.waveform.format = waveformFormat
        recipe.waveform.splitChannels = splitChannels
        recipe.silence.minimumSeconds = minSilence
        recipe.silence.minimumSoundSeconds = minSound
        recipe.silence.activity = activity
        recipe.silence.sensitivityDecibels = sensitivity
        recipe.silence.thresholdDBFS = threshold?.decibels
        recipe.trim.mode = trim
        recipe.trim.keepSilenceSeconds = keepSilence
        recipe.trim.longestGapSeconds = longestGap
        recipe.trim.fadeMilliseconds = fadeMilliseconds
        recipe.trim.format = trimFormat
        return recipe
    }
}

/// One or several zooms, as in `256,1024`.
struct ZoomList: ExpressibleByArgument {
    /// What the waveform formats can hold.
    static let range = 2...Int(Int32.max)
    static let mostZooms = 16

    let zooms: [Int]

    init(_ zooms: [Int]) {
        self.zooms = zooms
    }

    init?(argument: String) {
        let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Int($0) }
        guard numbers.count == parts.count else { return nil }
        zooms = numbers
    }

    var defaultValueDescription: String {
        zooms.map(String.init).joined(separator: ",")
    }

    func validate() throws {
        if let wrong = zooms.first(where: { !ZoomList.range.contains($0) }) {
            throw ValidationError(
                "--samples-per-pixel takes \(ZoomList.range.lowerBound) to"
                    + " \(ZoomList.range.upperBound), such as 256, not \(wrong)")
        }
        guard Set(zooms).count == zooms.count else {
            throw ValidationError("--samples-per-pixel names a zoom twice; name each once")
        }
        guard zooms.count <= ZoomList.mostZooms else {
            throw ValidationError(
                "--samples-per-pixel takes at most \(ZoomList.mostZooms) zooms, not \(zooms.count)")
        }
    }
}

/// A level relative to full scale, as in `-45dBFS`; the unit may be left out.
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

    func validate() throws {
        try requireRange("--threshold", decibels, -100...0, "dBFS, such as -45dBFS")
    }
}

extension SilenceRecipe.Activity: ExpressibleByArgument {}
extension TrimRecipe.Mode: ExpressibleByArgument {}
extension TrimRecipe.Format: ExpressibleByArgument {}
extension WaveformRecipe.Format: ExpressibleByArgument {}
