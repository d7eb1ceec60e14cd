import CLanes

/// Builds the track of a recording: scores each frame by how far it stands above the noise floor.
///
/// Frames wait about 5.5 seconds for their floor, the first ones ten, and up to 2.5 for a batch.
struct TrackBuilder {
    private(set) var track: ActivityTrack

    /// The weight of each lane in the mean of all bands, and in that of the upper ones, which
    /// detect fricatives.
    private let shares: [BandRow]
    /// Factors for the decibels of these power means; zero without lanes.
    private let scales: SIMD2<Float>
    /// The number of bands.
    private let bandCount: Int

    private var floors: NoiseFloor
    /// Frames that wait for their floor, numbered from `first` on.
    private var waiting = WaitingFrames()
    private var first = 0
    /// The number of waiting frames whose levels were passed to the floors.
    private var handed = 0
    /// Frames of digital silence since the last other frame.
    private var silentFrames = 0
    /// The first frame that is not digital silence.
    private var begin: Int?

    /// The rise of each lane above its floor for a batch of frames, and the power means of all
    /// bands and of the upper ones.
    private var rises: [BandRow] = []
    private var means: [SIMD2<Float>] = []

    /// For `bands` bands, of which `high` detect fricatives.
    /// - Parameter keepsBands: whether to keep the speech network's inputs.
    init(bands: Int, high: Range<Int>, keepsBands: Bool) {
        track = ActivityTrack(bandCount: bands, keepsBands: keepsBands)
        bandCount = bands
        shares = [0..<bands, high].map { own in
            BandRow { own.contains($0) ? 1 / Float(own.count) : 0 }
        }
        scales = SIMD2(bands > 0 ? 1 : 0, high.isEmpty ? 0 : 1) / TrackBuilder.exponent
        // The sum of the voice bands is used only if the bands are not kept.
        floors = NoiseFloor(lanes: keepsBands ? bands : BandRow.count)
    }

    /// Reserves memory in the track for `hops` frames.
    mutating func expect(hops: Int) {
        track.reserve(hops)
        waiting.reserve(min(hops, 4 * TrackBuilder.framesAtOnce))
    }

    /// Adds the next frame: its levels, and its periodicity at voice pitch.
    mutating func add(_ row: BandRow, periodicity: Float, isDigitalSilence: Bool) {
        if isDigitalSilence {
            silentFrames += 1
            return
        }
        if begin == nil {
            appendSilence()
            begin = track.frames
        }
        // Digital silence between sounds counts for their floors; before the first and after the
        // last sound it does not.
        for _ in 0..<silentFrames { wait(.zero, 0, isDigitalSilence: true) }
        silentFrames = 0
        wait(row, periodicity, isDigitalSilence: false)
    }

    private mutating func wait(_ row: BandRow, _ periodicity: Float, isDigitalSilence: Bool) {
        waiting.add(row, periodicity: periodicity, isDigitalSilence: isDigitalSilence)
        if waiting.count - handed == TrackBuilder.framesAtOnce { scoreFrames() }
    }

    /// Frames per batch, as one at a time would have to reload the floors' data: the samples in
    /// between evict it from the CPU caches.
    private static let framesAtOnce = 256

    /// Appends the digital silence before or after all sound.
    private mutating func appendSilence() {
        let lowest = ActivityTrack.lowestFloorDBFS
        for _ in 0..<silentFrames {
            if track.frames.isMultiple(of: ActivityTrack.framesPerFloor) {
                track.note(floorDBFS: lowest, bandFloors: BandRow(repeating: lowest))
            }
            track.appendDigitalSilence()
        }
        silentFrames = 0
    }

    /// Scores the remaining frames.
    mutating func finish() {
        scoreFrames()
        floors.finish()
        appendFrames()
        appendSilence()
    }

    /// Passes all levels to the floors, and scores the frames whose floor is then available.
    private mutating func scoreFrames() {
        floors.add(waiting.rows[handed...], areSilent: waiting.silences[handed...])
        handed = waiting.count
        appendFrames()
    }

