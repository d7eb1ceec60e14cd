/// The silence detector's inputs and thresholds, one value per analysis frame.
///
/// All arrays have the same length.
package struct DetectorTrace: Hashable, Sendable {
    /// The unit of scores and thresholds.
    package enum Scale: Hashable, Sendable {
        case decibelsAboveFloor
        /// Natural-log odds of speech; missing speech costs three times as much as a false alarm.
        case logOdds
        case dBFS
    }

    package var scale = Scale.decibelsAboveFloor
    package var framesPerSecond: Int
    /// Signal level; minus infinity in digital silence.
    package var levelsDBFS: [Float] = []
    /// The tracked noise floor.
    package var floorsDBFS: [Float] = []
    /// What the detector thresholds: height above the floor, log odds of speech, or level.
    package var scores: [Float] = []
    /// The score from which a frame counts as sound.
    package var thresholds: [Float] = []

    package init(framesPerSecond: Int) {
        self.framesPerSecond = framesPerSecond
    }

    package var frames: Int { levelsDBFS.count }
}
