import CLanes

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

/// What the spectrum of a recording showed, in twelve bytes for every 10 ms, or in twenty-four
/// where it is what the speech network is shown.
///
/// Frame `i` of the analysis covers the time from `i / 100` s on. Decibels are in hundredths.
package struct ActivityTrack: Hashable, Sendable {
    /// Levels from 78 Hz up, or `digitalSilence`.
    private var levels: [Int16] = []
    /// In hundredths.
    private var periodicities: [Int8] = []
    /// How far the upper bands stand above their floors, in quarters of a decibel.
    private var highRises: [Int8] = []
    /// The floor around every tenth frame, all bands together.
    private var floors: [Int16] = []

    // How far all bands, and those of voices, stand above their floors, and the level of the
    // latter; empty where the bands are kept.
    //
    // And the floor of each of `reachedBands` bands around every tenth frame, in whole decibels
    // over `lowestFloorDBFS`.
    private(set) var rises: [Int16] = []
    private(set) var voiceRises: [Int16] = []
    private(set) var voiceLevels: [Int16] = []
    private(set) var bandFloors: [UInt8] = []

    /// How far each of `bandsPerFrame` bands stands above its floor, frame by frame, in steps of
    /// 0.2 dB from -10 dB on; bands beyond the reach of the sample rate are at their floor.
    ///
    /// Empty where they are not kept.
    private(set) var bands: [UInt8] = []
    /// The bands that the sample rate reaches, of those that are kept.
    let bandCount: Int
    /// The bands that it reaches, the one above all others included.
    let reachedBands: Int
    /// Whether each band is kept, for the speech network.
    let keepsBands: Bool

    /// Stands in `levels` for a frame whose samples are all the same.
    private static let digitalSilence = Int16.min

    package static let framesPerSecond = 100
    /// The floor is noted once for so many frames, as a rule at the first of them.
    static let framesPerFloor = 10
    static let bandsPerFrame = 20
    static let lowestFloorDBFS: Float = -160
    /// The step that stands for a band at its floor.
    private static let noRise = UInt8(-lowestBandDecibels / bandStepDecibels)
    /// Decibels of one step of a band, and what the lowest step stands for.
    static let bandStepDecibels: Float = 0.2
    static let lowestBandDecibels: Float = -10
    static let highestBandDecibels = lowestBandDecibels + bandStepDecibels * Float(UInt8.max)

    package var frames: Int { levels.count }

    /// An empty track of so many bands; those beyond `bandsPerFrame` are not kept.
    init(bandCount: Int = bandsPerFrame, keepsBands: Bool = false) {
        self.bandCount = min(bandCount, ActivityTrack.bandsPerFrame)
        reachedBands = bandCount
        self.keepsBands = keepsBands
    }
}

// MARK: - Frames

extension ActivityTrack {
    /// Whether all samples of a frame are the same.
    func isDigitalSilence(at frame: Int) -> Bool { levels[frame] == ActivityTrack.digitalSilence }

    /// Whether there is anything but digital silence.
    var hasSound: Bool { levels.contains { $0 != ActivityTrack.digitalSilence } }

    /// Level of a frame from 78 Hz up; means nothing in digital silence.
    func levelDBFS(at frame: Int) -> Float { Float(levels[frame]) / 100 }

    /// The frames without the digital silence at either end; empty where there is no sound.
    var soundingFrames: Range<Int> {
        guard let first = levels.firstIndex(where: { $0 != ActivityTrack.digitalSilence }),
            let last = levels.lastIndex(where: { $0 != ActivityTrack.digitalSilence })
        else { return 0..<0 }
        return first..<last + 1
    }

    /// Some frames alone, of a track that does not keep its bands; a copy.
    func part(_ range: Range<Int>) -> ActivityTrack {
        if range == 0..<frames { return self }
        precondition(!keepsBands, "what is heard with its bands is not copied")
        var part = ActivityTrack(bandCount: reachedBands)
        part.levels = Array(levels[range])
        part.periodicities = Array(periodicities[range])
        part.highRises = Array(highRises[range])
        part.rises = Array(rises[range])
        part.voiceRises = Array(voiceRises[range])
        part.voiceLevels = Array(voiceLevels[range])
        // Floors change slowly: those of the tenths in which the tenths of the part begin will do.
        for frame in stride(
            from: range.lowerBound, to: range.upperBound, by: ActivityTrack.framesPerFloor)
        {
            let tenth = frame / ActivityTrack.framesPerFloor
            part.floors.append(floors[tenth])
            part.bandFloors += bandFloors[tenth * reachedBands..<(tenth + 1) * reachedBands]
        }
        return part
    }

