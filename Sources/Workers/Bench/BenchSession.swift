import Jobs
import Recordings

/// A measuring from its beginning to its end.
package struct BenchSession {
    private let repeats: Int
    private let longestSeconds: Double
    private let stop: BenchStop

    /// - Parameters:
    ///   - repeats: how often each figure is taken.
    ///   - longestSeconds: after so long no further round begins.
    package init(repeats: Int, longestSeconds: Double, _ stop: BenchStop) {
        self.repeats = repeats
        self.longestSeconds = longestSeconds
        self.stop = stop
    }

    /// Runs to the end; whatever becomes of it, nothing that it wrote is left.
    /// - Parameters:
    ///   - path: a folder or a recording.
    ///   - limitSeconds: sound to measure on, at most.
    ///   - jobs: numbers of workers in whole runs, each once.
    ///   - tell: told of each round, counted from 1.
    package func run(
        on path: Pathname, limitSeconds: Double, jobs: [Int], version: String,
        _ tell: (_ round: Int) -> Void
    ) throws(BenchRefusal) -> BenchReport {
        let scratch = try BenchScratch()
        defer { scratch.remove() }
        var library = try BenchLibrary(at: path, limitSeconds: limitSeconds, scratch, stop)
        var pass = try BenchPass(&library, scratch, stop)
        var costs = jobs.map { _ in [BenchCost]() }
        let start = BenchCost.now.wallSeconds
        var rounds = 0
        while rounds < repeats {
            if rounds > 0, BenchCost.now.wallSeconds - start > longestSeconds { break }
            rounds += 1
            tell(rounds)
            for (index, count) in jobs.enumerated() {
                costs[index].append(try wholeRun(of: library.paths, jobs: count, scratch))
            }
            try pass.round()
        }
        let sound = library.sound
        let runs = zip(jobs, costs).map { jobs, each in
            BenchRun(jobs: jobs, soundSeconds: sound.seconds, costs: each, first: costs[0])
        }
        return BenchReport(
            version: version, sound: sound, stages: pass.lines, runs: runs, repeats: rounds)
    }

    private func wholeRun(
        of recordings: [Pathname], jobs: Int, _ scratch: BenchScratch
    ) throws(BenchRefusal) -> BenchCost {
        let output = scratch.path.appending("results")
        let options: [Pathname] = ["--output", output, "--jobs", Pathname("\(jobs)"), "--quiet"]
        let child = ChildRun(
            arguments: ["run"] + recordings + options, errors: scratch.path.appending("errors"))
        defer { scratch.remove("results") }
        return try child.run(stop)
    }
}
