import CLanes

/// What the speech network is shown of a track: 28 numbers for each frame, all near ±1.
///
/// In order: how far each of the twenty bands stands above its floor; the score of all bands
/// together, as it is and over its threshold; the level over the loud passages, over the quiet
/// ones and over its own floor of six seconds; periodicity; the upper bands; the share of bands
/// that the sample rate lacks. Loud, quiet and threshold are those of the minute around, so that
/// the net sees as much of an hour as of half a minute.
///
/// Of a range of frames, as if there were no others.
struct SpeechInputs {
    private let track: ActivityTrack
    private let heard: Range<Int>
    private let windows: SlidingWindows
    /// By window: levels that 3 and 90 frames in a hundred exceed, and the score between the modes.
    private var loud: [Float] = []
    private var quiet: [Float] = []
    private var thresholds: [Float] = []
    private let floors: LevelFloors

    static let count = 28
    /// Stands for the level of digital silence.
    private static let silenceDBFS: Float = -160
    private static let hopFrames = 3000
    private static let highestThreshold = 8.0

    init(_ track: ActivityTrack, _ heard: Range<Int>) {
        self.track = track
        self.heard = heard
        precondition(track.keepsBands, "the network needs the bands")
        windows = SlidingWindows(frames: heard.count, hop: SpeechInputs.hopFrames)
        floors = LevelFloors(heard.lazy.map { SpeechInputs.level(of: track, at: $0) })
        // The windows overlap by half of their length, so each half is looked at once.
        let hop = SpeechInputs.hopFrames
        let halves = stride(from: heard.lowerBound, to: heard.upperBound, by: hop).map {
            histograms($0..<min(heard.upperBound, $0 + hop))
        }
        for range in windows.ranges {
            let first = range.lowerBound / SpeechInputs.hopFrames
            var (levels, scores) = halves[first]
            if first + 1 < halves.count {
                levels.add(halves[first + 1].levels)
                scores.add(halves[first + 1].scores)
            }
            let isSilent = levels.total == 0
            loud.append(isSilent ? SpeechInputs.silenceDBFS : Float(levels.percentile(0.97)))
            quiet.append(isSilent ? SpeechInputs.silenceDBFS : Float(levels.percentile(0.1)))
            thresholds.append(SpeechInputs.threshold(scores))
        }
    }

    /// Writes the inputs of a range of frames, counted from the first that is heard, one frame
    /// behind the other; zeros for frames that are not there.
    func fill(_ range: Range<Int>, into inputs: UnsafeMutableBufferPointer<Float>) {
        precondition(inputs.count >= range.count * SpeechInputs.count, "there is room for all")
        let first = heard.lowerBound
        let frames = (first + range.lowerBound..<first + range.upperBound).clamped(to: heard)
        let before = (frames.lowerBound - first - range.lowerBound) * SpeechInputs.count
        let behind = before + frames.count * SpeechInputs.count
        inputs[..<before].update(repeating: 0)
        inputs[behind...].update(repeating: 0)
        let scores = smoothedScores(frames)
        let levels = smoothed(frames, reach: 1) { SpeechInputs.level(of: track, at: $0) }
        let highs = smoothed(frames, reach: 1) { track.highRise(at: $0) }
        fillBands(frames, inputs, from: before)
        for (place, frame) in frames.enumerated() {
            let start = before + place * SpeechInputs.count
            let row = UnsafeMutableBufferPointer(
                rebasing: inputs[start..<start + SpeechInputs.count])
            let (score, level) = (scores[place], levels[place])
            let window = windows.place(of: frame - first)
            row[20] = score / 10
            row[21] = (score - window.interpolated(thresholds)) / 10
            row[22] = bounded((level - window.interpolated(loud)) / 10)
            row[23] = bounded((level - window.interpolated(quiet)) / 10)
            row[24] = bounded((level - floors[frame - first]) / 10)
            row[25] = 4 * (max(0, track.periodicity(at: frame)) - 0.4)
            row[26] = highs[place] / 10
            row[27] = Float(ActivityTrack.bandsPerFrame - track.bandCount) / 5
        }
    }

    /// Writes how far the bands of some frames stand above their floors, from `place` on.
    private func fillBands(
        _ frames: Range<Int>, _ inputs: UnsafeMutableBufferPointer<Float>, from place: Int
    ) {
        let bands = ActivityTrack.bandsPerFrame
        track.bands[frames.lowerBound * bands..<frames.upperBound * bands]
            .withUnsafeBufferPointer { bytes in
                // Without frames there is nothing to write.
                guard let first = bytes.baseAddress, let rows = inputs.baseAddress else { return }
                lanes_widen_rows(
                    first, frames.count, bands, ActivityTrack.lowestBandDecibels / 10,
                    ActivityTrack.bandStepDecibels / 10, SpeechInputs.count, rows + place)
            }
    }

