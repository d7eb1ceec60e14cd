#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What the speech network is shown of a track: 28 numbers for each frame, all near ±1.
///
/// In order: how far each of the twenty bands stands above its floor; the score of all bands
/// together, as it is and over its threshold; the level over the loud passages, over the quiet
/// ones and over its own floor of six seconds; periodicity; the upper bands; the share of bands
/// that the sample rate lacks. Loud, quiet and threshold are those of the minute around, so that
/// the net sees as much of an hour as of half a minute.
struct SpeechInputs {
    private let track: ActivityTrack
    private let windows: SlidingWindows
    /// By window: levels that 3 and 90 frames in a hundred exceed, and the score between the modes.
    private var loud: [Float] = []
    private var quiet: [Float] = []
    private var thresholds: [Float] = []
    /// By tenth of a second.
    private let floors: [Float]
    /// What a step of a band adds to the power mean.
    private let powers: [Float]

    static let count = 28
    /// Stands for the level of digital silence.
    private static let silenceDBFS: Float = -100
    private static let hopFrames = 3000
    private static let exponent: Float = 0.5
    private static let highestThreshold = 8.0

    init(_ track: ActivityTrack) {
        self.track = track
        precondition(track.keepsBands, "the network needs the bands")
        windows = SlidingWindows(frames: track.frames, hop: SpeechInputs.hopFrames)
        powers = (0...255).map { step in
            let rise =
                Float(step) * ActivityTrack.bandStepDecibels + ActivityTrack.lowestBandDecibels
            return exp2f(SpeechInputs.exponent * 0.33219281 * rise)  // log2(10) / 10
        }
        floors = SpeechInputs.levelFloors(track)
        for range in windows.ranges {
            let levels = levelHistogram(range)
            let isSilent = levels.total == 0
            loud.append(isSilent ? -100 : Float(levels.percentile(0.97)))
            quiet.append(isSilent ? -100 : Float(levels.percentile(0.1)))
            thresholds.append(threshold(range))
        }
    }

    /// Writes the inputs of a range of frames, one frame behind the other; zeros for frames that
    /// are not there.
    func fill(_ range: Range<Int>, into inputs: UnsafeMutableBufferPointer<Float>) {
        precondition(inputs.count >= range.count * SpeechInputs.count, "there is room for all")
        inputs.update(repeating: 0)
        let frames = range.clamped(to: 0..<track.frames)
        let scores = smoothedScores(frames)
        let levels = smoothed(frames, reach: 1) { first, last in
            (first..<last).map {
                track.levels[$0] == ActivityTrack.digitalSilence
                    ? -100 : Float(track.levels[$0]) / 100
            }
        }
        let highs = smoothed(frames, reach: 1) { first, last in
            (first..<last).map { Float(track.bandHighs[$0]) / 4 }
        }
        for (place, frame) in frames.enumerated() {
            let start = (frame - range.lowerBound) * SpeechInputs.count
            let row = UnsafeMutableBufferPointer(
                rebasing: inputs[start..<start + SpeechInputs.count])
            fillBands(frame, row)
            let (score, level) = (scores[place], levels[place])
            let window = windows.place(of: frame)
            row[20] = score / 10
            row[21] = (score - windows.interpolated(thresholds, at: window)) / 10
            row[22] = bounded((level - windows.interpolated(loud, at: window)) / 10)
            row[23] = bounded((level - windows.interpolated(quiet, at: window)) / 10)
            row[24] = bounded((level - levelFloor(frame)) / 10)
            row[25] = 4 * (max(0, Float(track.periodicities[frame]) / 100) - 0.4)
            row[26] = highs[place] / 10
            row[27] = Float(ActivityTrack.bandsPerFrame - track.bandCount) / 5
        }
    }

    private func fillBands(_ frame: Int, _ row: UnsafeMutableBufferPointer<Float>) {
        let bands = ActivityTrack.bandsPerFrame
        let step = ActivityTrack.bandStepDecibels / 10
        track.bands.withUnsafeBufferPointer { bytes in
            for band in 0..<bands {
                let byte = Float(bytes[frame * bands + band])
                row[band] = byte * step + ActivityTrack.lowestBandDecibels / 10
            }
        }
    }

