import Recordings

/// Makes stretches of sound out of runs of frames: joins what belongs together, drops what is too
/// short, and leaves a margin.
struct SegmentPostprocessing {
    /// Frames of the recording.
    let frames: Int

    private let longestGapFrames: Int
    private let shortestFrames: Int
    private let asked: ShortestSound?
    private let marginBefore: Int
    private let marginAfter: Int

    /// Shorter gaps are within words and phrases.
    private static let longestGapFrames = 33
    private static let framesBefore = 4
    /// Words fade away more slowly than they set in.
    private static let framesAfter = 6

    init(_ recipe: SilenceRecipe, frames: Int, _ steps: DetectorSteps = .all) {
        self.frames = frames
        longestGapFrames = steps.contains(.gapFilling) ? SegmentPostprocessing.longestGapFrames : 0
        shortestFrames = steps.contains(.shortest) ? ShortestSound.aloneFrames(recipe) : 0
        marginBefore = steps.contains(.margins) ? SegmentPostprocessing.framesBefore : 0
        marginAfter = steps.contains(.margins) ? SegmentPostprocessing.framesAfter : 0
        asked =
            steps.contains(.shortest)
            ? ShortestSound(recipe, margins: marginBefore + marginAfter) : nil
    }

    /// Runs in order and apart become stretches in order and apart.
    func stretches(of runs: [Range<Int>]) -> [Range<Int>] {
        let phrases = joined(runs, acrossGaps: longestGapFrames)
            .filter { $0.count >= shortestFrames }
        return joined((asked?.filter(phrases) ?? phrases).map(padded), acrossGaps: 0)
    }

    /// Runs with a margin, joined where the margins meet.
    func withMargins(_ runs: [Range<Int>]) -> [Range<Int>] {
        joined(runs.map(padded), acrossGaps: 0)
    }

    private func padded(_ run: Range<Int>) -> Range<Int> {
        max(0, run.lowerBound - marginBefore)..<min(frames, run.upperBound + marginAfter)
    }

    /// Runs become one where no more than so many frames lie between them.
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
