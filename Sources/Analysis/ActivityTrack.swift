/// What the spectrum of a recording showed, in about five bytes for every 10 ms.
///
/// Frame `i` of the analysis covers the time from `i / 100` s on.
package struct ActivityTrack: Hashable, Sendable {
    /// How far the frame stands above the floor around it, in hundredths of a decibel.
    private(set) var scores: [Int16] = []
    /// Its level from 78 Hz up in hundredths of a decibel, or `digitalSilence`.
    private(set) var levels: [Int16] = []
    /// How far its upper bands stand above their floor, in quarters of a decibel.
    private(set) var highs: [Int8] = []

    /// The floor around every tenth frame, all bands together, in hundredths of a decibel.
    private(set) var floors: [Int16] = []

    /// Stands in `levels` for a frame whose samples are all the same.
    static let digitalSilence = Int16.min

    package static let framesPerSecond = 100

    package var frames: Int { scores.count }

    mutating func append(score: Float, levelDBFS: Float, high: Float, isDigitalSilence: Bool) {
        scores.append(hundredths(score))
        levels.append(isDigitalSilence ? ActivityTrack.digitalSilence : hundredths(levelDBFS))
        highs.append(Int8(max(-127, min(127, (high * 4).rounded()))))
    }

    /// Notes the floor around the next ten frames.
    mutating func append(floorDBFS: Float) { floors.append(hundredths(floorDBFS)) }

    private func hundredths(_ decibels: Float) -> Int16 {
        Int16(max(-32_000, min(32_000, (decibels * 100).rounded())))
    }
}
