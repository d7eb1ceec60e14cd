import Jobs
import Recordings
import TestSupport
import Testing

@Suite struct CutPlannerTests {
    /// Ten seconds at a thousand frames a second, so that a frame is a millisecond.
    private func plan(
        _ intervals: [[Double]], mode: TrimRecipe.Mode = .edges, keep: Double = 0.2,
        gap: Double? = 1, share: Double? = nil, fade: Double = 5, separable: Bool = true,
        silent: Bool = false
    ) -> CutPlanner.Plan {
        var recipe = TrimRecipe()
        recipe.mode = mode
        recipe.keepSilenceSeconds = keep
        recipe.longestGapSeconds = gap
        recipe.keptGapShare = share
        recipe.fadeMilliseconds = fade
        return CutPlanner.plan(
            silence: Example.silence(intervals, separable: separable, silent: silent),
            format: Example.format(), recipe: recipe)
    }

    private func keeping(_ ranges: Range<Int64>...) -> CutPlanner.Plan {
        .cut(EditList(keeping: ranges, of: 10_000))
    }

    @Test func edgesAreCutUpToThePadding() {
        #expect(plan([[0, 1], [8.5, 10]]) == keeping(800..<8_700))
        #expect(plan([[0, 1]]) == keeping(800..<10_000))
        #expect(plan([[8.5, 10]]) == keeping(0..<8_700))
        #expect(plan([[0, 1]], keep: 0, fade: 0) == keeping(1_000..<10_000))
    }

    @Test func innerSilencesAreKeptInEdgesMode() {
        #expect(plan([[4, 7]]) == .keepWhole(.nothingToCut))
        #expect(plan([[0, 1], [4, 7]]) == keeping(800..<10_000))
    }

