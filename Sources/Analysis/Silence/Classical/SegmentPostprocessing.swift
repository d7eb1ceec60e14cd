import Recordings

/// Turns runs of frames into stretches of sound: joins neighbours, drops short runs, adds margins.
struct SegmentPostprocessing {
    /// Frames of the recording.
    let frames: Int

    private let shortestFrames: Int
    private let asked: ShortestSound

    /// Shorter gaps lie within words and phrases.
    private static let longestGapFrames = 33
    private static let framesBefore = 4
    /// Words fade out more slowly than they start.
    private static let framesAfter = 6

    init(_ recipe: SilenceRecipe, frames: Int) {
        self.frames = frames
        shortestFrames = ShortestSound.aloneFrames(recipe)
        asked = ShortestSound(
            recipe,
            margins: SegmentPostprocessing.framesBefore + SegmentPostprocessing.framesAfter)
    }

    /// Turns sorted, disjoint runs into sorted, disjoint stretches.
    func stretches(of runs: [Range<Int>]) -> [Range<Int>] {
        let phrases = joined(runs, acrossGaps: SegmentPostprocessing.longestGapFrames)
            .filter { $0.count >= shortestFrames }
        return joined(asked.filter(phrases).map(padded), acrossGaps: 0)
    }

    /// Adds margins to runs, and joins runs whose margins meet.
    func withMargins(_ runs: [Range<Int>]) -> [Range<Int>] {
        joined(runs.map(padded), acrossGaps: 0)
    }

    private func padded(_ run: Range<Int>) -> Range<Int> {
        max(
            0, run.lowerBound - SegmentPostprocessing.framesBefore)..<min(
                frames, run.upperBound + SegmentPostprocessing.framesAfter)
    }

    /// Joins runs separated by at most `longestGap` frames.
    private func joined(_ runs: [Range<Int>], acrossGaps longestGap: Int) -> [Range<Int>] {
        var result: [Range<Int>] = []
        for run in runs {
            if let last = result.last, run.lowerBound - last.upperBound <= longestGap {
                result[result.count - 1] =
                    last.lowerBound..<max(last.upperBound, run.upperBound)
            } else {
                result.append(run)
            }
        }
        return result
    }
}
