import ArgumentParser
import Jobs
import Recordings
import Reports
import Workers

/// `tapedeck bench`: measures this machine's speed on the user's recordings.
struct BenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measure how fast this machine is with your recordings.",
        discussion: """
            Repeats whole runs over all recordings of a folder; choose one that is not too large. \
            Results go to a temporary folder in TMPDIR or /tmp, which is deleted at the end.

            Exit status: 0 measured, 1 could not measure, 64 wrong usage, 129 hung up, 130 \
            interrupted, 143 terminated.

            Example: tapedeck bench ~/interviews --jobs 1,2,4
            """
    )

    /// The default number of repeats; fewer if they take longer than `usualSeconds`.
    private static let usualRepeats = 5
    private static let usualSeconds = 45.0

    @Argument(help: ArgumentHelp("A folder of recordings, or one of them.", valueName: "path"))
    var path: Pathname

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Try these numbers of workers. (default: 1, 2, 4, … up to the number of cores)",
            valueName: "n,..."))
    var jobs: NumberList?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Repeat this often. (default: 5, or fewer if that takes over 45 s)",
            valueName: "n"))
    var `repeat`: Int?

    @Flag(help: "Print one JSON object.")
    var json = false

    func validate() throws {
        try requirePath(path)
        for count in jobs?.numbers ?? [] { try requireJobs(count) }
        if let jobs, jobs.hasRepeats {
            throw ValidationError("--jobs names a number twice; name each once")
        }
        if let `repeat`, !(1...1000).contains(`repeat`) {
            throw ValidationError("--repeat takes 1 to 1000, not \(`repeat`)")
        }
    }

    func run() throws {
        do throws(BenchRefusal) {
            try measure()
        } catch {
            StandardStream.complain(FailureText.sentence(for: error))
            throw ExitStatus(error).exitCode
        }
        throw ExitStatus.allWell.exitCode
    }

    private func measure() throws(BenchRefusal) {
        let rounds = `repeat` ?? BenchCommand.usualRepeats
        let session = BenchSession(on: path, jobs: jobs?.numbers ?? BenchCommand.usualJobs)
        let painter = TerminalPainter(isEnabled: true)
        defer { painter.clear() }
        let report = try session.run(
            repeats: rounds,
            longestSeconds: `repeat` == nil ? BenchCommand.usualSeconds : .infinity,
            version: Tapedeck.version
        ) { round in
            painter.paint { _ in [BenchView.line(round: round, of: rounds)] }
        }
        painter.clear()
        let text = json ? JSONLine.text(report) : BenchView(report).lines.joined(separator: "\n")
        StandardStream.output.write(text + "\n")
    }

    /// Job counts to measure: powers of two, and all cores.
    private static var usualJobs: [Int] {
        var counts = [1]
        while let last = counts.last, last < BatchRun.cores {
            counts.append(min(2 * last, BatchRun.cores))
        }
        return counts
    }
}

extension ExitStatus {
    /// The exit status of a benchmark that failed or was stopped.
    fileprivate init(_ refusal: BenchRefusal) {
        switch refusal {
        case .stopped(.interrupt): self = .interrupted
        case .stopped(.terminate): self = .terminated
        case .stopped(.hangUp): self = .hungUp
        default: self = .couldNotRun
        }
    }
}
