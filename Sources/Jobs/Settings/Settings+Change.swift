import Recordings

extension Settings {
    /// These settings with the given options in their place.
    ///
    /// Remembered options that cannot be combined with a given one return to their defaults.
    package func changed(by given: Settings) -> Settings {
        var new = self
        new.giveWay(to: given)
        new.trim = given.trim ?? new.trim
        new.minSilenceSeconds = given.minSilenceSeconds ?? new.minSilenceSeconds
        new.minSoundSeconds = given.minSoundSeconds ?? new.minSoundSeconds
        new.activity = given.activity ?? new.activity
        new.detector = given.detector ?? new.detector
        new.sensitivityDecibels = given.sensitivityDecibels ?? new.sensitivityDecibels
        new.thresholdDBFS = given.thresholdDBFS ?? new.thresholdDBFS
        new.channels = given.channels ?? new.channels
        new.keepSilenceSeconds = given.keepSilenceSeconds ?? new.keepSilenceSeconds
        new.longestGapSeconds = given.longestGapSeconds ?? new.longestGapSeconds
        new.shrinkGaps = given.shrinkGaps ?? new.shrinkGaps
        new.fadeMilliseconds = given.fadeMilliseconds ?? new.fadeMilliseconds
        new.minConfidence = given.minConfidence ?? new.minConfidence
        new.trimFormat = given.trimFormat ?? new.trimFormat
        new.waveformOf = given.waveformOf ?? new.waveformOf
        new.samplesPerPixel = given.samplesPerPixel ?? new.samplesPerPixel
        new.pixelsPerSecond = given.pixelsPerSecond ?? new.pixelsPerSecond
        new.points = given.points ?? new.points
        new.waveformBits = given.waveformBits ?? new.waveformBits
        new.waveformFormat = given.waveformFormat ?? new.waveformFormat
        new.splitChannels = given.splitChannels ?? new.splitChannels
        new.video = given.video ?? new.video
        new.raw = given.raw ?? new.raw
        new.include = given.include ?? new.include
        new.exclude = given.exclude ?? new.exclude
        new.strict = given.strict ?? new.strict
        new.checksums = given.checksums ?? new.checksums
        new.maxHours = given.maxHours ?? new.maxHours
        new.export = given.export ?? new.export
        new.split = given.split ?? new.split
        new.report = given.report ?? new.report
        return new
    }

    /// Forgets what the command line refuses beside the given options.
    private mutating func giveWay(to given: Settings) {
        if let mode = given.trim {
            if mode != .gaps { (longestGapSeconds, shrinkGaps) = (nil, nil) }
            if mode == .off {
                (keepSilenceSeconds, fadeMilliseconds) = (nil, nil)
                (minConfidence, trimFormat) = (nil, nil)
                if waveformOf?.contains(.trimmed) == true { waveformOf = nil }
            }
        } else if trim == .off, given.optionForCopies != nil {
            trim = nil
        }
        let isLearned = given.detector == .learned
        if isLearned || given.thresholdDBFS != nil, activity == .any { activity = nil }
        if given.detector == .classical || given.thresholdDBFS != nil, activity == .voice {
            activity = nil
        }
        let isUnleveled = given.activity != nil && given.activity != .speech
        if isLearned || isUnleveled || given.minConfidence != nil { thresholdDBFS = nil }
        if given.thresholdDBFS != nil { minConfidence = nil }
        if given.activity == .any || given.thresholdDBFS != nil, detector == .learned {
            detector = nil
        }
        if given.activity == .voice, detector == .classical { detector = nil }
        if !given.zoomOptions.isEmpty {
            (samplesPerPixel, pixelsPerSecond, points) = (nil, nil, nil)
        }
    }

    /// The options among these that set the zoom, of which one suffices.
    package var zoomOptions: [String] {
        [
            samplesPerPixel == nil ? nil : "--samples-per-pixel",
            pixelsPerSecond == nil ? nil : "--pixels-per-second", points == nil ? nil : "--points",
        ].compactMap { $0 }
    }

    /// An option among these that is for trimmed copies.
    package var optionForCopies: String? {
        if keepSilenceSeconds != nil { return "--keep-silence" }
        if fadeMilliseconds != nil { return "--fade-milliseconds" }
        if minConfidence != nil { return "--min-confidence" }
        if trimFormat != nil { return "--trim-format" }
        return waveformOf?.contains(.trimmed) == true ? "--waveform-of trimmed" : nil
    }

    /// An option among these that is for inner silences.
    package var optionForGaps: String? {
        if shrinkGaps != nil { return "--shrink-gaps" }
        return longestGapSeconds != nil ? "--longest-gap" : nil
    }

    /// An option for inner silences that has no effect, because they are not cut.
    package var optionWithoutGaps: String? { trim == .gaps ? nil : optionForGaps }
}

/// The settings of an output, before and after a command line.
package struct SettingsChange: Hashable, Sendable {
    package let before: Settings
    /// The options of the command line.
    package let given: Settings
    package let after: Settings

    /// - Parameter forgets: whether remembered settings are forgotten.
    package init(_ before: Settings, given: Settings, forgets: Bool) {
        self.before = before
        self.given = given
        after = (forgets ? Settings() : before).changed(by: given)
    }
}
