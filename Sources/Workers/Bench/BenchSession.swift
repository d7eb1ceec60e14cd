import Glibc
import Jobs
import Recordings

/// A benchmark: whole runs over a user's path.
package struct BenchSession {
    private let path: Pathname
    private let jobs: [Int]

    /// - Parameters:
    ///   - path: a folder or a recording.
    ///   - jobs: the numbers of workers to measure, without duplicates.
    package init(on path: Pathname, jobs: [Int]) {
        self.path = path
        self.jobs = jobs
    }

    /// Runs the benchmark; always deletes what it wrote, also on errors.
    ///
    /// Call it before creating other threads: see `StopSignals`.
    /// - Parameters:
    ///   - repeats: the maximum number of rounds.
    ///   - longestSeconds: no round begins after this time, except the first.
    ///   - tell: called before each round with its number, from 1.
    package func run(
        repeats: Int, longestSeconds: Double, version: String, _ tell: (_ round: Int) -> Void
    ) throws(BenchRefusal) -> BenchReport {
        var signals = ChildRun.signals
        var before = sigset_t()
        pthread_sigmask(SIG_BLOCK, &signals, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let scratch = try BenchScratch()
        defer { scratch.remove() }
        do throws(RunRefusal) {
            _ = try RunPlaces.resolve(paths: [path], output: scratch.output)
        } catch {
            throw .path(error)
        }
        // This run warms the page cache, as far as memory allows.
        _ = try wholeRun(jobs[jobs.count - 1], scratch)
        let sound = try sound(of: scratch.output)
        var costs = jobs.map { _ in [BenchCost]() }
        let start = ActionSources.nowSeconds
        for round in 1...repeats {
            if round > 1, ActionSources.nowSeconds - start > longestSeconds { break }
            tell(round)
            for (index, count) in jobs.enumerated() {
                costs[index].append(try wholeRun(count, scratch))
            }
        }
        return BenchReport(
            version: version, sound: sound, repeats: costs[0].count,
            runs: zip(jobs, costs).map { BenchRun(jobs: $0, sound, costs: $1) })
    }

    private func wholeRun(
        _ jobs: Int, _ scratch: BenchScratch
    ) throws(BenchRefusal) -> BenchCost {
        scratch.remove("results")
        let arguments: [Pathname] = [
            "run", "--output", scratch.output, "--jobs", Pathname("\(jobs)"), "--quiet",
            "--no-config", "--", path,
        ]
        // Status 3: some recordings failed.
        let child = ChildRun(
            arguments: arguments, errors: scratch.path.appending("errors"), goodStatuses: [0, 3])
        return try child.run()
    }

    /// The recordings that a run has processed, by its record.
    private func sound(of output: Pathname) throws(BenchRefusal) -> BenchSound {
        var sound = BenchSound(path: path)
        var failure: (example: Pathname, RecordingFailure)?
        let record = try? OutputRecord.forReading(output)
        defer { record?.close() }
        for folder in (try? record?.folders()) ?? [] {
            _ = try? record?.forEachEntry(in: folder) { row, _ in
                guard let entry = row.entry(1) else { return }
                sound.count(entry)
                let example = path.appending(folder).appending(entry.name)
                failure = failure ?? entry.failure.map { (example, $0) }
            }
        }
        if sound.recordings > 0 { return sound }
        guard let failure else { throw .noRecordings(path) }
        throw .allFailed(path, count: sound.failed, example: failure.example, failure.1)
    }
}

/// A temporary folder for the benchmark's files, away from the recordings.
package struct BenchScratch {
    let path: Pathname
    package var output: Pathname { path.appending("results") }

    /// Creates it in `TMPDIR`, or in `/tmp`.
    package init() throws(BenchRefusal) {
        let asked = getenv("TMPDIR").map { Pathname(cString: $0) } ?? .empty
        let base = asked.isEmpty ? "/tmp" : asked
        var template =
            base.appending("tapedeck-bench-XXXXXX").bytes.map { CChar(bitPattern: $0) } + [0]
        guard mkdtemp(&template) != nil else {
            throw .noScratch(base, detail: FileSystemError(base).detail)
        }
        let made = Pathname(bytes: template.dropLast().map { UInt8(bitPattern: $0) })
        // Resolved, so that the path is valid from any working folder.
        path = (try? FileSystem.resolve(made)) ?? made
    }

    /// Deletes the folder, or an entry in it, recursively.
    package func remove(_ name: Pathname = .empty) {
        FileSystem.removeAll(at: path.appending(name))
    }
}
