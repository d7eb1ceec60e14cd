import Recordings

/// How fast whole runs are, with all that they write; what `tapedeck bench --json` prints.
package struct BenchReport: Hashable, Encodable, Sendable {
    package var event = "benchmark"
    /// Grows when a figure gets another meaning.
    package var format = 1
    /// The version that was measured.
    package var version: String
    package var sound: BenchSound
    /// How often each figure was taken.
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

/// What was worked on.
package struct BenchSound: Hashable, Encodable, Sendable {
    /// As the user wrote it.
    package var path: Pathname
    /// Recordings of which everything was made.
    package var recordings = 0
    package var seconds = 0.0
    package var bytes: Int64 = 0
    /// Recordings that failed.
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

/// What one run took.
package struct BenchCost: Hashable, Sendable {
    package var wallSeconds: Double
    package var cpuSeconds: Double
    /// The most memory that its process had.
    package var peakBytes: Int64

    package init(wallSeconds: Double, cpuSeconds: Double, peakBytes: Int64) {
        self.wallSeconds = wallSeconds
        self.cpuSeconds = cpuSeconds
        self.peakBytes = peakBytes
    }
}

/// Runs with so many workers, each a process of its own.
package struct BenchRun: Hashable, Encodable, Sendable {
    package var jobs: Int
    package var seconds: MedianAndRange
    package var cpuSeconds: MedianAndRange
    /// Hours of sound in a minute.
    package var hoursPerMinute: MedianAndRange
    /// Millions of bytes of recordings in a second.
    package var megabytesPerSecond: MedianAndRange
    /// The most memory that the process had in any repeat.
    package var peakBytes: Int64

    /// - Parameter costs: of each repeat.
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

/// Why speed is not measured.
package enum BenchRefusal: Error, Hashable, Sendable {
    /// The path cannot be measured on, as it could not be worked on.
    case path(RunRefusal)
    case noRecordings(Pathname)
    /// All recordings failed; why one of them did.
    case allFailed(Pathname, count: Int, example: Pathname, RecordingFailure)
    /// There is no room for what is written meanwhile; `detail` has the system's own words.
    case noScratch(Pathname, detail: String)
    /// A run could not be started, or did not end well; the last that it said.
    case runFailed(status: Int32, detail: String)
    case stopped(StopSignal)
}
