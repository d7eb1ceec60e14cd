import CLanes

/// Smoothed levels and scores of the frames heard in a track; other frames have no influence.
struct SmoothedTrack {
    let track: ActivityTrack
    let heard: Range<Int>

    /// The level used for digital silence.
    static let silenceDBFS: Float = -160

    func level(at frame: Int) -> Float {
        track.isDigitalSilence(at: frame)
            ? SmoothedTrack.silenceDBFS : track.levelDBFS(at: frame)
    }

    /// Histograms of levels from -160 to 40 dBFS and of smoothed scores, without digital silence.
    struct Histograms {
        fileprivate(set) var levels = DecibelHistogram(lowest: -160, step: 0.5)
        fileprivate(set) var scores = DecibelHistogram()

        /// The sum of these histograms and others.
        func joined(_ other: Histograms) -> Histograms {
            var both = self
            both.levels.add(other.levels)
            both.scores.add(other.scores)
            return both
        }
    }

    /// The histograms of a range.
    func histograms(_ range: Range<Int>) -> Histograms {
        var histograms = Histograms()
        for (frame, score) in zip(range, self.scores(range))
        where !track.isDigitalSilence(at: frame) {
            histograms.levels.add(track.levelDBFS(at: frame))
            histograms.scores.add(score)
        }
        return histograms
    }

    /// The power mean of the available bands, between mean and maximum, averaged over five frames.
    func scores(_ frames: Range<Int>) -> [Float] {
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
        SmoothedTrack.powers.withUnsafeBufferPointer { powers in
            track.bands.withUnsafeBufferPointer { bytes in
                for (place, frame) in frames.enumerated() {
                    var sum: Float = 0
                    for band in 0..<own { sum += powers[Int(bytes[frame &* bands &+ band])] }
                    sums[place] = sum * share
                }
            }
        }
        lanes_decibels(&sums, sums.count)
        for place in sums.indices { sums[place] /= SmoothedTrack.exponent }
        return sums
    }

    private static let exponent: Float = 0.5
    /// The contribution of a band's step to the power mean.
    private static let powers: [Float] = (0...255).map { step in
        let rise = Float(step) * ActivityTrack.bandStepDecibels + ActivityTrack.lowestBandDecibels
        return Decibels.power(exponent * rise)
    }

    /// Means over `reach` frames on either side, or fewer at the ends of the frames heard.
    func smoothed(
        _ frames: Range<Int>, reach: Int, _ value: (Int) -> Float
    ) -> [Float] {
        let around = reaching(reach, around: frames)
        let means = SmoothedTrack.means(around.map(value), reach: reach)
        return Array(means[(frames.lowerBound - around.lowerBound)...].prefix(frames.count))
    }

    /// The range extended by `reach` frames on either side, within the frames heard.
    private func reaching(_ reach: Int, around frames: Range<Int>) -> Range<Int> {
        (frames.lowerBound - reach..<frames.upperBound + reach).clamped(to: heard)
    }

    /// Means over `reach` values on either side, or fewer at the ends.
    private static func means(_ values: [Float], reach: Int) -> [Float] {
        let last = values.count - 1
        var means = [Float](repeating: 0, count: values.count)
        values.withUnsafeBufferPointer { values in
            means.withUnsafeMutableBufferPointer { means in
                // One neighbour offset at a time, so that the sums vectorize.
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
}
