import Recordings

/// The scores that decide what is sound: how far each frame stands out, in decibels.
///
/// Memory: four bytes per frame in addition to the track, and six times as much while computing.
struct Activity {
    let track: ActivityTrack
    /// How far each frame stands out from its surroundings, averaged over seven frames.
    private let scores: [Float]
    /// Sound that has raised its own floor; `nil` when looking for speech only, which has pauses.
    let lasting: SustainedSound?

    private static let voiceShare: Float = 0.3
    private static let periodicityWeight: Float = 2
    /// The approximate periodicity of noise.
    private static let usualPeriodicity: Float = 0.35
    /// Sound with less modulation than this, in decibels, is not speech.
    private static let leastModulation: Float = 1.2
    /// Decibels of score allowed per decibel of modulation above that.
    private static let scorePerModulation: Float = 6
    /// The largest penalty for lack of modulation: 15 dB above its floor, such sound is retained.
    private static let greatestLoss: Float = 15
    /// Noise never reaches this periodicity.
    private static let voicedPeriodicity: Float = 0.5
    private static let lossPerPeriodicity: Float = 50
    /// Lower scores would form a third mode, from pauses in the noise.
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

    /// How far a frame stands out from the surrounding seconds.
    func score(at frame: Int) -> Float { scores[frame] }

    /// How far it stands out from these or, including lasting sound around it, from the usual.
    func widestScore(at frame: Int) -> Float {
        max(scores[frame], lasting?.rise(at: frame) ?? -.infinity)
    }

    /// The rise of the upper bands above their floor, averaged over three frames.
    func high(at frame: Int) -> Float {
        let range = max(0, frame - 1)...min(frames - 1, frame + 1)
        return range.reduce(0) { $0 + track.highRise(at: $1) } / Float(range.count)
    }

    /// The scores of the frames that are not digital silence.
    func scoreHistogram(_ range: Range<Int>) -> DecibelHistogram {
        var histogram = DecibelHistogram()
        for frame in range where !track.isDigitalSilence(at: frame) {
            histogram.add(score(at: frame))
        }
        return histogram
    }

    /// The distance between the scores of sound and of the rest, in deviations, without digital
    /// silence; both must exist.
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

    /// Scores that also separate speech from other sound: by the level of the voice bands, pitch,
    /// and modulation.
    ///
    /// - Parameter caution: Decibels that even unmodulated sound may score.
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

    /// The largest penalty for a steady frame: in full if its periodicity is that of noise, none if
    /// it is that of a singing voice.
    private static func steadinessLoss(_ track: ActivityTrack, at frame: Int) -> Float {
        let range = max(0, frame - 2)...min(track.frames - 1, frame + 2)
        let sum = range.reduce(0) { $0 + track.periodicity(at: $1) }
        let beyond = max(0, sum / Float(range.count) - voicedPeriodicity)
        return max(0, greatestLoss - lossPerPeriodicity * beyond)
    }

    /// The moving mean, over fewer frames at the edges.
    private static func smoothed(_ values: [Float]) -> [Float] {
        values.indices.map { frame in
            let range = max(0, frame - reach)...min(values.count - 1, frame + reach)
            return values[range].reduce(0, +) / Float(range.count)
        }
    }
}
