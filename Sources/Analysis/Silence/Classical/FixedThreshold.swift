import Recordings

/// Finds sound by its level alone, as gates do: for those who know their recordings.
struct FixedThreshold {
    private let track: ActivityTrack
    private let thresholdDBFS: Float
    private let joints: SegmentPostprocessing

    /// - Parameter thresholdDBFS: Level from 78 Hz up, over 32 ms.
    init(_ track: ActivityTrack, _ thresholdDBFS: Double, _ recipe: SilenceRecipe) {
        self.track = track
        self.thresholdDBFS = Float(thresholdDBFS - recipe.sensitivityDecibels)
        joints = SegmentPostprocessing(recipe, frames: track.frames)
    }

    /// The stretches, in order and apart, with a margin on both sides.
    func find() -> [Range<Int>] {
        joints.stretches(of: track.runs { track.levelDBFS(at: $0) > thresholdDBFS })
    }
}
