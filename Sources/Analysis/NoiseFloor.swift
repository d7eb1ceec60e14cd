#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What one frame of 10 ms showed.
struct FrameFacts {
    /// Level from 78 Hz up.
    var levelDBFS: Float
    /// How much of the spectrum repeats at the pitch of a voice, about 0 to 1.
    var periodicity: Float
    /// Whether all samples were the same.
    var isDigitalSilence: Bool
}

/// Follows the noise floor of each band, and scores each frame by how far it stands above it.
///
/// The floor at a time is a low percentile of the ten seconds around it, so it knows the future as
/// well as the past; frames wait about six seconds for it. Digital silence is left out of it.
struct NoiseFloor {
    private(set) var track: ActivityTrack

    /// The bands, and behind them the sum of those of voices.
    private let bands: Int
    private let high: Range<Int>
    /// Band levels and facts of the frames from `firstHeld` on.
    private var levels: [Float] = []
    private var facts: [FrameFacts] = []
    private var firstHeld = 0
    private var emitted = 0
    private var added = 0

    /// The points in the sliding window: levels by band, `nil` for digital silence.
    private var points: [[Float]?] = []
    private var percentiles: [SlidingPercentile]
    private var pointCount = 0
    /// Floors by point, from point `firstFloor` on.
    private var floors: [[Float]] = []
    private var firstFloor = 0

    private static let framesPerPoint = 10
    private static let lowestNetworkFloorDBFS: Float = -78
    /// Points in the window before and after the one in the middle.
    private static let reach = 50
    /// Points on each side that a floor is smoothed over.
    private static let smoothing = 4
    private static let share: Float = 0.3
    /// Lower than what rooms and recorders leave in one band, so clean recordings look alike.
    private static let lowestFloorDBFS: Float = -94
    /// The same for the sum of bands.
    private static let lowestVoiceFloorDBFS: Float = -88

    /// Floors for so many bands, of which `high` answer for fricatives.
    /// - Parameter keepsBands: whether the track is to have what the speech network is shown.
    init(bands: Int, high: Range<Int>, keepsBands: Bool) {
        self.bands = bands + 1
        self.high = high
        track = ActivityTrack(bandCount: bands, keepsBands: keepsBands)
        percentiles = Array(repeating: SlidingPercentile(), count: bands + 1)
    }