    @Test func gapsAreCutFromTheirMiddle() {
        #expect(plan([[4, 7]], mode: .gaps) == keeping(0..<4_500, 6_500..<10_000))
        #expect(
            plan([[0, 1], [4, 7], [9, 10]], mode: .gaps)
                == keeping(800..<4_500, 6_500..<9_200))
    }

    @Test func gapWithinTheLimitIsKept() {
        #expect(plan([[4, 5]], mode: .gaps) == .keepWhole(.nothingToCut))
        #expect(plan([[4, 5.04]], mode: .gaps) == .keepWhole(.nothingToCut))
        #expect(plan([[4, 5.05]], mode: .gaps) == keeping(0..<4_500, 4_550..<10_000))
    }

    @Test func gapLengthIgnoresThePadding() {
        #expect(
            plan([[4, 6]], mode: .gaps, keep: 0.3, gap: 0.1)
                == keeping(0..<4_050, 5_950..<10_000))
    }

    @Test func gapsKeepTheRequestedShare() {
        func shrunk(_ intervals: [[Double]], to share: Double) -> CutPlanner.Plan {
            plan(intervals, mode: .gaps, gap: nil, share: share)
        }
        #expect(shrunk([[4, 7]], to: 0.5) == keeping(0..<4_750, 6_250..<10_000))
        #expect(
            shrunk([[2, 3], [4, 8]], to: 0.25)
                == keeping(0..<2_125, 2_875..<4_500, 7_500..<10_000))
        #expect(shrunk([[4, 7]], to: 1) == .keepWhole(.nothingToCut))
        #expect(shrunk([[0, 1], [4, 7]], to: 1) == keeping(800..<10_000))
        #expect(plan([[4, 7]], mode: .edges, share: 0.5) == .keepWhole(.nothingToCut))
    }

    @Test func shorterOfShareAndLongestGapApplies() {
        func plan(_ intervals: [[Double]]) -> CutPlanner.Plan {
            self.plan(intervals, mode: .gaps, gap: 1, share: 0.5)
        }
        #expect(plan([[4, 8]]) == keeping(0..<4_500, 7_500..<10_000))
        #expect(plan([[4, 5]]) == keeping(0..<4_250, 4_750..<10_000))
    }

    @Test func silenceForFadesIsAlwaysKept() {
        #expect(
            plan([[0, 1], [4, 6], [9, 10]], mode: .gaps, keep: 0, gap: 0, fade: 50)
                == keeping(950..<4_050, 5_950..<9_050))
        #expect(
            plan([[4, 6]], mode: .gaps, gap: nil, share: 0, fade: 50)
                == keeping(0..<4_050, 5_950..<10_000))
        // A gap that is no longer than its two fades stays.
        #expect(plan([[4, 6]], mode: .gaps, gap: 0, fade: 1_000) == .keepWhole(.nothingToCut))
    }

    /// Ten milliseconds are one sample there: whatever was said of silence is not believed.
    @Test func lowSampleRateRecordingIsKeptWhole() {
        var format = Example.format()
        for (rate, isTooSlow) in [(999, true), (100, true), (1000, false)] {
            format.sampleRateHertz = rate
            format.frames = Int64(10 * rate)
            let plan = CutPlanner.plan(
                silence: Example.silence([[0, 4]]), format: format, recipe: TrimRecipe())
            #expect((plan == .keepWhole(.sampleRateTooLow)) == isTooSlow, "\(rate)")
        }
    }

    @Test func uncutRecordingHasAReason() {
        #expect(plan([[0, 1]], mode: .off) == .keepWhole(.off))
        #expect(plan([[0, 1]], silent: true) == .keepWhole(.silent))
        #expect(plan([[0, 1]], separable: false) == .keepWhole(.notSeparable))
        #expect(plan([]) == .keepWhole(.nothingToCut))
        #expect(plan([[0, 0.2]]) == .keepWhole(.nothingToCut))
        // What was not asked for is said before what would not have been possible.
        #expect(plan([[0, 10]], mode: .off, silent: true) == .keepWhole(.off))
        #expect(plan([[0, 10]], separable: false, silent: true) == .keepWhole(.silent))
    }

    @Test func lowConfidenceRecordingIsKeptWhole() {
        func plan(_ confidence: Double?, least: Double?) -> CutPlanner.Plan {
            var silence = Example.silence()
            silence.confidence = confidence
            var recipe = TrimRecipe()
            recipe.minimumConfidence = least
            return CutPlanner.plan(silence: silence, format: Example.format(), recipe: recipe)
        }
        #expect(plan(0.69, least: 0.7) == .keepWhole(.lowConfidence))
        for cut in [plan(0.7, least: 0.7), plan(0.1, least: nil), plan(nil, least: 1)] {
            #expect(cut == keeping(750..<10_000))
        }
    }

    @Test func cutsBelowFiftyMillisecondsAreSkipped() {
        #expect(plan([[0, 0.249]]) == .keepWhole(.nothingToCut))
        #expect(plan([[0, 0.25]]) == keeping(50..<10_000))
    }

    @Test func entirelySilentRecordingIsKeptWhole() {
        #expect(plan([[0, 10]]) == .keepWhole(.silent))
        #expect(plan([[0, 4], [4, 10]], keep: 0) == .keepWhole(.silent))
    }

    @Test func silencePastTheLastFrameIsClipped() {
        #expect(plan([[9, 12]]) == keeping(0..<9_200))
        #expect(plan([[11, 12]]) == .keepWhole(.nothingToCut))
    }

    @Test func trailingCutIsExactAtEverySampleRate() {
        for rate in [8_000, 11_025, 22_050, 44_100, 48_000, 96_000, 192_000] {
            let format = AudioFormat(
                container: .wav, encoding: .pcm16, sampleRateHertz: rate, channels: 1,
                frames: Int64(rate) * 7 + 1)
            let start = Double(rate * 5 + 1).seconds(atRate: rate)
            let silence = Example.silence([[start, format.durationSeconds]])
            let plan = CutPlanner.plan(silence: silence, format: format, recipe: TrimRecipe())
            let end = Int64(rate * 5 + 1) + Int64((0.25 * Double(rate)).rounded())
            #expect(plan == .cut(EditList(keeping: [0..<end], of: format.frames)))
        }
    }
}

// MARK: - Whatever the silences

extension CutPlannerTests {
    /// A recording that alternates between sound and silence, in whole frames.
    struct Alternation: Sendable {
        var format: AudioFormat
        var silences: [Range<Int64>]
        var recipe: TrimRecipe

