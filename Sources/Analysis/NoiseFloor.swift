/// Follows the noise floor of each band, and scores each frame by how far it stands above it.
///
/// The floor at a time is a low percentile of the ten seconds around it, so it knows the future as
/// well as the past; frames wait about six seconds for it. Digital silence is left out of it.
struct NoiseFloor: SpectrumTaker {
    private(set) var track: ActivityTrack

    /// Of each lane whether it is one of the bands, or of the upper ones that answer for
    /// fricatives.
    private let isBand: BandRow
    private let isHigh: BandRow
    /// No floor lies lower beneath the loudest point so far: lower than what rooms and recorders
    /// leave in one band, so clean recordings look alike, whatever their gain.
    private let depth: BandRow
    /// The level of the loudest point so far; `nil` in digital silence.
    private var loudestDBFS: Float?

    /// Whether there was anything but digital silence; frames and points count from there.
    private var hasBegun = false
    /// Levels of the frames from `firstHeld` on, in decibels, and what else they showed.
    private var rows: [BandRow] = []
    private var facts: [FrameFacts] = []
    private var firstHeld = 0
    private var emitted = 0
    private var added = 0

    /// The points in the sliding window, oldest first from `oldest` on round.
    private var points: [Point] = []
    private var oldest = 0
    /// Frames of them, and how many of these are digital silence.
    private var framesInWindow = 0
    private var silentFrames = 0
    private var pointCount = 0
    private var percentiles = Array(repeating: SlidingPercentile(), count: BandRow.count)
    /// Floors by point, from point `firstFloor` on.
    private var floors: [BandRow] = []
    private var firstFloor = 0

    private static let framesPerPoint = ActivityTrack.framesPerFloor
    /// Points in the window before and after the one in the middle.
    private static let reach = 50
    /// Points on each side that a floor is smoothed over.
    private static let smoothing = 4
    private static let share: Float = 0.3
    private static let depthDecibels: Float = 77
    /// The same for the sum of bands.
    private static let voiceDepthDecibels: Float = 71

    /// The mean of a few frames, digital silence left out: `nil` where that is all there is.
    private struct Point {
        var row: BandRow?
        var frames: Int
        var silentFrames: Int
    }

    /// What a frame showed beside its levels.
    private struct FrameFacts {
        var periodicity: Float
        var isDigitalSilence: Bool
    }

    /// Floors for so many bands, of which `high` answer for fricatives.
    /// - Parameter keepsBands: whether the track is to have what the speech network is shown.
    init(bands: Int, high: Range<Int>, keepsBands: Bool) {
        track = ActivityTrack(bandCount: bands, keepsBands: keepsBands)
        isBand = BandRow { $0 < bands ? 1 : 0 }
        isHigh = BandRow { high.contains($0) ? 1 : 0 }
        depth = BandRow {
            $0 == BandRow.voice ? NoiseFloor.voiceDepthDecibels : NoiseFloor.depthDecibels
        }
    }

    /// Makes room in the track for so many frames.
    mutating func expect(hops: Int) { track.reserve(hops) }

    /// Takes in the next frame: its levels, and how much it repeats at the pitch of a voice.
    mutating func add(_ row: BandRow, periodicity: Float, isDigitalSilence: Bool) {
        rows.append(row)
        facts.append(FrameFacts(periodicity: periodicity, isDigitalSilence: isDigitalSilence))
        added += 1
        if !hasBegun {
            if isDigitalSilence { return passOver() }
            hasBegun = true
            // The first point was left open.
            if added > NoiseFloor.framesPerPoint / 2 { return addPoint(around: 0) }
        }
        let half = NoiseFloor.framesPerPoint / 2
        if added % NoiseFloor.framesPerPoint == half { addPoint(around: added - half) }
    }

    /// Lets go of digital silence before anything else, ten frames by ten, so that floors are what
    /// they would be without it.
    private mutating func passOver() {
        guard added == NoiseFloor.framesPerPoint else { return }
        track.append(
            floorDBFS: decibels(NoiseFloor.silentPower),
            bandFloors: BandRow(repeating: ActivityTrack.lowestFloorDBFS))
        for _ in 0..<added { track.appendDigitalSilence() }
        rows.removeAll(keepingCapacity: true)
        facts.removeAll(keepingCapacity: true)
        added = 0
    }

    /// Scores the frames that still wait.
    mutating func finish() {
        if added > 0, pointCount * NoiseFloor.framesPerPoint < added {
            addPoint(around: pointCount * NoiseFloor.framesPerPoint)
        }
        while firstFloor + floors.count < pointCount { appendFloor() }
        while emitted < added { emitSegment() }
    }
}

// MARK: - Floors

extension NoiseFloor {
    /// Slides the window on by the mean of the ten frames around the beginning of one.
    ///
    /// Each frame but the last few counts in one point, so that it hardly matters which of them the
    /// points fall on.
    private mutating func addPoint(around frame: Int) {
        let half = NoiseFloor.framesPerPoint / 2
        let point = point(of: max(0, frame - half)..<min(added, frame + half))
        if let level = point.row?[BandRow.whole] { loudestDBFS = max(loudestDBFS ?? level, level) }
        pointCount += 1
        let window = 2 * NoiseFloor.reach + 1
        if points.count < window {
            points.append(point)
            slide(from: nil, to: point)
        } else {
            slide(from: points[oldest], to: point)
            points[oldest] = point
            oldest = (oldest + 1) % window
        }
        guard points.count == window else { return }
        // The first half window has no window of its own, and shares the first whole one.
        while firstFloor + floors.count < pointCount - NoiseFloor.reach { appendFloor() }
        let known = firstFloor + floors.count - NoiseFloor.smoothing - 1
        while emitted < known * NoiseFloor.framesPerPoint { emitSegment() }
    }