    /// Takes in the next frame: its level in each band in dBFS, behind them that of the bands of
    /// voices together, and its facts.
    mutating func add(_ frameLevels: [Float], _ frameFacts: FrameFacts) {
        levels.append(contentsOf: frameLevels)
        facts.append(frameFacts)
        added += 1
        let lookahead = 2
        if added % NoiseFloor.framesPerPoint == lookahead + 1 {
            addPoint(around: added - lookahead - 1)
        }
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
    /// Slides the window on by the mean of the five frames around one.
    private mutating func addPoint(around frame: Int) {
        let point = meanLevels(of: max(0, frame - 2)..<min(added, frame + 3))
        if let point {
            for band in 0..<bands { percentiles[band].insert(point[band]) }
        }
        points.append(point)
        pointCount += 1
        if points.count > 2 * NoiseFloor.reach + 1, let oldest = points.removeFirst() {
            for band in 0..<bands { percentiles[band].remove(oldest[band]) }
        }
        guard points.count == 2 * NoiseFloor.reach + 1 else { return }
        // The first half window has no window of its own, and shares the first whole one.
        while firstFloor + floors.count < pointCount - NoiseFloor.reach { appendFloor() }
        while emitted < (firstFloor + floors.count - NoiseFloor.smoothing - 1) * 10 {
            emitSegment()
        }
    }

    /// The mean of each band over those frames that are not digital silence.
    private func meanLevels(of frames: Range<Int>) -> [Float]? {
        var sums = [Float](repeating: 0, count: bands)
        var count: Float = 0
        for frame in frames where !facts[frame - firstHeld].isDigitalSilence {
            let start = (frame - firstHeld) * bands
            for band in 0..<bands { sums[band] += levels[start + band] }
            count += 1
        }
        return count > 0 ? sums.map { $0 / count } : nil
    }

    private mutating func appendFloor() {
        let silent = points.reduce(0) { $0 + ($1 == nil ? 1 : 0) }
        let silentShare = Float(silent) / Float(points.count)
        // Where much is digital silence, there may be no other pause to take the floor from.
        let share = max(0.05, NoiseFloor.share * (1 - 2 * silentShare))
        floors.append(
            percentiles.indices.map { band in
                let lowest =
                    band == bands - 1
                    ? NoiseFloor.lowestVoiceFloorDBFS : NoiseFloor.lowestFloorDBFS
                return max(lowest, percentiles[band].value(atShare: share) ?? -.infinity)
            })
    }

    /// The floor at a point, smoothed over its neighbours.
    private func smoothedFloor(at point: Int) -> [Float] {
        let last = firstFloor + floors.count - 1
        let range =
            max(
                firstFloor, min(point, last) - NoiseFloor.smoothing)...min(
                last, point + NoiseFloor.smoothing)
        var sums = [Float](repeating: 0, count: bands)
        for neighbour in range {
            for band in 0..<bands { sums[band] += floors[neighbour - firstFloor][band] }
        }
        return sums.map { $0 / Float(range.count) }
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
        let count = min(length, added - emitted)
        // Behind the bands comes the sum of some of them.
        track.append(
            floorDBFS: 10 * log10f(left.dropLast().reduce(1e-12) { $0 + exp2f(0.33219281 * $1) }))
        var rises = [Float](repeating: 0, count: bands)
        for step in 0..<count {
            let weight = Float(step) / Float(length)
            let held = emitted + step - firstHeld
            for band in 0..<bands {
                let floor = left[band] + weight * (right[band] - left[band])
                rises[band] = max(-10, min(40, levels[held * bands + band] - floor))
            }
            append(rises, levels: levels[held * bands..<(held + 1) * bands], facts[held])
        }
        emitted += count
        forget()
    }

    /// Drops what is done with, frames only now and then, so that moving the rest costs little.
    private mutating func forget() {
        let done = emitted - firstHeld
        if done >= 500 {
            levels.removeFirst(done * bands)
            facts.removeFirst(done)
            firstHeld = emitted
        }
        let unneeded = emitted / NoiseFloor.framesPerPoint - NoiseFloor.smoothing - firstFloor
        if unneeded > 0 {
            floors.removeFirst(unneeded)
            firstFloor += unneeded
        }
    }

    private mutating func append(
        _ rises: [Float], levels: ArraySlice<Float>, _ facts: FrameFacts
    ) {
        let voice = bands - 1
        if facts.isDigitalSilence {
            track.appendDigitalSilence()
            if track.keepsBands { track.append(bandRises: nil, high: 0) }
            return
        }
        track.append(
            TrackFrame(
                rise: voice > 0 ? powerMean(rises[..<voice]) : 0, voiceRise: rises[voice],
                voiceDBFS: levels[levels.startIndex + voice], levelDBFS: facts.levelDBFS,
                highRise: voice > 0 ? powerMean(rises[high]) : 0, periodicity: facts.periodicity))
        guard track.keepsBands else { return }
        // The network was trained over a floor that is never lower than this.
        let bandRises = zip(rises, levels).map {
            max(-10, min($0, $1 - NoiseFloor.lowestNetworkFloorDBFS))
        }
        track.append(bandRises: bandRises, high: voice > 0 ? powerMean(bandRises[high]) : 0)
    }

    private static let exponent: Float = 0.7

    /// Between the mean and the maximum of decibels, nearer to the loudest.
    private func powerMean(_ decibels: ArraySlice<Float>) -> Float {
        let exponent = NoiseFloor.exponent
        let scale = exponent * 0.33219281  // log2(10) / 10
        var sum: Float = 0
        for value in decibels { sum += exp2f(scale * value) }
        return 10 / exponent * log10f(sum / Float(decibels.count))
    }
}