    /// The runs of frames, none of them part of a longer one, that are not digital silence and of
    /// which a condition holds.
    func runs(where holds: (Int) -> Bool = { _ in true }) -> [Range<Int>] {
        var result: [Range<Int>] = []
        var start = 0
        for frame in 0...frames
        where frame == frames || isDigitalSilence(at: frame) || !holds(frame) {
            if frame > start { result.append(start..<frame) }
            start = frame + 1
        }
        return result
    }

    /// The levels of those frames that are not digital silence.
    func levelHistogram(_ range: Range<Int>) -> DecibelHistogram {
        var histogram = DecibelHistogram.ofLevels
        for frame in range where !isDigitalSilence(at: frame) {
            histogram.add(levelDBFS(at: frame))
        }
        return histogram
    }

    /// The floor around a frame, all bands together.
    func floorDBFS(at frame: Int) -> Float {
        Float(floors[frame / ActivityTrack.framesPerFloor]) / 100
    }

    /// How much of the spectrum of a frame repeats at the pitch of a voice, about 0 to 1.
    func periodicity(at frame: Int) -> Float { Float(periodicities[frame]) / 100 }

    /// How far the upper bands of a frame stand above their floors, in decibels.
    func highRise(at frame: Int) -> Float { Float(highRises[frame]) / 4 }
}

// MARK: - Growing

extension ActivityTrack {
    /// Makes room for so many frames.
    mutating func reserve(_ frames: Int) {
        levels.reserveCapacity(frames)
        periodicities.reserveCapacity(frames)
        highRises.reserveCapacity(frames)
        if keepsBands {
            bands.reserveCapacity(frames * ActivityTrack.bandsPerFrame)
        } else {
            rises.reserveCapacity(frames)
            voiceRises.reserveCapacity(frames)
            voiceLevels.reserveCapacity(frames)
        }
    }

    /// Appends a frame, but for its bands where they are kept.
    mutating func append(_ frame: TrackFrame) {
        if !keepsBands {
            rises.append(hundredths(frame.rise))
            voiceRises.append(hundredths(frame.voiceRise))
            voiceLevels.append(hundredths(frame.voiceDBFS))
        }
        levels.append(hundredths(frame.levelDBFS))
        highRises.append(Int8(Decibels.rounded(max(-127, min(127, frame.highRise * 4)))))
        periodicities.append(Int8(Decibels.rounded(max(-100, min(100, frame.periodicity * 100)))))
    }

    /// Appends the bands of some frames, of a track that keeps them: how far each stands above its
    /// floor, and nothing in digital silence.
    ///
    /// The frames themselves are to follow, one by one.
    mutating func append(bandRises rows: ArraySlice<BandRow>, areSilent: ArraySlice<Bool>) {
        let start = bands.count
        let width = ActivityTrack.bandsPerFrame
        bands.append(contentsOf: repeatElement(0, count: rows.count * width))
        bands.withUnsafeMutableBufferPointer { bands in
            rows.withUnsafeLanes {
                guard let first = bands.baseAddress else { return }
                lanes_narrow_rows(
                    $0, rows.count, width, ActivityTrack.lowestBandDecibels,
                    1 / ActivityTrack.bandStepDecibels, first + start)
            }
        }
        let noRise = ActivityTrack.noRise
        for (place, isSilent) in areSilent.enumerated() where isSilent || bandCount < width {
            let first = start + place * width
            for band in (isSilent ? 0 : bandCount)..<width {
                bands[first + band] = isSilent ? 0 : noRise
            }
        }
    }

    /// Appends a frame of digital silence, whose bands may be there.
    mutating func appendDigitalSilence() {
        if keepsBands {
            let lacking = (frames + 1) * ActivityTrack.bandsPerFrame - bands.count
            bands.append(contentsOf: repeatElement(0, count: max(0, lacking)))
        }
        append(
            TrackFrame(
                rise: 0, voiceRise: 0, voiceDBFS: -100, levelDBFS: 0, highRise: 0, periodicity: 0))
        levels[levels.count - 1] = ActivityTrack.digitalSilence
    }

    /// Notes the floor at the next frame as that of its tenth of a second, in place of what was
    /// noted of it before: all bands together, and each.
    mutating func note(floorDBFS: Float, bandFloors row: BandRow) {
        if floors.count * ActivityTrack.framesPerFloor > frames {
            floors.removeLast()
            bandFloors.removeLast(keepsBands ? 0 : reachedBands)
        }
        floors.append(hundredths(floorDBFS))
        guard !keepsBands else { return }
        row.appendBytes(
            count: reachedBands, lowest: ActivityTrack.lowestFloorDBFS, unitsPerDecibel: 1,
            to: &bandFloors)
    }

    private func hundredths(_ decibels: Float) -> Int16 {
        Int16(Decibels.rounded(max(-32_000, min(32_000, decibels * 100))))
    }
}