    private mutating func slide(from old: Point?, to new: Point) {
        framesInWindow += new.frames - (old?.frames ?? 0)
        silentFrames += new.silentFrames - (old?.silentFrames ?? 0)
        for lane in percentiles.indices {
            if let row = old?.row { percentiles[lane].remove(row[lane]) }
            if let row = new.row { percentiles[lane].insert(row[lane]) }
        }
    }

    private func point(of frames: Range<Int>) -> Point {
        var sum = BandRow(repeating: 0)
        var count = 0
        for frame in frames where !facts[frame - firstHeld].isDigitalSilence {
            sum = sum + rows[frame - firstHeld]
            count += 1
        }
        return Point(
            row: count > 0 ? (1 / Float(count)) * sum : nil, frames: frames.count,
            silentFrames: frames.count - count)
    }

    private mutating func appendFloor() {
        let silentShare = Float(silentFrames) / Float(framesInWindow)
        // Where much is digital silence, there may be no other pause to take the floor from.
        let share = max(0.05, NoiseFloor.share * (1 - 2 * silentShare))
        let lowest = BandRow(repeating: loudestDBFS ?? 0) - depth
        var floor = lowest
        for lane in percentiles.indices {
            if let value = percentiles[lane].value(atShare: share) { floor[lane] = value }
        }
        floors.append(floor.raised(to: lowest))
    }

    /// The floor at a point, smoothed over its neighbours.
    private func smoothedFloor(at point: Int) -> BandRow {
        let middle = min(point, firstFloor + floors.count - 1) - firstFloor
        let first = max(0, middle - NoiseFloor.smoothing)
        let last = min(point - firstFloor + NoiseFloor.smoothing, floors.count - 1)
        var sum = BandRow(repeating: 0)
        for neighbour in first...last { sum = sum + floors[neighbour] }
        return (1 / Float(last - first + 1)) * sum
    }
}

// MARK: - Scores

extension NoiseFloor {
    /// Scores the frames between two points, the floor running straight from one to the other.
    private mutating func emitSegment() {
        let length = NoiseFloor.framesPerPoint
        let point = emitted / length
        let left = smoothedFloor(at: point)
        let right = smoothedFloor(at: point + 1)
        let sum = (left.mapEights(Decibels.power) * isBand).sum()
        track.append(floorDBFS: decibels(sum + NoiseFloor.silentPower), bandFloors: left)
        let count = min(length, added - emitted)
        for step in 0..<count {
            let weight = Float(step) / Float(length)
            let held = emitted + step - firstHeld
            let floor = left + weight * (right - left)
            append(rows[held], rises: (rows[held] - floor).clamped(-10, 40), facts[held])
        }
        emitted += count
        forget()
    }

    private mutating func append(_ row: BandRow, rises: BandRow, _ facts: FrameFacts) {
        if facts.isDigitalSilence { return track.appendDigitalSilence() }
        // Between the mean and the maximum of decibels, nearer to the loudest.
        let powers = rises.mapEights {
            Decibels.exponential2($0 * (NoiseFloor.exponent * Decibels.octavesPerDecibel))
        }
        let highRise = mean(powers, isHigh)
        if track.keepsBands {
            track.append(
                bandRises: rises * isBand, highRise: highRise, levelDBFS: row[BandRow.whole],
                periodicity: facts.periodicity)
        } else {
            track.append(
                TrackFrame(
                    rise: mean(powers, isBand), voiceRise: rises[BandRow.voice],
                    voiceDBFS: row[BandRow.voice], levelDBFS: row[BandRow.whole],
                    highRise: highRise, periodicity: facts.periodicity))
        }
    }

    private static let exponent: Float = 0.7
    /// Stands for the power of digital silence, which has no decibels.
    private static let silentPower: Float = 1e-16

    /// The power mean of the bands that `mask` names, in decibels; zero where it names none.
    private func mean(_ powers: BandRow, _ mask: BandRow) -> Float {
        let count = mask.sum()
        return count > 0 ? decibels((powers * mask).sum() / count) / NoiseFloor.exponent : 0
    }

    private func decibels(_ power: Float) -> Float { Decibels.ofPower(SIMD8(repeating: power))[0] }

    /// Drops what is done with, frames only now and then, so that moving the rest costs little.
    private mutating func forget() {
        let done = emitted - firstHeld
        if done >= 500 {
            rows.removeFirst(done)
            facts.removeFirst(done)
            firstHeld = emitted
        }
        let unneeded = emitted / NoiseFloor.framesPerPoint - NoiseFloor.smoothing - firstFloor
        if unneeded > 64 {
            floors.removeFirst(unneeded)
            firstFloor += unneeded
        }
    }
}
