import Recordings

/// Finds sound by its level alone, as gates do: for those who know their recordings.
struct FixedThreshold {
    private let activity: Activity
    private let thresholdDBFS: Float
    private let joints: SoundJoints

    /// - Parameter thresholdDBFS: Level from 78 Hz up, over 32 ms.
    init(_ activity: Activity, _ thresholdDBFS: Double, _ recipe: SilenceRecipe) {
        self.activity = activity
        self.thresholdDBFS = Float(thresholdDBFS - recipe.sensitivityDecibels)
        joints = SoundJoints(recipe, frames: activity.frames)
    }

    /// The stretches, in order and apart, with a margin on both sides.
    func find() -> [Range<Int>] {
        var runs: [Range<Int>] = []
        var start = 0
        for frame in 0...activity.frames where frame == activity.frames || isSilent(frame) {
            if frame > start { runs.append(start..<frame) }
            start = frame + 1
        }
        return joints.stretches(of: runs)
    }

    private func isSilent(_ frame: Int) -> Bool {
        activity.isDigitalSilence(at: frame) || activity.levelDBFS(at: frame) <= thresholdDBFS
    }
}
