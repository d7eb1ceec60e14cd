/// Builds the track of a recording: scores each frame by how far it stands above the noise floor.
///
/// Frames wait about 5.5 seconds for their floor, the first ones ten, and up to 2.5 for each other.
struct TrackBuilder: SpectrumTaker {
    private(set) var track: ActivityTrack

    /// Of each lane whether it is one of the bands, or of the upper ones that answer for
    /// fricatives.
    private let isBand: BandRow
    private let isHigh: BandRow
    /// How many these are.
    private let bandCount: Float
    private let highCount: Float

    private var floors: NoiseFloor
    /// Frames that wait for their floor, those from `first` on; `nil` is digital silence.
    private var waiting: [Frame?] = []
    private var first = 0
    /// Those whose levels the floors have.
    private var handed = 0
    /// Frames of digital silence since the last ones that were not.
    private var silentFrames = 0
    /// The first frame that is not digital silence.
    private var begin: Int?

    private struct Frame {
        var row: BandRow
        var periodicity: Float
    }

    /// Of so many bands, of which `high` answer for fricatives.
    /// - Parameter keepsBands: whether the track is to have what the speech network is shown.
    init(bands: Int, high: Range<Int>, keepsBands: Bool) {
        track = ActivityTrack(bandCount: bands, keepsBands: keepsBands)
        isBand = BandRow { $0 < bands ? 1 : 0 }
        isHigh = BandRow { high.contains($0) ? 1 : 0 }
        (bandCount, highCount) = (isBand.sum(), isHigh.sum())
        // The sum of the voice bands is asked for only where the bands are not kept.
        floors = NoiseFloor(lanes: keepsBands ? bands : BandRow.count)
    }

    /// Makes room in the track for so many frames.
    mutating func expect(hops: Int) { track.reserve(hops) }

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
        for _ in 0..<silentFrames { wait(with: nil) }
        silentFrames = 0
        wait(with: Frame(row: row, periodicity: periodicity))
    }

    private mutating func wait(with frame: Frame?) {
        waiting.append(frame)
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
        for frame in waiting[handed...] { floors.add(frame?.row) }
        handed = waiting.count
        appendFrames()
    }

    private mutating func appendFrames() {
        while let floor = floors.next() {
            append(waiting[first], floor)
            first += 1
        }
        // Now and then, so that moving the rest costs little.
        if first >= 500 {
            waiting.removeFirst(first)
            handed -= first
            first = 0
        }
    }

    private mutating func append(_ frame: Frame?, _ floor: BandRow) {
        // Where the sound begins within a tenth of a second, the tenth has its floor.
        if track.frames.isMultiple(of: ActivityTrack.framesPerFloor) || track.frames == begin {
            let sum = (floor.mapEights(Decibels.power) * isBand).sum()
            track.note(floorDBFS: decibels(sum), bandFloors: floor)
        }
        guard let frame else { return track.appendDigitalSilence() }
        let rises = (frame.row - floor).clamped(-10, 40)
        // Between the mean and the maximum of decibels, nearer to the loudest.
        let powers = rises.mapEights {
            Decibels.exponential2($0 * (TrackBuilder.exponent * Decibels.octavesPerDecibel))
        }
        let highRise = mean(powers, isHigh, highCount)
        if track.keepsBands {
            track.append(
                bandRises: rises * isBand, highRise: highRise,
                levelDBFS: frame.row[BandRow.whole], periodicity: frame.periodicity)
        } else {
            track.append(
                TrackFrame(
                    rise: mean(powers, isBand, bandCount), voiceRise: rises[BandRow.voice],
                    voiceDBFS: frame.row[BandRow.voice], levelDBFS: frame.row[BandRow.whole],
                    highRise: highRise, periodicity: frame.periodicity))
        }
    }

    private static let exponent: Float = 0.7

    /// The power mean of the `count` bands that `mask` names, in decibels; zero of none.
    private func mean(_ powers: BandRow, _ mask: BandRow, _ count: Float) -> Float {
        count > 0 ? decibels((powers * mask).sum() / count) / TrackBuilder.exponent : 0
    }

    private func decibels(_ power: Float) -> Float { Decibels.ofPower(SIMD8(repeating: power))[0] }
}
