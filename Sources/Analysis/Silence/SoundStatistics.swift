import Glibc

/// Level statistics of detected sound and of the rest, without digital silence.
struct SoundStatistics {
    private var sound = Side()
    private var floor = Side()
    private let levels: DecibelHistogram
    /// Whether anything remains besides the sound.
    private let hasPauses: Bool

    /// The minimum ratio of sound plus floor to floor: 1.5 dB.
    private static let leastPowerRatio = 1.41
    /// The minimum decibels by which the loudest tenth of the sound must exceed that of the rest.
    private static let leastDistance = 1.0
    /// Sound with less than this share, and no longer than two seconds, counts as negligible.
    private static let leastShare = 0.02
    private static let fewestFrames = 200.0

    init(_ track: ActivityTrack, sound runs: [Range<Int>]) {
        hasPauses = runs.reduce(0) { $0 + $1.count } < track.frames
        var end = 0
        for run in runs + [track.frames..<track.frames] {
            floor.add(track, end..<run.lowerBound)
            sound.add(track, run)
            end = run.upperBound
        }
        var levels = floor.levels
        levels.add(sound.levels)
        self.levels = levels
    }

    /// Whether there is sound, and a rest that is not digital silence.
    private var hasBothSides: Bool { sound.frames > 0 && floor.frames > 0 }

    /// The level of the quiet stretches; `nil` if all are digital silence.
    var floorDBFS: Double? { floor.levelDBFS }

    /// The ratio of the sound alone to the floor, which is contained in both.
    var signalToNoiseDecibels: Double? {
        guard hasBothSides else { return nil }
        return SoundStatistics.signalToNoiseDecibels(sound.power, floor: floor.power)
    }

    /// The ratio of the sound alone to the floor, of which at least a tenth is taken for sound.
    static func signalToNoiseDecibels(_ power: Double, floor: Double) -> Double {
        (10 * log10(max(power - floor, floor / 10) / floor)).rounded(toDecimals: 1)
    }

    /// The level exceeded by 3 % of frames; `nil` if all are digital silence.
    var loudLevelDBFS: Double? { levels.total > 0 ? levels.percentile(0.97) : nil }

    /// The level exceeded by 90 % of frames.
    var quietLevelDBFS: Double? {
        levels.total > 0 ? levels.percentile(0.1).rounded(toDecimals: 1) : nil
    }

    /// That level if everything is sound, so that there is no floor to measure.
    var quietLevelWithoutPauses: Double? { hasPauses ? nil : quietLevelDBFS }

    /// The standard deviation of the floor's level, in decibels.
    var levelSpreadDecibels: Double { floor.levelDeviation }

    /// Whether the sound is louder than the rest: notes of a melody stand out, but none of them is
    /// a floor.
    var isSoundLouder: Bool {
        hasBothSides && sound.power > SoundStatistics.leastPowerRatio * floor.power
    }

    /// Whether the loud parts of the rest are as loud as the sound.
    ///
    /// This is true of held notes, and of voices under the hum of another channel. An occasional
    /// knock may well be louder.
    var isFloorAsLoud: Bool {
        guard hasBothSides else { return false }
        let distance = sound.levels.percentile(0.9) - floor.levels.percentile(0.9)
        return distance < SoundStatistics.leastDistance
    }

    /// Whether hardly any sound was found.
    var isSoundScarce: Bool {
        sound.frames < SoundStatistics.leastShare * (sound.frames + floor.frames)
            && sound.frames < SoundStatistics.fewestFrames
    }
}

/// Sums over the frames of sound or of the rest.
private struct Side {
    private(set) var frames = 0.0
    private var powerSum = 0.0
    private var moments = Moments()
    private(set) var levels = DecibelHistogram.ofLevels

    var power: Double { powerSum / frames }
    var levelDBFS: Double? {
        frames > 0 ? (10 * log10(power)).rounded(toDecimals: 1) : nil
    }
    var levelDeviation: Double { moments.deviation }

    mutating func add(_ track: ActivityTrack, _ range: Range<Int>) {
        track.forEachLevels(in: range) { own in
            frames += Double(own.count)
            for level in own {
                moments.add(Double(level))
                levels.add(level)
            }
            for power in Decibels.powers(own) { powerSum += Double(power) }
        }
    }
}

extension ActivityTrack {
    /// Hands out the levels of the frames that are not digital silence, some at a time to limit the
    /// memory for long recordings.
    func forEachLevels(in range: Range<Int>, _ body: ([Float]) -> Void) {
        for start in stride(from: range.lowerBound, to: range.upperBound, by: 4096) {
            let part = start..<min(start + 4096, range.upperBound)
            body(part.filter { !isDigitalSilence(at: $0) }.map(levelDBFS(at:)))
        }
    }
}

/// Sums that give the mean and deviation of values; both are zero without values.
struct Moments {
    private(set) var count = 0.0
    private var sum = 0.0
    private var sumOfSquares = 0.0

    mutating func add(_ value: Double) {
        count += 1
        sum += value
        sumOfSquares += value * value
    }

    var mean: Double { count > 0 ? sum / count : 0 }

    var deviation: Double {
        guard count > 0 else { return 0 }
        return max(0, sumOfSquares / count - mean * mean).squareRoot()
    }
}
