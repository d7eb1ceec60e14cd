import Recordings

extension Settings {
    /// These settings with the given options in their place.
    ///
    /// Remembered options that cannot be combined with a given one return to their defaults.
    package func changed(by given: Settings) -> Settings {
        var new = self
        new.giveWay(to: given)
        for member in Settings.members where member.isGiven(given) { member.take(&new, given) }
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
