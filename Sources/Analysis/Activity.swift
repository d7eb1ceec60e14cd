/// A track made ready for deciding: decibels, smoothed over a few frames.
struct Activity {
    /// How far each frame stands above its floor, the mean of five frames.
    let scores: [Float]
    /// Level of each frame from 78 Hz up; means nothing in digital silence.
    let levelsDBFS: [Float]
    /// How far the upper bands stand above their floor, the mean of three frames.
    let highs: [Float]
    let isDigitalSilence: [Bool]

    var frames: Int { scores.count }

    init(_ track: ActivityTrack) {
        isDigitalSilence = track.levels.map { $0 == ActivityTrack.digitalSilence }
        levelsDBFS = track.levels.map { Float($0) / 100 }
        scores = Activity.smoothed(track.scores.map { Float($0) / 100 }, reach: 2)
        highs = Activity.smoothed(track.highs.map { Float($0) / 4 }, reach: 1)
    }

    /// The scores of those frames that are not digital silence.
    func scoreHistogram(_ range: Range<Int>) -> DecibelHistogram {
        var histogram = DecibelHistogram()
        for frame in range where !isDigitalSilence[frame] { histogram.add(scores[frame]) }
        return histogram
    }

    /// The levels of those frames that are not digital silence.
    func levelHistogram(_ range: Range<Int>) -> DecibelHistogram {
        var histogram = DecibelHistogram(lowest: -110)
        for frame in range where !isDigitalSilence[frame] { histogram.add(levelsDBFS[frame]) }
        return histogram
    }

    private static func smoothed(_ values: [Float], reach: Int) -> [Float] {
        values.indices.map { index in
            var sum: Float = 0
            let range = max(0, index - reach)...min(values.count - 1, index + reach)
            for neighbour in range { sum += values[neighbour] }
            return sum / Float(range.count)
        }
    }
}
