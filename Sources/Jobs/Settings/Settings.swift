import Recordings

/// The options of runs that their output remembers; `nil` where the user chose nothing, so that the
/// default applies.
///
/// Encoded with the options' names in camelCase, and units.
package struct Settings: Hashable, Codable, Sendable {
    package var trim: TrimRecipe.Mode?
    package var minSilenceSeconds: Double?
    package var minSoundSeconds: Double?
    package var activity: SilenceRecipe.Activity?
    package var detector: SilenceRecipe.Detector?
    package var sensitivityDecibels: Double?
    package var thresholdDBFS: Double?
    package var channels: SilenceRecipe.Channels?
    package var keepSilenceSeconds: Double?
    package var longestGapSeconds: Double?
    /// The share of each pause that is kept, 0 to 1.
    package var shrinkGaps: Double?
    package var fadeMilliseconds: Double?
    /// 0 to 1.
    package var minConfidence: Double?
    package var trimFormat: TrimRecipe.Format?
    package var waveformOf: [WaveformRecipe.Subject]?
    package var samplesPerPixel: [Int]?
    package var pixelsPerSecond: Int?
    package var points: Int?
    package var waveformBits: Int?
    package var waveformFormat: WaveformRecipe.Format?
    package var splitChannels: Bool?
    package var video: Bool?
    package var raw: [InputRules.Raw]?
    package var include: [Glob]?
    package var exclude: [Glob]?
    package var strict: Bool?
    package var checksums: Bool?
    package var maxHours: Double?
    /// Whether all recordings are decoded in processes of their own.
    package var isolate: Bool?
    /// Formats that runs export results to.
    package var export: [String]?
    /// Whether runs write each segment to a file of its own.
    package var split: Bool?
    /// Whether runs make pages of the results.
    package var report: Bool?

    package init() {}
}

// MARK: - What they mean

extension Settings {
    /// The default of `maxHours`.
    package static let usualMaxHours = 48.0

    /// The recipe; adding 0 turns -0 into 0, so that recipes compare equal.
    package var recipe: Recipe {
        var recipe = Recipe()
        apply(to: &recipe.waveform)
        apply(to: &recipe.silence)
        apply(to: &recipe.trim)
        return recipe
    }

    private func apply(to waveform: inout WaveformRecipe) {
        waveform.subjects = waveformOf ?? waveform.subjects
        waveform.samplesPerPixel = samplesPerPixel ?? waveform.samplesPerPixel
        waveform.pixelsPerSecond = pixelsPerSecond
        waveform.points = points
        waveform.format = waveformFormat ?? waveform.format
        // Its numbers have digits for all 16.
        waveform.bits = waveform.format == .floatJSON ? 16 : waveformBits ?? waveform.bits
        waveform.splitChannels = splitChannels ?? waveform.splitChannels
    }

    private func apply(to silence: inout SilenceRecipe) {
        silence.minimumSeconds = (minSilenceSeconds ?? silence.minimumSeconds) + 0
        silence.minimumSoundSeconds = (minSoundSeconds ?? silence.minimumSoundSeconds) + 0
        silence.activity = activity ?? silence.activity
        silence.sensitivityDecibels = (sensitivityDecibels ?? silence.sensitivityDecibels) + 0
        silence.thresholdDBFS = thresholdDBFS.map { $0 + 0 }
        silence.channels = channels == .each ? .each : nil
        // The learned detector is trained on voices only.
        let isLevel = silence.activity == .any || thresholdDBFS != nil
        silence.detector = detector ?? (isLevel ? .classical : silence.detector)
    }

    private func apply(to trimming: inout TrimRecipe) {
        trimming.mode = trim ?? trimming.mode
        trimming.keepSilenceSeconds = (keepSilenceSeconds ?? trimming.keepSilenceSeconds) + 0
        trimming.keptGapShare = shrinkGaps.map { $0 + 0 }
        // A share for each gap includes the long ones.
        trimming.longestGapSeconds =
            longestGapSeconds.map { $0 + 0 }
            ?? (shrinkGaps == nil ? trimming.longestGapSeconds : nil)
        trimming.fadeMilliseconds = (fadeMilliseconds ?? trimming.fadeMilliseconds) + 0
        if let minConfidence {
            trimming.minimumConfidence = minConfidence > 0 ? minConfidence : nil
        }
        trimming.format = trimFormat ?? trimming.format
    }

    /// Which files are recordings.
    package var rules: InputRules {
        var rules = InputRules()
        rules.includesVideo = video ?? rules.includesVideo
        rules.raw = raw ?? rules.raw
        rules.filter.include = include ?? []
        rules.filter.exclude = exclude ?? []
        return rules
    }

    /// The job store's configuration by these settings.
    package var configuration: JobStore.Configuration {
        var configuration = JobStore.Configuration(recipe: recipe)
        configuration.rules = rules
        configuration.isStrict = strict ?? configuration.isStrict
        configuration.wantsChecksums = checksums ?? configuration.wantsChecksums
        if exportChoice != ExportChoice() { configuration.exports = exportChoice }
        return configuration
    }

    /// What is kept up to date beside the results of each recording.
    package var exportChoice: ExportChoice {
        var choice = ExportChoice()
        choice.formats = ((export ?? []) + (report == true ? [ExportChoice.report] : [])).sorted()
        choice.splits = split ?? false
        return choice
    }

    /// The settings of results with this recipe: its differences from the default recipe, but for
    /// the version of the detector.
    package init(_ recipe: Recipe) {
        let usual = Recipe()
        trim = recipe.trim.mode.unless(usual.trim.mode)
        minSilenceSeconds = recipe.silence.minimumSeconds.unless(usual.silence.minimumSeconds)
        minSoundSeconds = recipe.silence.minimumSoundSeconds
            .unless(usual.silence.minimumSoundSeconds)
        activity = recipe.silence.activity.unless(usual.silence.activity)
        sensitivityDecibels = recipe.silence.sensitivityDecibels
            .unless(usual.silence.sensitivityDecibels)
        thresholdDBFS = recipe.silence.thresholdDBFS
        channels = recipe.silence.channels
        keepSilenceSeconds = recipe.trim.keepSilenceSeconds.unless(usual.trim.keepSilenceSeconds)
        shrinkGaps = recipe.trim.keptGapShare
        fadeMilliseconds = recipe.trim.fadeMilliseconds.unless(usual.trim.fadeMilliseconds)
        minConfidence = (recipe.trim.minimumConfidence ?? 0)
            .unless(usual.trim.minimumConfidence ?? 0)
        trimFormat = recipe.trim.format.unless(usual.trim.format)
        waveformOf = recipe.waveform.subjects.unless(usual.waveform.subjects)
        samplesPerPixel = recipe.waveform.samplesPerPixel.unless(usual.waveform.samplesPerPixel)
        pixelsPerSecond = recipe.waveform.pixelsPerSecond
        points = recipe.waveform.points
        waveformFormat = recipe.waveform.format.unless(usual.waveform.format)
        splitChannels = recipe.waveform.splitChannels.unless(usual.waveform.splitChannels)
        // The defaults of these depend on others.
        let derived = self.recipe
        waveformBits = recipe.waveform.bits.unless(derived.waveform.bits)
        longestGapSeconds = recipe.trim.longestGapSeconds
            .flatMap { $0.unless(derived.trim.longestGapSeconds) }
        if recipe.silence.detector == .classical {
            detector = recipe.silence.detector.unless(derived.silence.detector)
        }
    }
}

extension Equatable {
    fileprivate func unless(_ usual: Self?) -> Self? { self == usual ? nil : self }
}