    /// Appends the frames whose floors are available.
    private mutating func appendFrames() {
        let floors = floors.known
        if floors.isEmpty { return }
        let frames = first..<first + floors.count
        measure(frames, over: floors)
        if track.keepsBands {
            track.append(
                bandRises: rises[..<floors.count], areSilent: waiting.silences[frames])
        }
        for (place, floor) in floors.enumerated() {
            // If sound begins within a tenth of a second, its floor is recorded for that tenth.
            if track.frames.isMultiple(of: ActivityTrack.framesPerFloor) || track.frames == begin {
                note(floor)
            }
            if waiting.silences[first + place] {
                track.appendDigitalSilence()
            } else {
                append(first + place, rises[place], means[place])
            }
        }
        first += floors.count
        self.floors.forget()
        // Only occasionally, to amortise moving the rest.
        if first >= 500 {
            waiting.removeFirst(first)
            handed -= first
            first = 0
        }
    }

    /// Computes the rise of some frames above their floors into `rises` and `means`.
    private mutating func measure(_ frames: Range<Int>, over floors: [BandRow]) {
        precondition(frames.count == floors.count && frames.upperBound <= waiting.count, "all fits")
        let lacking = frames.count - rises.count
        if lacking > 0 {
            rises.append(contentsOf: repeatElement(BandRow.zero, count: lacking))
            means.append(contentsOf: repeatElement(SIMD2.zero, count: lacking))
        }
        let exponent = TrackBuilder.exponent * Decibels.octavesPerDecibel
        means.withUnsafeMutableBufferPointer { means in
            // An array of pairs is laid out as an array of numbers.
            means.withMemoryRebound(to: Float.self) { means in
                guard let means = means.baseAddress else { return }
                waiting.rows.withUnsafeLanes { rows in
                    floors.withUnsafeLanes { floors in
                        shares.withUnsafeLanes { shares in
                            rises.withUnsafeMutableLanes {
                                lanes_rises(
                                    rows + frames.lowerBound * BandRow.count, floors, frames.count,
                                    -10, 40, exponent, shares, $0, means)
                            }
                        }
                    }
                }
                lanes_decibels(means, 2 * frames.count)
            }
        }
    }

    private mutating func note(_ floor: BandRow) {
        let powers = Decibels.power(floor)
        let sum = (0..<bandCount).reduce(Float.zero) { $0 + powers[$1] }
        track.note(floorDBFS: Decibels.ofPower(sum), bandFloors: floor)
    }

    private mutating func append(_ frame: Int, _ rises: BandRow, _ means: SIMD2<Float>) {
        let row = waiting.rows[frame]
        let means = scales * means
        track.append(
            TrackFrame(
                rise: means[0], voiceRise: rises[BandRow.voice], voiceDBFS: row[BandRow.voice],
                levelDBFS: row[BandRow.whole], highRise: means[1],
                periodicity: waiting.periodicities[frame]))
    }

    /// The exponent of the power means, which lie between mean and maximum of the decibels, nearer
    /// to the maximum.
    private static let exponent: Float = 0.7
}

/// The features of frames that wait for their floors: about a hundred bytes per 10 ms.
private struct WaitingFrames {
    private(set) var rows: [BandRow] = []
    private(set) var periodicities: [Float] = []
    private(set) var silences: [Bool] = []

    var count: Int { rows.count }

    mutating func add(_ row: BandRow, periodicity: Float, isDigitalSilence: Bool) {
        rows.append(row)
        periodicities.append(periodicity)
        silences.append(isDigitalSilence)
    }

    /// Reserves memory for `count` frames.
    mutating func reserve(_ count: Int) {
        rows.reserveCapacity(count)
        periodicities.reserveCapacity(count)
        silences.reserveCapacity(count)
    }

    /// Removes the first `count` frames.
    mutating func removeFirst(_ count: Int) {
        rows.removeFirst(count)
        periodicities.removeFirst(count)
        silences.removeFirst(count)
    }
}
