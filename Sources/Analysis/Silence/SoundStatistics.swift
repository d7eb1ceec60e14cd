import Glibc

/// Levels of what was taken for sound and of what was not, digital silence left out.
struct SoundStatistics {
    private var sound = Side()
    private var floor = Side()
    private let levels: DecibelHistogram
    /// Whether there is anything beside the sound.
    private let hasPauses: Bool

    /// Sound and floor together over floor alone: 1.5 dB.
    private static let leastPowerRatio = 1.41
    /// Decibels by which the loudest tenth of the sound is louder than that of the rest, at least.
    private static let leastDistance = 1.0
    /// Sound that is so small a share of all, and lasts no longer than two seconds, is next to
    /// none.
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

    /// Whether there is sound, and something beside it that is not digital silence.
    private var hasBothSides: Bool { sound.frames > 0 && floor.frames > 0 }

    /// Level of the quiet stretches; `nil` where all are digital silence.
    var floorDBFS: Double? { floor.levelDBFS }

    /// How far the sound alone stands above the floor, which is part of both.
    var signalToNoiseDecibels: Double? {
        guard hasBothSides else { return nil }
        let soundPower = max(sound.power - floor.power, floor.power / 10)
        return (10 * log10(soundPower / floor.power)).rounded(toDecimals: 1)
    }

    /// Level that only three frames in a hundred exceed; `nil` where all are digital silence.
    var loudLevelDBFS: Double? { levels.total > 0 ? levels.percentile(0.97) : nil }

    /// Level that only one frame in ten does not reach.
    var quietLevelDBFS: Double? {
        levels.total > 0 ? levels.percentile(0.1).rounded(toDecimals: 1) : nil
    }

    /// That level where all is sound, so that there is no floor to be measured beside it.
    var quietLevelWithoutPauses: Double? { hasPauses ? nil : quietLevelDBFS }

    /// Deviation of the level in decibels.
    var levelSpreadDecibels: Double { floor.levelDeviation }

    /// Whether what was found is louder than the rest: the notes of a melody stand out, but none of
    /// them is a floor.
    var isSoundLouder: Bool {
        hasBothSides && sound.power > SoundStatistics.leastPowerRatio * floor.power
    }

    /// Whether the rest is as loud where it is loud as what was found.
    ///
    /// So are notes that are held, and voices beneath the hum of another channel. A knock now and
    /// then may well be louder.
    var isFloorAsLoud: Bool {
        guard hasBothSides else { return false }
        let distance = sound.levels.percentile(0.9) - floor.levels.percentile(0.9)
        return distance < SoundStatistics.leastDistance
    }

    /// Whether next to nothing was found.
    var isSoundScarce: Bool {
        sound.frames < SoundStatistics.leastShare * (sound.frames + floor.frames)
            && sound.frames < SoundStatistics.fewestFrames
    }
}

/// Sums over the frames on one side.
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
        for start in stride(from: range.lowerBound, to: range.upperBound, by: Side.framesAtOnce) {
            let end = min(start + Side.framesAtOnce, range.upperBound)
            let own = (start..<end).filter { !track.isDigitalSilence(at: $0) }
                .map(track.levelDBFS(at:))
            frames += Double(own.count)
            for level in own {
                moments.add(Double(level))
                levels.add(level)
            }
            for power in Decibels.powers(own) { powerSum += Double(power) }
        }
    }

    /// Few enough that a long recording takes no more memory.
    private static let framesAtOnce = 4096
}

/// Sums that give the mean and the deviation of some values; zero of none.
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
