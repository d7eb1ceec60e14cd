/// What the silence detector went by, a value for every frame of its analysis.
///
/// All arrays are of the same length.
package struct DetectorTrace: Hashable, Sendable {
    package var framesPerSecond: Int
    /// Level of the sound; minus infinity in digital silence.
    package var levelsDBFS: [Float] = []
    /// The noise floor that was followed; minus infinity where there is none to follow.
    package var floorsDBFS: [Float] = []
    /// How far the sound stands above that floor, in decibels, as the detector weighs it.
    package var scores: [Float] = []
    /// How far it must stand above the floor to be sound, in decibels.
    package var thresholds: [Float] = []

    package init(framesPerSecond: Int) {
        self.framesPerSecond = framesPerSecond
    }

    package var frames: Int { levelsDBFS.count }
}