        init(seed: UInt64) {
            var random = SeededGenerator(seed: seed)
            let rate = random.pick([8_000, 44_100, 48_000])
            let stretches = Int.random(in: 1...9, using: &random)
            var isSilent = Bool.random(using: &random)
            var position: Int64 = 0
            silences = []
            for _ in 0..<stretches {
                let length = Int64.random(in: 1...Int64(3 * rate), using: &random)
                if isSilent { silences.append(position..<(position + length)) }
                position += length
                isSilent.toggle()
            }
            format = AudioFormat(
                container: .wav, encoding: .pcm16, sampleRateHertz: rate, channels: 1,
                frames: position)
            recipe = TrimRecipe()
            recipe.mode = random.pick([.edges, .gaps])
            recipe.keepSilenceSeconds = random.pick([0, 0.05, 0.2, 1])
            recipe.longestGapSeconds = random.pick([0, 0.1, 0.5, 2])
            recipe.keptGapShare = random.pick([nil, 0, 0.3, 0.5, 1])
            if recipe.keptGapShare != nil, random.chance(percent: 50) {
                recipe.longestGapSeconds = nil
            }
            recipe.fadeMilliseconds = random.pick([0, 5, 40, 300])
        }

        var plan: CutPlanner.Plan {
            let intervals = silences.map { silence in
                [silence.lowerBound, silence.upperBound]
                    .map { Double($0).seconds(atRate: format.sampleRateHertz) }
            }
            return CutPlanner.plan(
                silence: Example.silence(intervals), format: format, recipe: recipe)
        }
    }

    @Test func editsAscendAndRemoveOnlySilence() {
        for seed in 0..<2_000 as Range<UInt64> {
            let recording = Alternation(seed: seed)
            guard case .cut(let list) = recording.plan else { continue }
            let sentence = violation(of: list, recording)
            #expect(sentence == nil, "seed \(seed): \(sentence ?? "")")
        }
    }

    private func violation(of list: EditList, _ recording: Alternation) -> String? {
        let frames = recording.format.frames
        var removed: [Range<Int64>] = []
        var position: Int64 = 0
        var trimmed: Int64 = 0
        for (index, edit) in list.edits.enumerated() {
            let first = edit.sourceFrames[0]
            if edit.frames <= 0 { return "an edit is empty" }
            if index > 0, first <= position { return "edits touch or go back" }
            if edit.trimmedFrame != trimmed { return "an edit begins at the wrong frame" }
            if first > position { removed.append(position..<first) }
            position = edit.sourceFrames[1]
            trimmed += edit.frames
        }
        if position > frames { return "an edit reaches beyond the end" }
        if position < frames { removed.append(position..<frames) }
        if list.trimmedFrameCount != trimmed { return "the sum of the edits is wrong" }
        if list.sourceFrameCount != frames { return "the source's length is wrong" }
        if removed.isEmpty { return "nothing was cut, yet a copy is asked for" }
        return removed.lazy.compactMap { violation(ofCut: $0, recording) }.first
    }

    private func violation(ofCut cut: Range<Int64>, _ recording: Alternation) -> String? {
        let rate = Double(recording.format.sampleRateHertz)
        let fade = Int64((recording.recipe.fadeMilliseconds / 1000 * rate).rounded())
        let padding = max(
            fade, Int64((recording.recipe.keepSilenceSeconds * rate).rounded()))
        guard
            let silence = recording.silences.first(where: {
                $0.lowerBound <= cut.lowerBound && cut.upperBound <= $0.upperBound
            })
        else { return "\(cut) holds sound" }
        let isLeading = silence.lowerBound == 0
        let isTrailing = silence.upperBound == recording.format.frames
        if !isLeading, !isTrailing {
            if recording.recipe.mode == .edges { return "\(cut) is no edge" }
            let longest = (recording.recipe.longestGapSeconds ?? .infinity) * rate
            let share = (recording.recipe.keptGapShare ?? 1) * Double(silence.count)
            let left = silence.count - cut.count
            let sides = [cut.lowerBound - silence.lowerBound, silence.upperBound - cut.upperBound]
            if sides.contains(where: { $0 < fade }) { return "a fade at \(cut) reaches into sound" }
            let wanted = max(min(longest, share).rounded(), Double(2 * fade))
            return Double(left) == wanted ? nil : "\(cut) leaves \(left) frames of a gap"
        }
        if !isLeading, cut.lowerBound - silence.lowerBound < padding {
            return "\(cut) eats the padding behind sound"
        }
        if !isTrailing, silence.upperBound - cut.upperBound < padding {
            return "\(cut) eats the padding before sound"
        }
        return nil
    }
}
