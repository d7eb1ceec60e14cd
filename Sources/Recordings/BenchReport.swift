/// How fast recordings were worked on; what `tapedeck bench --json` prints and a baseline holds.
///
/// Speeds are hours of sound in a minute of wall time.
package struct BenchReport: Hashable, Codable, Sendable {
    /// Grows when a figure gets another meaning.
    package static let currentFormat = 1

    /// Tells the object from others.
    package static let event = "benchmark"

    package var event = BenchReport.event
    package var format = BenchReport.currentFormat
    /// The version that was measured.
    package var version: String
    package var machine: BenchMachine
    package var sound: BenchSound
    /// How often each figure was taken.
    package var repeats: Int
    /// By format, and in the order of `BenchStage`.
    package var stages: [BenchLine]
    /// In the order in which they were asked for.
    package var runs: [BenchRun]

    package init(
        version: String, machine: BenchMachine, sound: BenchSound, repeats: Int,
        stages: [BenchLine], runs: [BenchRun]
    ) {
        self.version = version
        self.machine = machine
        self.sound = sound
        self.repeats = repeats
        self.stages = stages
        self.runs = runs
    }
}

/// Where it was measured, as far as it matters for speed.
package struct BenchMachine: Hashable, Codable, Sendable {
    package var processor: String
    package var cores: Int
    package var system: String
    /// Whether the command was built to be fast, and not to be looked into.
    package var isOptimized: Bool

    package init(processor: String, cores: Int, system: String, isOptimized: Bool) {
        self.processor = processor
        self.cores = cores
        self.system = system
        self.isOptimized = isOptimized
    }
}

/// What was worked on.
package struct BenchSound: Hashable, Codable, Sendable {
    /// As the user wrote it; `nil` where recordings were made for it.
    package var path: Pathname?
    /// Recordings that were worked on.
    package var recordings: Int
    package var seconds: Double
    package var bytes: Int64
    /// All recordings below the path.
    package var found: Int
    /// Of those that were looked at, what could not be decoded.
    package var undecodable: Int
    /// Of names, sizes and lengths, in hexadecimal: the same for the same recordings.
    package var digest: String

    package init(
        path: Pathname?, recordings: Int, seconds: Double, bytes: Int64, found: Int,
        undecodable: Int, digest: String
    ) {
        self.path = path
        self.recordings = recordings
        self.seconds = seconds
        self.bytes = bytes
        self.found = found
        self.undecodable = undecodable
        self.digest = digest
    }
}

/// What is timed by itself, each with the decoding that it needs.
package enum BenchStage: String, Hashable, Codable, Sendable, CaseIterable {
    /// Decoding alone: the floor of all others.
    case decode
    case waveform, levels, silence
    /// The three before it in one pass, as a run does it.
    case listen
    /// Writing the trimmed copy.
    case trim
}

/// How fast one stage is on recordings of one format, by one worker.
package struct BenchLine: Hashable, Codable, Sendable {
    package var container: AudioContainer
    package var encoding: SampleEncoding
    package var stage: BenchStage
    /// Recordings on which there was something to do.
    package var recordings: Int
    package var soundSeconds: Double
    package var hoursPerMinute: Spread
    /// CPU time of all of them.
    package var cpuSeconds: Spread
    /// CPU time over that of decoding the same recordings in the same round.
    package var ratioToDecoding: Spread

    package init(
        container: AudioContainer, encoding: SampleEncoding, stage: BenchStage, recordings: Int,
        soundSeconds: Double, hoursPerMinute: Spread, cpuSeconds: Spread, ratioToDecoding: Spread
    ) {
        self.container = container
        self.encoding = encoding
        self.stage = stage
        self.recordings = recordings
        self.soundSeconds = soundSeconds
        self.hoursPerMinute = hoursPerMinute
        self.cpuSeconds = cpuSeconds
        self.ratioToDecoding = ratioToDecoding
    }
}

/// How fast whole runs are, as processes of their own, with all that they write.
package struct BenchRun: Hashable, Codable, Sendable {
    package var jobs: Int
    package var hoursPerMinute: Spread
    /// Speed over that of the first run in the same round.
    package var factor: Spread
    package var cpuSeconds: Spread
    /// The most memory that the process had in any round.
    package var peakBytes: Int64

    package init(
        jobs: Int, hoursPerMinute: Spread, factor: Spread, cpuSeconds: Spread, peakBytes: Int64
    ) {
        self.jobs = jobs
        self.hoursPerMinute = hoursPerMinute
        self.factor = factor
        self.cpuSeconds = cpuSeconds
        self.peakBytes = peakBytes
    }
}
