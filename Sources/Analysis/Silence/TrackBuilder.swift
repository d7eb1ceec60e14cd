import CLanes

/// Builds the track of a recording: scores each frame by how far it stands above the noise floor.
///
/// Frames wait about 5.5 seconds for their floor, the first ones ten, and up to 2.5 for each other.
struct TrackBuilder {
    private(set) var track: ActivityTrack

    /// The share that each lane has in the mean of the bands, and in that of the upper ones, which
    /// answer for fricatives.
    private let shares: [BandRow]
    /// What the decibels of these power means are to be multiplied by: nothing of no lanes.
    private let scales: SIMD2<Float>
    /// How many bands there are.
    private let bandCount: Int

    private var floors: NoiseFloor
    /// Frames that wait for their floor, those from `first` on.
    private var waiting = WaitingFrames()
    private var first = 0
    /// Those whose levels the floors have.
    private var handed = 0
    /// Frames of digital silence since the last ones that were not.
    private var silentFrames = 0
    /// The first frame that is not digital silence.
    private var begin: Int?

    /// Of each of some frames how far its lanes stand above their floor, and the power means of the
    /// bands and of the upper ones.
    private var rises: [BandRow] = []
    private var means: [SIMD2<Float>] = []

    /// Of so many bands, of which `high` answer for fricatives.
    /// - Parameter keepsBands: whether the track is to have what the speech network is shown.
    init(bands: Int, high: Range<Int>, keepsBands: Bool) {
        track = ActivityTrack(bandCount: bands, keepsBands: keepsBands)
        bandCount = bands
        shares = [0..<bands, high].map { own in
            BandRow { own.contains($0) ? 1 / Float(own.count) : 0 }
        }
        scales = SIMD2(bands > 0 ? 1 : 0, high.isEmpty ? 0 : 1) / TrackBuilder.exponent
        // The sum of the voice bands is asked for only where the bands are not kept.
        floors = NoiseFloor(lanes: keepsBands ? bands : BandRow.count)
    }

    /// Makes room in the track for so many frames.
    mutating func expect(hops: Int) {
        track.reserve(hops)
        waiting.reserve(min(hops, 4 * TrackBuilder.framesAtOnce))
    }

    /// Takes in the next frame: its levels, and how much it repeats at the pitch of a voice.
    mutating func add(_ row: BandRow, periodicity: Float, isDigitalSilence: Bool) {
        if isDigitalSilence {
            silentFrames += 1
            return
        }
        if begin == nil {
            appendSilence()
            begin = track.frames
        }
        // What lies between sounds counts for their floors; what lies around all of them, before
        // or behind, does not.
        for _ in 0..<silentFrames { wait(.zero, 0, isDigitalSilence: true) }
        silentFrames = 0
        wait(row, periodicity, isDigitalSilence: false)
    }

    private mutating func wait(_ row: BandRow, _ periodicity: Float, isDigitalSilence: Bool) {
        waiting.add(row, periodicity: periodicity, isDigitalSilence: isDigitalSilence)
        if waiting.count - handed == TrackBuilder.framesAtOnce { scoreFrames() }
    }

    /// One at a time, each would find that the samples since the last one have driven what floors
    /// are made of out of the processor's caches.
    private static let framesAtOnce = 256

    /// Appends what lies around all sound.
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

    /// Scores the frames that still wait.
    mutating func finish() {
        scoreFrames()
        floors.finish()
        appendFrames()
        appendSilence()
    }

    /// Scores the frames whose floor is known once the floors have all levels.
    private mutating func scoreFrames() {
        floors.add(waiting.rows[handed...], areSilent: waiting.silences[handed...])
        handed = waiting.count
        appendFrames()
    }

    /// Appends the frames whose floors are known.
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
            // Where the sound begins within a tenth of a second, the tenth has its floor.
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
        // Now and then, so that moving the rest costs little.
        if first >= 500 {
            waiting.removeFirst(first)
            handed -= first
            first = 0
        }
    }

    /// Brings how far some frames stand above their floors into `rises` and `means`.
    private mutating func measure(_ frames: Range<Int>, over floors: [BandRow]) {
        precondition(frames.count == floors.count && frames.upperBound <= waiting.count, "all fits")
        let lacking = frames.count - rises.count
        if lacking > 0 {
            rises.append(contentsOf: repeatElement(BandRow.zero, count: lacking))
            means.append(contentsOf: repeatElement(SIMD2.zero, count: lacking))
        }
        let exponent = TrackBuilder.exponent * Decibels.octavesPerDecibel
        means.withUnsafeMutableBufferPointer { means in
            // Pairs of numbers are numbers, one behind the other.
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

    /// Of the power means, which lie between the mean and the maximum of decibels, nearer to the
    /// loudest.
    private static let exponent: Float = 0.7
}

/// What frames showed that wait for their floors: about a hundred bytes for every 10 ms.
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

    /// Makes room for so many frames.
    mutating func reserve(_ count: Int) {
        rows.reserveCapacity(count)
        periodicities.reserveCapacity(count)
        silences.reserveCapacity(count)
    }

    /// Forgets so many frames, those that came first.
    mutating func removeFirst(_ count: Int) {
        rows.removeFirst(count)
        periodicities.removeFirst(count)
        silences.removeFirst(count)
    }
}
