import CLanes

/// The features of one 10 ms frame that is not digital silence; in decibels.
struct TrackFrame {
    /// The rise of its bands above their floors.
    var rise: Float
    /// The rise of the voice bands together above their floor.
    var voiceRise: Float
    /// The level of the voice bands.
    var voiceDBFS: Float
    /// The level from 78 Hz up.
    var levelDBFS: Float
    /// The rise of its upper bands above their floors.
    var highRise: Float
    /// The periodicity of the spectrum at voice pitch, about 0 to 1.
    var periodicity: Float
}

/// The spectral features of a recording, in 12 bytes per 10 ms, or 24 with the speech network's
/// inputs.
///
/// Frame `i` covers the time from `i / 100` s on. Decibels are stored in hundredths.
package struct ActivityTrack: Hashable, Sendable {
    /// Levels from 78 Hz up, or `digitalSilence`.
    private var levels: [Int16] = []
    /// In hundredths.
    private var periodicities: [Int8] = []
    /// The rise of the upper bands above their floors, in quarters of a decibel.
    private var highRises: [Int8] = []
    /// The floor of all bands together, at every tenth frame.
    private var floors: [Int16] = []

    // The rise of all bands and of the voice bands above their floors, and the voice level; empty
    // if the bands are kept.
    //
    // Also the floor of each of `reachedBands` bands at every tenth frame, in whole decibels above
    // `lowestFloorDBFS`.
    private(set) var rises: [Int16] = []
    private(set) var voiceRises: [Int16] = []
    private(set) var voiceLevels: [Int16] = []
    private(set) var bandFloors: [UInt8] = []

    /// The rise of each of `bandsPerFrame` bands above its floor, by frame, in steps of 0.2 dB from
    /// -10 dB up; bands above the sample rate's limit are at their floor.
    ///
    /// Empty if bands are not kept.
    private(set) var bands: [UInt8] = []
    /// The number of kept bands within the sample rate.
    let bandCount: Int
    /// The number of bands within the sample rate, including the one above all others.
    let reachedBands: Int
    /// Whether bands are kept, for the speech network.
    let keepsBands: Bool

    /// The value in `levels` of a frame whose samples are all equal.
    private static let digitalSilence = Int16.min

    package static let framesPerSecond = 100
    /// Frames per recorded floor, which is usually that of the first of them.
    static let framesPerFloor = 10
    static let bandsPerFrame = 20
    static let lowestFloorDBFS: Float = -160
    /// The step of a band at its floor.
    private static let noRise = UInt8(-lowestBandDecibels / bandStepDecibels)
    /// The decibels of one step of a band, and the value of the lowest step.
    static let bandStepDecibels: Float = 0.2
    static let lowestBandDecibels: Float = -10
    static let highestBandDecibels = lowestBandDecibels + bandStepDecibels * Float(UInt8.max)

    package var frames: Int { levels.count }

    /// An empty track of `bandCount` bands; those beyond `bandsPerFrame` are not kept.
    init(bandCount: Int = bandsPerFrame, keepsBands: Bool = false) {
        self.bandCount = min(bandCount, ActivityTrack.bandsPerFrame)
        reachedBands = bandCount
        self.keepsBands = keepsBands
    }
}

// MARK: - Frames

extension ActivityTrack {
    /// Whether all samples of a frame are equal.
    func isDigitalSilence(at frame: Int) -> Bool { levels[frame] == ActivityTrack.digitalSilence }

    /// Whether any frame is not digital silence.
    var hasSound: Bool { levels.contains { $0 != ActivityTrack.digitalSilence } }

    /// The level of a frame from 78 Hz up; undefined in digital silence.
    func levelDBFS(at frame: Int) -> Float { Float(levels[frame]) / 100 }

    /// The frames without digital silence at either end; empty if there is no sound.
    var soundingFrames: Range<Int> {
        guard let first = levels.firstIndex(where: { $0 != ActivityTrack.digitalSilence }),
            let last = levels.lastIndex(where: { $0 != ActivityTrack.digitalSilence })
        else { return 0..<0 }
        return first..<last + 1
    }

    /// A copy of some frames, from a track without kept bands.
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
        // Floors change slowly, so each tenth of the part uses the floor at its first frame.
        for frame in stride(
            from: range.lowerBound, to: range.upperBound, by: ActivityTrack.framesPerFloor)
        {
            let tenth = frame / ActivityTrack.framesPerFloor
            part.floors.append(floors[tenth])
            part.bandFloors += bandFloors[tenth * reachedBands..<(tenth + 1) * reachedBands]
        }
        return part
    }

    /// The maximal runs of frames that are not digital silence and satisfy a condition.
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

    /// The levels of the frames that are not digital silence.
    func levelHistogram(_ range: Range<Int>) -> DecibelHistogram {
        var histogram = DecibelHistogram.ofLevels
        for frame in range where !isDigitalSilence(at: frame) {
            histogram.add(levelDBFS(at: frame))
        }
        return histogram
    }

    /// The floor at a frame, all bands together.
    func floorDBFS(at frame: Int) -> Float {
        Float(floors[frame / ActivityTrack.framesPerFloor]) / 100
    }

    /// The periodicity of a frame at voice pitch, about 0 to 1.
    func periodicity(at frame: Int) -> Float { Float(periodicities[frame]) / 100 }

    /// The rise of a frame's upper bands above their floors, in decibels.
    func highRise(at frame: Int) -> Float { Float(highRises[frame]) / 4 }
}

// MARK: - Growing

extension ActivityTrack {
    /// Reserves memory for `frames` frames.
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

    /// Appends a frame without its bands, which are appended separately if kept.
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

    /// Appends the bands of some frames to a track that keeps them: the rise of each above its
    /// floor, ignored in digital silence.
    ///
    /// The frames themselves must follow, one by one.
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

    /// Appends a frame of digital silence, whose bands may already be appended.
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

    /// Records the floor at the next frame for its tenth of a second, replacing an earlier one: of
    /// all bands together, and of each.
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
