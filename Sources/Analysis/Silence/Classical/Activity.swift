import Recordings

/// A track as decisions are made of it: how far each frame stands out, in decibels.
///
/// Memory: four bytes a frame beyond the track, and six times as much while it is made.
struct Activity {
    let track: ActivityTrack
    /// How far each frame stands out of what is around it, the mean of seven frames.
    private let scores: [Float]
    /// Sound that is its own floor; `nil` where only speech is sought, which pauses.
    let lasting: SustainedSound?

    private static let voiceShare: Float = 0.3
    private static let periodicityWeight: Float = 2
    /// About what noise has.
    private static let usualPeriodicity: Float = 0.35
    /// What wavers less than this, in decibels, is no speech.
    private static let leastModulation: Float = 1.2
    /// Decibels of score that each decibel of wavering beyond that allows.
    private static let scorePerModulation: Float = 6
    /// What hardly wavers loses no more than so many decibels: 15 dB over its floor it is kept.
    private static let greatestLoss: Float = 15
    /// More than noise ever has.
    private static let voicedPeriodicity: Float = 0.5
    private static let lossPerPeriodicity: Float = 50
    /// Lower scores would make a third mode, of the pauses in the noise.
    private static let lowestScore: Float = -1.5
    private static let reach = 3

    init(_ track: ActivityTrack, _ recipe: SilenceRecipe) {
        self.track = track
        lasting = recipe.activity == .any ? SustainedSound(track) : nil
        let raw =
            recipe.activity == .speech
            ? Activity.speechScores(track, caution: Float(recipe.sensitivityDecibels))
            : track.rises.map { Float($0) / 100 }
        scores = Activity.smoothed(
            raw.indices.map {
                track.isDigitalSilence(at: $0) ? 0 : max(Activity.lowestScore, raw[$0])
            })
    }

    var frames: Int { track.frames }

    /// How far a frame stands out of the seconds around.
    func score(at frame: Int) -> Float { scores[frame] }

    /// How far it stands out of these or, with all that lasts around it, of what is usual.
    func widestScore(at frame: Int) -> Float {
        max(scores[frame], lasting?.rise(at: frame) ?? -.infinity)
    }

    /// How far the upper bands stand above their floor, the mean of three frames.
    func high(at frame: Int) -> Float {
        let range = max(0, frame - 1)...min(frames - 1, frame + 1)
        return range.reduce(0) { $0 + track.highRise(at: $1) } / Float(range.count)
    }

    /// The scores of those frames that are not digital silence.
    func scoreHistogram(_ range: Range<Int>) -> DecibelHistogram {
        var histogram = DecibelHistogram()
        for frame in range where !track.isDigitalSilence(at: frame) {
            histogram.add(score(at: frame))
        }
        return histogram
    }

    /// How far the scores of sound and of the rest lie apart, in deviations, digital silence left
    /// out; both are there.
    func separation(of runs: [Range<Int>]) -> Double {
        var sides = [Moments(), Moments()]
        var end = 0
        for run in runs + [frames..<frames] {
            for (side, range) in [end..<run.lowerBound, run].enumerated() {
                for frame in range where !track.isDigitalSilence(at: frame) {
                    sides[side].add(Double(widestScore(at: frame)))
                }
            }
            end = run.upperBound
        }
        let (floor, sound) = (sides[0], sides[1])
        return (sound.mean - floor.mean) / max(1, sound.deviation + floor.deviation)
    }

    /// Scores that tell speech from other sound as well: by the level of the bands that voices
    /// share, by their pitch, and by how they waver.
    ///
    /// - Parameter caution: Decibels that even what hardly wavers may score.
    private static func speechScores(_ track: ActivityTrack, caution: Float) -> [Float] {
        let modulation = Modulation(levels: track.voiceLevels).decibels
        var scores = [Float](repeating: 0, count: track.frames)
        for frame in scores.indices {
            let rise = Float(track.rises[frame]) / 100
            let voiceRise = Float(track.voiceRises[frame]) / 100
            let periodicity = track.periodicity(at: frame)
            let score =
                (1 - voiceShare) * rise + voiceShare * voiceRise
                + periodicityWeight * (periodicity - usualPeriodicity)
            let ceiling =
                max(0, scorePerModulation * (modulation[frame] - leastModulation)) + caution
            let loss = steadinessLoss(track, at: frame)
            scores[frame] = min(score, max(ceiling, score - loss))
        }
        return scores
    }

    /// The most that a steady frame loses: all of it where it stands out as noise does, nothing
    /// where it repeats as strongly as a voice that sings.
    private static func steadinessLoss(_ track: ActivityTrack, at frame: Int) -> Float {
        let range = max(0, frame - 2)...min(track.frames - 1, frame + 2)
        let sum = range.reduce(0) { $0 + track.periodicity(at: $1) }
        let beyond = max(0, sum / Float(range.count) - voicedPeriodicity)
        return max(0, greatestLoss - lossPerPeriodicity * beyond)
    }

    /// The mean of the frames around each, of fewer at the edges.
    private static func smoothed(_ values: [Float]) -> [Float] {
        values.indices.map { frame in
            let range = max(0, frame - reach)...min(values.count - 1, frame + reach)
            return values[range].reduce(0, +) / Float(range.count)
        }
    }
}
