import Recordings

/// Finds sound by its level alone, as gates do: for those who know their recordings.
struct FixedThreshold {
    private let track: ActivityTrack
    private let thresholdDBFS: Float
    private let joints: SoundJoints

    /// - Parameter thresholdDBFS: Level from 78 Hz up, over 32 ms.
    init(_ track: ActivityTrack, _ thresholdDBFS: Double, _ recipe: SilenceRecipe) {
        self.track = track
        self.thresholdDBFS = Float(thresholdDBFS - recipe.sensitivityDecibels)
        joints = SoundJoints(recipe, frames: track.frames)
    }

    /// The stretches, in order and apart, with a margin on both sides.
    func find() -> [Range<Int>] {
        var runs: [Range<Int>] = []
        var start = 0
        for frame in 0...track.frames where frame == track.frames || isSilent(frame) {
            if frame > start { runs.append(start..<frame) }
            start = frame + 1
        }
        return joints.stretches(of: runs)
    }

    private func isSilent(_ frame: Int) -> Bool {
        track.isDigitalSilence(at: frame) || track.levelDBFS(at: frame) <= thresholdDBFS
    }
}
