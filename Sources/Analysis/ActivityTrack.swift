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

/// What the spectrum of a recording showed, in some ten bytes for every 10 ms; with what the speech
/// network is shown in thirty-two.
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
    /// The floor around every tenth frame, all bands together.
    private(set) var floors: [Int16] = []

    /// How far each of `bandsPerFrame` bands stands above its floor, frame by frame, in steps of
    /// 0.2 dB from -10 dB on; bands beyond the reach of the sample rate are at their floor.
    ///
    /// These and `bandHighs` are empty where they are not kept.
    private(set) var bands: [UInt8] = []
    /// How far the upper bands stand above that floor, in quarters of a decibel.
    private(set) var bandHighs: [Int8] = []
    /// The bands that the sample rate reaches.
    let bandCount: Int
    /// Whether each band is kept, for the speech network.
    let keepsBands: Bool

    /// Stands in `levels` for a frame whose samples are all the same.
    static let digitalSilence = Int16.min

    package static let framesPerSecond = 100
    static let bandsPerFrame = 20
    /// Decibels of one step of a band, and what the lowest step stands for.
    static let bandStepDecibels: Float = 0.2
    static let lowestBandDecibels: Float = -10

    package var frames: Int { rises.count }

    /// An empty track of so many bands; those beyond `bandsPerFrame` are not kept.
    init(bandCount: Int = bandsPerFrame, keepsBands: Bool = false) {
        self.bandCount = min(bandCount, ActivityTrack.bandsPerFrame)
        self.keepsBands = keepsBands
    }

    mutating func append(_ frame: TrackFrame) {
        rises.append(hundredths(frame.rise))
        voiceRises.append(hundredths(frame.voiceRise))
        voiceLevels.append(hundredths(frame.voiceDBFS))
        levels.append(hundredths(frame.levelDBFS))
        highRises.append(ActivityTrack.quarters(frame.highRise))
        periodicities.append(Int8(max(-100, min(100, (frame.periodicity * 100).rounded()))))
    }

    mutating func appendDigitalSilence() {
        append(
            TrackFrame(
                rise: 0, voiceRise: 0, voiceDBFS: -100, levelDBFS: -100, highRise: 0,
                periodicity: 0))
        levels[levels.count - 1] = ActivityTrack.digitalSilence
    }

    /// Keeps how far the bands of the frame that was appended last stand above their floors, and
    /// the upper ones together; `nil` in digital silence.
    mutating func append(bandRises rises: [Float]?, high: Float) {
        let steps = 1 / ActivityTrack.bandStepDecibels
        let lowest = ActivityTrack.lowestBandDecibels
        for band in 0..<ActivityTrack.bandsPerFrame {
            let rise = rises.map { band < bandCount ? $0[band] : 0 } ?? lowest
            bands.append(ActivityTrack.byte((rise - lowest) * steps))
        }
        bandHighs.append(ActivityTrack.quarters(high))
    }

    /// Notes the floor around the next ten frames.
    mutating func append(floorDBFS: Float) { floors.append(hundredths(floorDBFS)) }

    private static func quarters(_ decibels: Float) -> Int8 {
        Int8(max(-127, min(127, (decibels * 4).rounded())))
    }

    private func hundredths(_ decibels: Float) -> Int16 {
        Int16(max(-32_000, min(32_000, (decibels * 100).rounded())))
    }

    private static func byte(_ steps: Float) -> UInt8 {
        UInt8(max(0, min(255, steps + 0.5)))
    }
}
