import Recordings

/// Decides, from what was measured, which frames a trimmed copy keeps.
package enum CutPlanner {
    /// The decision about one recording.
    package enum Plan: Hashable, Sendable {
        case cut(EditList)
        case keepWhole(TrimRefusal)
    }

    /// Cuts shorter than this are not worth a copy.
    package static let shortestCutSeconds = 0.05

    /// Plans the cuts.
    ///
    /// Edges keep `keepSilenceSeconds` of the silence next to sound. Inner silences, in `gaps`
    /// mode, lose their middle, down to the lesser of `keptGapShare` of their length and
    /// `longestGapSeconds`. Enough silence is kept next to each cut for its fade, so that no fade
    /// reaches into sound.
    /// - Complexity: O(number of silences).
    package static func plan(
        silence: SilenceMap, format: AudioFormat, recipe: TrimRecipe
    ) -> Plan {
        guard recipe.mode != .off else { return .keepWhole(.off) }
        guard format.sampleRateHertz >= SilenceMap.leastRateHertz else {
            return .keepWhole(.sampleRateTooLow)
        }
        guard !silence.silent else { return .keepWhole(.silent) }
        guard silence.separable else { return .keepWhole(.notSeparable) }
        if let least = recipe.minimumConfidence, let confidence = silence.confidence,
            confidence < least
        {
            return .keepWhole(.lowConfidence)
        }
        let rate = Double(format.sampleRateHertz)
        let shortest = Int64((shortestCutSeconds * rate).rounded(.up))
        var edits = EditList(
            of: format.frames, reserving: silence.intervalsSeconds.count + 1)
        var position: Int64 = 0
        var soundFrames = format.frames
        for interval in silence.intervalsSeconds {
            let first = Int64((interval[0] * rate).rounded())
            let end = min(Int64((interval[1] * rate).rounded()), format.frames)
            let silence = first..<max(first, end)
            soundFrames -= Int64(silence.count)
            let cut = cut(in: silence, format: format, recipe: recipe)
            guard cut.count >= shortest else { continue }
            edits.keep(position..<max(position, cut.lowerBound))
            position = cut.upperBound
        }
        guard position > 0 else { return .keepWhole(.nothingToCut) }
        edits.keep(position..<max(position, format.frames))
        // All silence, yet not marked as silent: keep it whole rather than cut everything.
        return soundFrames <= 0 ? .keepWhole(.silent) : .cut(edits)
    }

    /// The frames to cut from one silence; empty if there are none.
    private static func cut(
        in silence: Range<Int64>, format: AudioFormat, recipe: TrimRecipe
    ) -> Range<Int64> {
        let rate = Double(format.sampleRateHertz)
        let fade = Int64(recipe.fadeFrames(for: format))
        let padding = max(fade, Int64((recipe.keepSilenceSeconds * rate).rounded()))
        let isLeading = silence.lowerBound == 0
        let isTrailing = silence.upperBound == format.frames
        if isLeading || isTrailing {
            let first = isLeading ? 0 : silence.lowerBound + padding
            let end = isTrailing ? format.frames : silence.upperBound - padding
            return first..<max(first, end)
        }
        guard recipe.mode == .gaps else { return silence.lowerBound..<silence.lowerBound }
        let length = Int64(silence.count)
        let share = recipe.keptGapShare.map { Int64(($0 * Double(length)).rounded()) }
        let longest = recipe.longestGapSeconds.map { Int64(($0 * rate).rounded()) }
        let kept = min(length, max(2 * fade, min(share ?? length, longest ?? length)))
        let first = silence.lowerBound + kept / 2
        return first..<(first + length - kept)
    }
}

extension TrimRecipe {
    /// Frames of the fade on each side of a cut.
    package func fadeFrames(for format: AudioFormat) -> Int {
        Int((fadeMilliseconds / 1000 * Double(format.sampleRateHertz)).rounded())
    }

    /// The container of a trimmed copy of a recording in `format`.
    ///
    /// What FLAC cannot hold without loss (32-bit and floating-point samples, more than eight
    /// channels, a rate above 655350 Hz, that channels are ambisonic) keeps its own container, or
    /// goes into WAV. So does what no copy keeps.
    package func container(for source: AudioFormat) -> TrimmedContainer {
        let fitsFLAC: Bool =
            switch source.encoding {
            case .pcm32, .float32, .float64, .alac32: false
            default:
                source.channels <= 8 && source.sampleRateHertz <= 655_350
                    && source.ambisonic != true
            }
        let isKept = source.encoding.isKeptInCopies && source.container.isWritable
        switch format {
        case .auto where isKept: return .same
        case .auto, .flac:
            if source.container == .flac { return .same }
            if fitsFLAC { return .flac }
            return isKept ? .same : .wav
        case .wav: return source.container == .wav && isKept ? .same : .wav
        }
    }
}
