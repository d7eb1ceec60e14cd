/// What the silence detector went by, a value for every frame of its analysis.
///
/// All arrays are of the same length.
package struct DetectorTrace: Hashable, Sendable {
    /// What scores and thresholds are in.
    package enum Scale: Hashable, Sendable {
        case decibelsAboveFloor
        /// The natural logarithm of the odds that it is speech, a miss being three times as dear as
        /// a false alarm.
        case logOdds
        case dBFS
    }

    package var scale = Scale.decibelsAboveFloor
    package var framesPerSecond: Int
    /// Level of the sound; minus infinity in digital silence.
    package var levelsDBFS: [Float] = []
    /// The noise floor that was followed.
    package var floorsDBFS: [Float] = []
    /// How far the sound stands above that floor, how likely it is speech, or its level: whatever
    /// the detector goes by.
    package var scores: [Float] = []
    /// How high the score of sound is.
    package var thresholds: [Float] = []

    package init(framesPerSecond: Int) {
        self.framesPerSecond = framesPerSecond
    }

    package var frames: Int { levelsDBFS.count }
}
