import Recordings

/// Leaves out what is shorter than sound is asked to be, where that is longer than words are.
///
/// Sounds count as one where no silence lies between them that would be told: gaps are filled
/// before what is short is left out, or a talk with breaths in it would go in pieces. How long they
/// last is counted in the frames that are given, with a margin or without.
struct ShortestSound {
    private let shortestFrames: Int
    private let shortestSilenceFrames: Int

    /// How long each stretch has to be by itself: as asked, and no longer than a word.
    static func aloneFrames(_ recipe: SilenceRecipe) -> Int {
        let seconds = min(recipe.minimumSoundSeconds, SilenceRecipe().minimumSoundSeconds)
        return Int((seconds * Double(ActivityTrack.framesPerSecond)).rounded())
    }

    /// - Parameter margins: Frames that stretches of sound have yet to get on both sides together.
    init(_ recipe: SilenceRecipe, margins: Int = 0) {
        let rate = Double(ActivityTrack.framesPerSecond)
        shortestFrames = Int((recipe.minimumSoundSeconds * rate).rounded())
        // As many frames as it takes, but for what seconds in binary are off.
        let pause = (recipe.minimumSeconds * rate - 1e-6).rounded(.up)
        shortestSilenceFrames = Int(pause) + margins
    }

    /// Those of the stretches, in order and apart, that last.
    /// - Parameter isCutOff: Whether a stretch may have been longer than what was recorded of it.
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