    private func bounded(_ value: Float) -> Float { max(-6, min(6, value)) }
}

// MARK: - Parts

extension SpeechInputs {
    private static func level(of track: ActivityTrack, at frame: Int) -> Float {
        track.isDigitalSilence(at: frame) ? silenceDBFS : track.levelDBFS(at: frame)
    }

    /// Levels from -160 to 40 dBFS and smoothed scores of a range, digital silence left out.
    private func histograms(
        _ range: Range<Int>
    ) -> (levels: DecibelHistogram, scores: DecibelHistogram) {
        var levels = DecibelHistogram(lowest: -160, step: 0.5)
        var scores = DecibelHistogram()
        for (frame, score) in zip(range, smoothedScores(range))
        where !track.isDigitalSilence(at: frame) {
            levels.add(track.levelDBFS(at: frame))
            scores.add(score)
        }
        return (levels, scores)
    }

    /// Between the mean and the loudest of the bands that there are, the mean of five frames.
    private func smoothedScores(_ frames: Range<Int>) -> [Float] {
        let around = reaching(2, around: frames)
        let sums = powerSums(around)
        return smoothed(frames, reach: 2) { sums[$0 - around.lowerBound] }
    }

    /// The power mean of each frame's bands in decibels.
    private func powerSums(_ frames: Range<Int>) -> [Float] {
        let bands = ActivityTrack.bandsPerFrame
        let own = track.bandCount
        let share = 1 / Float(max(1, own))
        var sums = [Float](repeating: 0, count: frames.count)
        SpeechInputs.powers.withUnsafeBufferPointer { powers in
            track.bands.withUnsafeBufferPointer { bytes in
                for (place, frame) in frames.enumerated() {
                    var sum: Float = 0
                    for band in 0..<own { sum += powers[Int(bytes[frame &* bands &+ band])] }
                    sums[place] = sum * share
                }
            }
        }
        lanes_decibels(&sums, sums.count)
        for place in sums.indices { sums[place] /= SpeechInputs.exponent }
        return sums
    }

    private static let exponent: Float = 0.5
    /// What a step of a band adds to the power mean.
    private static let powers: [Float] = (0...255).map { step in
        let rise = Float(step) * ActivityTrack.bandStepDecibels + ActivityTrack.lowestBandDecibels
        return Decibels.power(exponent * rise)
    }

    /// Means over so many frames on either side, of fewer at the ends of what is heard.
    private func smoothed(
        _ frames: Range<Int>, reach: Int, _ value: (Int) -> Float
    ) -> [Float] {
        let around = reaching(reach, around: frames)
        let means = SpeechInputs.means(around.map(value), reach: reach)
        return Array(means[(frames.lowerBound - around.lowerBound)...].prefix(frames.count))
    }

    /// So many frames more on either side, where they are heard.
    private func reaching(_ reach: Int, around frames: Range<Int>) -> Range<Int> {
        (frames.lowerBound - reach..<frames.upperBound + reach).clamped(to: heard)
    }

    /// Means over so many values on either side, of fewer at the ends.
    private static func means(_ values: [Float], reach: Int) -> [Float] {
        let last = values.count - 1
        var means = [Float](repeating: 0, count: values.count)
        values.withUnsafeBufferPointer { values in
            means.withUnsafeMutableBufferPointer { means in
                // Neighbour by neighbour, so that many sums are made at once.
                for distance in -reach...reach {
                    let first = max(0, -distance)
                    let end = min(values.count, values.count - distance)
                    for place in first..<max(first, end) {
                        means[place] += values[place &+ distance]
                    }
                }
            }
        }
        for place in means.indices {
            means[place] /= Float(min(last, place + reach) - max(0, place - reach) + 1)
        }
        return means
    }

    /// Between the modes of the score, as for the classical detector; high where there is but one.
    private static func threshold(_ scores: DecibelHistogram) -> Float {
        let mixture = GaussianMixture(scores)
        guard mixture.separation >= 0.9 else { return Float(highestThreshold) }
        let distance = mixture.high.mean - mixture.low.mean
        return Float(max(1.5, min(highestThreshold, mixture.low.mean + 0.28 * distance)))
    }
}

extension ActivityTrack {
    /// What the speech network is shown of all frames, 28 numbers each, for its training.
    package func speechInputs() -> [Float] {
        let inputs = SpeechInputs(self, 0..<frames)
        return [Float](unsafeUninitializedCapacity: frames * SpeechInputs.count) {
            inputs.fill(0..<frames, into: $0)
            $1 = frames * SpeechInputs.count
        }
    }
}
