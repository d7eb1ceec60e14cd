import Recordings

/// The throughput of whole runs, output included; printed by `tapedeck bench --json`.
package struct BenchReport: Hashable, Encodable, Sendable {
    package var event = "benchmark"
    /// Incremented when a figure changes its meaning.
    package var format = 1
    /// The Tapedeck version that was measured.
    package var version: String
    package var sound: BenchSound
    /// Number of measurements of each figure.
    package var repeats: Int
    /// In the order in which they were asked for.
    package var runs: [BenchRun]

    package init(version: String, sound: BenchSound, repeats: Int, runs: [BenchRun]) {
        self.version = version
        self.sound = sound
        self.repeats = repeats
        self.runs = runs
    }
}

/// The recordings that were processed.
package struct BenchSound: Hashable, Encodable, Sendable {
    /// As the user wrote it.
    package var path: Pathname
    /// Number of recordings processed without failure.
    package var recordings = 0
    package var seconds = 0.0
    package var bytes: Int64 = 0
    /// Number of recordings that failed.
    package var failed = 0

    package init(path: Pathname) {
        self.path = path
    }

    package mutating func count(_ entry: ManifestEntry) {
        guard entry.failure == nil else {
            failed += 1
            return
        }
        recordings += 1
        seconds += entry.format?.durationSeconds ?? 0
        bytes += entry.source?.bytes ?? 0
    }
}

/// The cost of one run.
package struct BenchCost: Hashable, Sendable {
    package var wallSeconds: Double
    package var cpuSeconds: Double
    /// Peak memory of its process.
    package var peakBytes: Int64

    package init(wallSeconds: Double, cpuSeconds: Double, peakBytes: Int64) {
        self.wallSeconds = wallSeconds
        self.cpuSeconds = cpuSeconds
        self.peakBytes = peakBytes
    }
}

/// Runs with this number of workers, each in a process of its own.
package struct BenchRun: Hashable, Encodable, Sendable {
    package var jobs: Int
    package var seconds: MedianAndRange
    package var cpuSeconds: MedianAndRange
    /// Hours of audio processed per minute.
    package var hoursPerMinute: MedianAndRange
    /// Megabytes (10^6 bytes) of recordings processed per second.
    package var megabytesPerSecond: MedianAndRange
    /// Peak memory of the process, over all repeats.
    package var peakBytes: Int64

    /// - Parameter costs: one for each repeat.
    package init(jobs: Int, _ sound: BenchSound, costs: [BenchCost]) {
        let seconds = costs.map(\.wallSeconds)
        self.jobs = jobs
        self.seconds = MedianAndRange(of: seconds)
        cpuSeconds = MedianAndRange(of: costs.map(\.cpuSeconds))
        hoursPerMinute = MedianAndRange(of: seconds.map { sound.seconds / 60 / $0 })
        megabytesPerSecond = MedianAndRange(of: seconds.map { Double(sound.bytes) / 1e6 / $0 })
        peakBytes = costs.map(\.peakBytes).max() ?? 0
    }
}

/// Why a benchmark cannot be run.
package enum BenchRefusal: Error, Hashable, Sendable {
    /// A run would refuse the path, so it cannot be measured.
    case path(RunRefusal)
    case noRecordings(Pathname)
    /// All recordings failed; the failure of one of them.
    case allFailed(Pathname, count: Int, example: Pathname, RecordingFailure)
    /// There is no room for temporary output; `detail` is the system's error message.
    case noScratch(Pathname, detail: String)
    /// A run could not be started or failed; `detail` is its last output.
    case runFailed(status: Int32, detail: String)
    case stopped(StopSignal)
}
