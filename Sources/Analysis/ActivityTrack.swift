/// What one frame of 10 ms that is not digital silence showed; decibels.
struct TrackFrame {
    /// How far its bands stand above their floors.
    var rise: Float
    /// How far the bands of voices together stand above their floor.
    var voiceRise: Float
    /// Level of the bands of voices.
    var voiceDBFS: Float
    /// Level from 78 Hz up.
    var levelDBFS: Float
    /// How far its upper bands stand above their floors.
    var highRise: Float
    /// How much of the spectrum repeats at the pitch of a voice, about 0 to 1.
    var periodicity: Float
}

/// What the spectrum of a recording showed, in ten bytes for every 10 ms.
///
/// Frame `i` of the analysis covers the time from `i / 100` s on. Decibels are in hundredths.
package struct ActivityTrack: Hashable, Sendable {
    private(set) var rises: [Int16] = []
    private(set) var voiceRises: [Int16] = []
    private(set) var voiceLevels: [Int16] = []
    /// Levels from 78 Hz up, or `digitalSilence`.
    private(set) var levels: [Int16] = []
    /// In quarters of a decibel.
    private(set) var highRises: [Int8] = []
    /// In hundredths.
    private(set) var periodicities: [Int8] = []

    /// Stands in `levels` for a frame whose samples are all the same.
    static let digitalSilence = Int16.min

    package static let framesPerSecond = 100

    package var frames: Int { rises.count }

    mutating func append(_ frame: TrackFrame) {
        rises.append(hundredths(frame.rise))
        voiceRises.append(hundredths(frame.voiceRise))
        voiceLevels.append(hundredths(frame.voiceDBFS))
        levels.append(hundredths(frame.levelDBFS))
        highRises.append(Int8(max(-127, min(127, (frame.highRise * 4).rounded()))))
        periodicities.append(Int8(max(-100, min(100, (frame.periodicity * 100).rounded()))))
    }

    mutating func appendDigitalSilence() {
        append(
            TrackFrame(
                rise: 0, voiceRise: 0, voiceDBFS: -100, levelDBFS: -100, highRise: 0,
                periodicity: 0))
        levels[levels.count - 1] = ActivityTrack.digitalSilence
    }

    private func hundredths(_ decibels: Float) -> Int16 {
        Int16(max(-32_000, min(32_000, (decibels * 100).rounded())))
    }
}
