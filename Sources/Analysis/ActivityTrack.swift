/// What the spectrum of a recording showed, in twenty-five bytes for every 10 ms.
///
/// Frame `i` of the analysis covers the time from `i / 100` s on.
package struct ActivityTrack: Hashable, Sendable {
    /// How far the frame stands above the floor around it, in steps of 0.2 dB from -12 dB on.
    private var scores: [UInt8] = []
    /// Its level from 78 Hz up in hundredths of a decibel, or `digitalSilence`.
    private(set) var levels: [Int16] = []
    /// How far its upper bands stand above their floor, in quarters of a decibel.
    private(set) var highs: [Int8] = []
    /// How strongly its spectrum repeats at the pitch of a voice, from 0 to 1 in 255 steps.
    private(set) var periodicities: [UInt8] = []
    /// How far each of `bandsPerFrame` bands stands above its floor, frame by frame, in steps of
    /// 0.2 dB from -10 dB on; bands beyond the reach of the sample rate are at their floor.
    private(set) var bands: [UInt8] = []
    /// The bands that the sample rate reaches.
    let bandCount: Int

    /// The floor around every tenth frame, all bands together, in hundredths of a decibel.
    private(set) var floors: [Int16] = []

    /// Stands in `levels` for a frame whose samples are all the same.
    static let digitalSilence = Int16.min

    package static let framesPerSecond = 100
    static let bandsPerFrame = 20
    /// Decibels of one step of a band, and what the lowest step stands for.
    static let bandStepDecibels: Float = 0.2
    static let lowestBandDecibels: Float = -10
    private static let lowestScore: Float = -12

    package var frames: Int { levels.count }

    /// An empty track of so many bands; those beyond `bandsPerFrame` are not kept.
    init(bandCount: Int = bandsPerFrame) {
        self.bandCount = min(bandCount, ActivityTrack.bandsPerFrame)
    }

    /// How far a frame stands above the floor around it, in decibels.
    func score(at frame: Int) -> Float {
        Float(scores[frame]) * ActivityTrack.bandStepDecibels + ActivityTrack.lowestScore
    }

    /// Appends a frame whose bands stand so many decibels above their floors.
    mutating func append(score: Float, high: Float, facts: FrameFacts, rises: [Float]) {
        let steps = 1 / ActivityTrack.bandStepDecibels
        scores.append(ActivityTrack.byte((score - ActivityTrack.lowestScore) * steps))
        let isSilence = facts.isDigitalSilence
        levels.append(
            isSilence ? ActivityTrack.digitalSilence : hundredths(facts.levelDBFS))
        highs.append(Int8(max(-127, min(127, (high * 4).rounded()))))
        periodicities.append(ActivityTrack.byte(facts.periodicity * 255))
        let lowest = ActivityTrack.lowestBandDecibels
        for band in 0..<ActivityTrack.bandsPerFrame {
            let rise = isSilence ? lowest : band < bandCount ? rises[band] : 0
            bands.append(ActivityTrack.byte((rise - lowest) * steps))
        }
    }

    /// Notes the floor around the next ten frames.
    mutating func append(floorDBFS: Float) { floors.append(hundredths(floorDBFS)) }

    private func hundredths(_ decibels: Float) -> Int16 {
        Int16(max(-32_000, min(32_000, (decibels * 100).rounded())))
    }

    private static func byte(_ steps: Float) -> UInt8 {
        UInt8(max(0, min(255, steps + 0.5)))
    }
}
