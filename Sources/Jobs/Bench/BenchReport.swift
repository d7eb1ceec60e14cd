import Recordings

/// How fast recordings were worked on; what `tapedeck bench --json` prints.
///
/// Speeds are hours of sound in a minute of wall time.
package struct BenchReport: Hashable, Encodable, Sendable {
    package var event = "benchmark"
    /// Grows when a figure gets another meaning.
    package var format = 1
    /// The version that was measured.
    package var version: String
    package var sound: BenchSound
    /// How often each figure was taken.
    package var repeats: Int
    /// By format, and in the order of `BenchStage`.
    package var stages: [BenchLine]
    /// In the order in which they were asked for.
    package var runs: [BenchRun]

    package init(
        version: String, sound: BenchSound, stages: [BenchLine], runs: [BenchRun], repeats: Int
    ) {
        self.version = version
        self.sound = sound
        self.stages = stages
        self.runs = runs
        self.repeats = repeats
    }
}

/// What was worked on.
package struct BenchSound: Hashable, Encodable, Sendable {
    /// As the user wrote it.
    package var path: Pathname
    /// Recordings that were worked on.
    package var recordings = 0
    package var seconds = 0.0
    package var bytes: Int64 = 0
    /// All recordings below the path.
    package var found = 0
    /// Of those that were looked at, what could not be decoded.
    package var undecodable = 0

    package init(path: Pathname) {
        self.path = path
    }
}

/// What is timed by itself, each with the decoding that it needs.
package enum BenchStage: String, Hashable, Encodable, Sendable, CaseIterable {
    /// Decoding alone: the floor of all others.
    case decode
    case waveform, levels, silence
    /// The three before it in one pass, as a run does it.
    case listen
    /// Writing the trimmed copy.
    case trim
}

/// What a piece of work took.
package struct BenchCost: Hashable, Sendable {
    package var wallSeconds: Double
    package var cpuSeconds: Double
    /// The most memory that its process had, where it was one of its own.
    package var peakBytes: Int64

    package init(wallSeconds: Double, cpuSeconds: Double, peakBytes: Int64 = 0) {
        self.wallSeconds = wallSeconds
        self.cpuSeconds = cpuSeconds
        self.peakBytes = peakBytes
    }

    fileprivate static func + (one: BenchCost, other: BenchCost) -> BenchCost {
        BenchCost(
            wallSeconds: one.wallSeconds + other.wallSeconds,
            cpuSeconds: one.cpuSeconds + other.cpuSeconds)
    }
}

/// One recording, and what each stage of it took in each round.
package struct BenchRecording: Sendable {
    package var format: AudioFormat
    /// A stage that had nothing to do has no costs.
    package var costs: [BenchStage: [BenchCost]] = [:]

    package init(format: AudioFormat) {
        self.format = format
    }
}

/// How fast one stage is on recordings of one format, by one worker.
package struct BenchLine: Hashable, Encodable, Sendable {
    package var container: AudioContainer
    package var encoding: SampleEncoding
    package var stage: BenchStage
    /// Recordings on which there was something to do.
    package var recordings: Int
    package var soundSeconds: Double
    package var hoursPerMinute: MedianAndRange
    /// CPU time of all of them.
    package var cpuSeconds: MedianAndRange
    /// CPU time over that of decoding the same recordings in the same round.
    package var ratioToDecoding: MedianAndRange

    /// The lines of recordings, by their formats.
    package static func lines(of recordings: [BenchRecording]) -> [BenchLine] {
        AudioContainer.allCases.flatMap { container in
            SampleEncoding.allCases.flatMap { encoding in
                let alike = recordings.filter {
                    $0.format.container == container && $0.format.encoding == encoding
                }
                return BenchStage.allCases.compactMap { BenchLine($0, of: alike) }
            }
        }
    }

    /// `nil` where no recording had anything to do.
    private init?(_ stage: BenchStage, of alike: [BenchRecording]) {
        let alike = alike.filter { $0.costs[stage] != nil }
        guard let first = alike.first else { return nil }
        let rounds = BenchLine.rounds(stage, of: alike)
        let decoding = BenchLine.rounds(.decode, of: alike)
        container = first.format.container
        encoding = first.format.encoding
        self.stage = stage
        recordings = alike.count
        let seconds = alike.reduce(0) { $0 + $1.format.durationSeconds }
        soundSeconds = seconds
        hoursPerMinute = MedianAndRange(of: rounds.map { seconds / 60 / $0.wallSeconds })
        cpuSeconds = MedianAndRange(of: rounds.map(\.cpuSeconds))
        ratioToDecoding = MedianAndRange(
            of: zip(rounds, decoding).map { $0.cpuSeconds / $1.cpuSeconds })
    }

    /// What each round took over all recordings.
    private static func rounds(
        _ stage: BenchStage, of recordings: [BenchRecording]
    ) -> [BenchCost] {
        let costs = recordings.map { $0.costs[stage] ?? [] }
        return costs.dropFirst().reduce(costs.first ?? []) { zip($0, $1).map { $0 + $1 } }
    }
}

/// How fast whole runs are, as processes of their own, with all that they write.
package struct BenchRun: Hashable, Encodable, Sendable {
    package var jobs: Int
    package var hoursPerMinute: MedianAndRange
    /// Speed over that of the first run in the same round.
    package var factor: MedianAndRange
    package var cpuSeconds: MedianAndRange
    /// The most memory that the process had in any round.
    package var peakBytes: Int64

    /// - Parameters:
    ///   - costs: of each round.
    ///   - first: of each round of the first runs.
    package init(jobs: Int, soundSeconds: Double, costs: [BenchCost], first: [BenchCost]) {
        self.jobs = jobs
        hoursPerMinute = MedianAndRange(of: costs.map { soundSeconds / 60 / $0.wallSeconds })
        factor = MedianAndRange(of: zip(first, costs).map { $0.wallSeconds / $1.wallSeconds })
        cpuSeconds = MedianAndRange(of: costs.map(\.cpuSeconds))
        peakBytes = costs.map(\.peakBytes).max() ?? 0
    }
}