    private func bounded(_ value: Float) -> Float { max(-6, min(6, value)) }
}

// MARK: - Parts

extension SpeechInputs {
    /// Levels from -95 to 5 dBFS, digital silence left out.
    private func levelHistogram(_ range: Range<Int>) -> DecibelHistogram {
        var histogram = DecibelHistogram(lowest: -95)
        for frame in range where track.levels[frame] != ActivityTrack.digitalSilence {
            histogram.add(Float(track.levels[frame]) / 100)
        }
        return histogram
    }

    /// Between the mean and the loudest of the bands that there are, the mean of five frames.
    private func smoothedScores(_ frames: Range<Int>) -> [Float] {
        let count = track.bandCount
        return smoothed(frames, reach: 2) { first, last in
            (first..<last).map { frame in
                let start = frame * ActivityTrack.bandsPerFrame
                var sum: Float = 0
                for band in start..<start + count { sum += powers[Int(track.bands[band])] }
                return 10 / SpeechInputs.exponent * log10f(sum / Float(max(1, count)))
            }
        }
    }

    /// Means over so many frames on either side, of values from a frame up to another.
    private func smoothed(
        _ frames: Range<Int>, reach: Int, _ values: (Int, Int) -> [Float]
    ) -> [Float] {
        let first = max(0, frames.lowerBound - reach)
        let last = min(track.frames, frames.upperBound + reach)
        let values = values(first, last)
        return frames.map { frame in
            let begin = max(first, frame - reach)
            let end = min(last, frame + reach + 1)
            var sum: Float = 0
            for neighbour in begin..<end { sum += values[neighbour - first] }
            return sum / Float(end - begin)
        }
    }

    /// Between the modes of the score, as for the classical detector; high where there is but one.
    private func threshold(_ range: Range<Int>) -> Float {
        var histogram = DecibelHistogram()
        for (place, score) in smoothedScores(range).enumerated()
        where track.levels[range.lowerBound + place] != ActivityTrack.digitalSilence {
            histogram.add(score)
        }
        let mixture = GaussianMixture(histogram)
        let highest = SpeechInputs.highestThreshold
        guard mixture.separation >= 0.9 else { return Float(highest) }
        let distance = mixture.high.mean - mixture.low.mean
        return Float(max(1.5, min(highest, mixture.low.mean + 0.28 * distance)))
    }

    private func levelFloor(_ frame: Int) -> Float {
        let place = Float(frame) / 10
        let left = min(Int(place), floors.count - 1)
        let right = min(left + 1, floors.count - 1)
        return floors[left] + (place - Float(left)) * (floors[right] - floors[left])
    }

    /// Every tenth of a second, the level that a fifth of the six seconds around does not reach.
    private static func levelFloors(_ track: ActivityTrack) -> [Float] {
        let points = stride(from: 0, to: track.frames, by: 10).map { start in
            let frames = start..<min(track.frames, start + 10)
            let sum = frames.reduce(Float(0)) {
                let level = track.levels[$1]
                let isSilence = level == ActivityTrack.digitalSilence
                return $0 + (isSilence ? silenceDBFS : Float(level) / 100)
            }
            return sum / Float(frames.count)
        }
        let reach = 30
        var window = SlidingPercentile()
        for point in points.prefix(reach) { window.insert(point) }
        return points.indices.map { point in
            if point + reach < points.count { window.insert(points[point + reach]) }
            if point > reach { window.remove(points[point - reach - 1]) }
            return window.value(atShare: 0.2) ?? silenceDBFS
        }
    }
}

extension ActivityTrack {
    /// What the speech network is shown of all frames, 28 numbers each, for its training.
    package func speechInputs() -> [Float] {
        let inputs = SpeechInputs(self)
        return [Float](unsafeUninitializedCapacity: frames * SpeechInputs.count) {
            $0.initialize(repeating: 0)
            inputs.fill(0..<frames, into: $0)
            $1 = frames * SpeechInputs.count
        }
    }
}
