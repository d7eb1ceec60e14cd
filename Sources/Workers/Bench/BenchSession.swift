import Jobs
import Recordings

/// A measuring from its beginning to its end.
package struct BenchSession {
    /// What is to be measured.
    package struct Settings: Sendable {
        /// A folder or a recording; `nil` to make some.
        package var path: Pathname?
        /// Sound to measure on, at most.
        package var limitSeconds: Double
        /// Numbers of workers, each once.
        package var jobs: [Int]
        package var repeats: Int
        /// After so long no further round begins.
        package var longestSeconds: Double
        package var version: String

        package init(
            path: Pathname?, limitSeconds: Double, jobs: [Int], repeats: Int,
            longestSeconds: Double, version: String
        ) {
            self.path = path
            self.limitSeconds = limitSeconds
            self.jobs = jobs
            self.repeats = repeats
            self.longestSeconds = longestSeconds
            self.version = version
        }
    }

    private let settings: Settings
    private let stop: BenchStop

    package init(_ settings: Settings, _ stop: BenchStop) {
        self.settings = settings
        self.stop = stop
    }

    /// Runs to the end; whatever becomes of it, nothing that it wrote is left.
    package func run(
        _ tell: (BenchPhase) -> Void
    ) throws(BenchRefusal) -> BenchReport {
        let scratch = try BenchScratch()
        defer { scratch.remove() }
        var library = try library(in: scratch, tell)
        tell(.warmingUp(recordings: library.entries.count))
        var pass = BenchPass(scratch, stop)
        try pass.warmUp(&library)
        let seconds = library.sound.seconds
        var runs = settings.jobs.map { BenchRuns(jobs: $0, soundSeconds: seconds) }
        let start = Stopwatch.now.wallSeconds
        var repeats = 0
        while repeats < settings.repeats {
            if repeats > 0, Stopwatch.now.wallSeconds - start > settings.longestSeconds { break }
            repeats += 1
            tell(.round(repeats, of: settings.repeats))
            for index in runs.indices {
                try runs[index].run(library.entries.map(\.path), scratch, stop)
            }
            try pass.round()
        }
        return BenchReport(
            version: settings.version, machine: .here, sound: library.sound, repeats: repeats,
            stages: pass.lines,
            runs: runs.compactMap { $0.result(against: runs[0]) })
    }

    private func library(
        in scratch: BenchScratch, _ tell: (BenchPhase) -> Void
    ) throws(BenchRefusal) -> BenchLibrary {
        if let path = settings.path {
            return try BenchLibrary(
                at: path, limitSeconds: settings.limitSeconds, scratch, stop)
        }
        tell(.making)
        let made = try BenchSounds.make(
            in: scratch.path.appending("sounds"),
            seconds: min(BenchSounds.seconds, settings.limitSeconds / 5), stop)
        return try BenchLibrary(made: made)
    }
}

/// Whole runs with so many workers.
private struct BenchRuns {
    let jobs: Int
    let soundSeconds: Double
    private var costs: [ChildRun.Cost] = []

    init(jobs: Int, soundSeconds: Double) {
        self.jobs = jobs
        self.soundSeconds = soundSeconds
    }

    /// Takes its figures once more; the results of the run before are removed first.
    mutating func run(
        _ recordings: [Pathname], _ scratch: BenchScratch, _ stop: BenchStop
    ) throws(BenchRefusal) {
        scratch.remove("results")
        let options: [Pathname] = [
            "--output", scratch.path.appending("results"), "--jobs", Pathname("\(jobs)"),
            "--quiet",
        ]
        let child = ChildRun(
            arguments: ["run"] + recordings + options, errors: scratch.path.appending("errors"))
        costs.append(try child.run(stop))
        scratch.remove("results")
    }

    func result(against first: BenchRuns) -> BenchRun? {
        guard let speed = Spread(of: costs.map { soundSeconds / 60 / $0.seconds }),
            let factor = Spread(of: zip(first.costs, costs).map { $0.seconds / $1.seconds }),
            let cpu = Spread(of: costs.map(\.cpuSeconds))
        else { return nil }
        return BenchRun(
            jobs: jobs, hoursPerMinute: speed, factor: factor, cpuSeconds: cpu,
            peakBytes: costs.map(\.peakBytes).max() ?? 0)
    }
}
