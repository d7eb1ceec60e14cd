import Recordings

/// Removes sounds shorter than the requested minimum, if that exceeds the length of a word.
///
/// Sounds count as one unless a reportable silence separates them: gaps are filled before short
/// sounds are removed, or a talk with breathing pauses would fall apart. Durations are those of the
/// given frames, with or without margins.
struct ShortestSound {
    private let shortestFrames: Int
    private let shortestSilenceFrames: Int

    /// The minimum length of a single stretch: as requested, but at most a word.
    static func aloneFrames(_ recipe: SilenceRecipe) -> Int {
        let seconds = min(recipe.minimumSoundSeconds, SilenceRecipe().minimumSoundSeconds)
        return Int((seconds * Double(ActivityTrack.framesPerSecond)).rounded())
    }

    /// - Parameter margins: Frames that will be added to each stretch, both sides together.
    init(_ recipe: SilenceRecipe, margins: Int = 0) {
        let rate = Double(ActivityTrack.framesPerSecond)
        shortestFrames = Int((recipe.minimumSoundSeconds * rate).rounded())
        // Rounded up, except for binary rounding errors of the seconds.
        let pause = (recipe.minimumSeconds * rate - 1e-6).rounded(.up)
        shortestSilenceFrames = Int(pause) + margins
    }

    /// The stretches that are long enough; they must be sorted and disjoint.
    /// - Parameter isCutOff: Whether an end of the recording may have cut off a stretch.
    func filter(
        _ stretches: [Range<Int>], isCutOff: (Range<Int>) -> Bool = { _ in false }
    ) -> [Range<Int>] {
        var result: [Range<Int>] = []
        var start = 0
        for (place, stretch) in stretches.enumerated() {
            let next = place + 1
            if next < stretches.count,
                stretches[next].lowerBound - stretch.upperBound < shortestSilenceFrames
            {
                continue
            }
            let whole = stretches[start].lowerBound..<stretch.upperBound
            if whole.count >= shortestFrames || isCutOff(whole) {
                result += stretches[start..<next]
            }
            start = next
        }
        return result
    }
}
