/// A track as decisions are made of it: in decibels, smoothed over a few frames.
///
/// Each value is computed when it is asked for, so that hours need no memory beyond the track.
struct Activity {
    private let track: ActivityTrack

    init(_ track: ActivityTrack) {
        self.track = track
    }

    var frames: Int { track.frames }

    func isDigitalSilence(at frame: Int) -> Bool {
        track.levels[frame] == ActivityTrack.digitalSilence
    }

    /// Level of a frame from 78 Hz up; means nothing in digital silence.
    func levelDBFS(at frame: Int) -> Float { Float(track.levels[frame]) / 100 }

    /// The floor around a frame, all bands together; minus infinity where none was followed.
    func floorDBFS(at frame: Int) -> Float {
        let place = frame / (ActivityTrack.framesPerSecond / 10)
        return place < track.floors.count ? Float(track.floors[place]) / 100 : -.infinity
    }

    /// How far a frame stands above its floor, the mean of five frames.
    func score(at frame: Int) -> Float {
        mean(around: frame, reach: 2) { track.score(at: $0) }
    }

    /// How far the upper bands stand above their floor, the mean of three frames.
    func high(at frame: Int) -> Float {
        mean(around: frame, reach: 1) { Float(track.highs[$0]) / 4 }
    }

    /// The scores of those frames that are not digital silence.
    func scoreHistogram(_ range: Range<Int>) -> DecibelHistogram {
        var histogram = DecibelHistogram()
        for frame in range where !isDigitalSilence(at: frame) { histogram.add(score(at: frame)) }
        return histogram
    }

    /// The levels of those frames that are not digital silence.
    func levelHistogram(_ range: Range<Int>) -> DecibelHistogram {
        var histogram = DecibelHistogram(lowest: -110)
        for frame in range where !isDigitalSilence(at: frame) {
            histogram.add(levelDBFS(at: frame))
        }
        return histogram
    }

    private func mean(around frame: Int, reach: Int, of value: (Int) -> Float) -> Float {
        let range = max(0, frame - reach)...min(frames - 1, frame + reach)
        return range.reduce(0) { $0 + value($1) } / Float(range.count)
    }
}
