import ArgumentParser
import Glibc
import Jobs
import Recordings
import Reports
import Workers

/// `tapedeck slurm`: prints or submits the jobs of a plan.
struct SlurmCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "slurm",
        abstract: "Submit plan, shards and merge to Slurm.",
        discussion: """
            Prints a shell script that submits three jobs, each after the one before: tapedeck plan, \
            an array of tapedeck run --shard auto, and tapedeck merge. Time and memory are asked for \
            by what some of the recordings take here. Takes the options of plan, and --jobs for the \
            processors of a task. May be repeated: shards that are through end at once.

            Exit status: 0 printed or submitted, 1 could not measure or submit, 64 wrong usage.

            Example: tapedeck slurm /archive --output /results --shards 64 --sbatch=--partition=cpu
            """
    )

    @Option(help: ArgumentHelp("The number of parts.", valueName: "n"))
    var shards: Int

    @Flag(help: "Submit the jobs instead of printing the script.")
    var submit = false

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "An option for sbatch, such as --partition=cpu; may be repeated.", valueName: "option"))
    var sbatch: [String] = []

    @OptionGroup
    var work: WorkOptions

    func validate() throws {
        try requireShards(shards)
        try work.requireWhole(for: "slurm")
        if work.trace != nil {
            throw ValidationError("slurm takes no --trace, as all tasks would write that file")
        }
        guard work.output != nil else {
            throw ValidationError("name a folder that all nodes see, with --output")
        }
    }

    func run() throws {
        var found: (places: RunPlaces, sample: ShardSample, scratch: BenchScratch)?
        try ExitStatus.end(saying: FailureText.sentence(for:), unlessWell: true) {
            () throws(RunRefusal) in
            let places = try RunPlaces.resolve(
                paths: work.paths, output: work.output, isMoved: work.repeats.moved)
            found = (places, try ShardSample(of: places), try SlurmCommand.scratch())
            return .allWell
        }
        guard let (places, sample, scratch) = found else { return }
        let seconds: Double
        do {
            // Before another program takes the place of this one.
            defer { scratch.remove() }
            seconds = try measure(sample, in: scratch)
        }
        let text = script(places, sample, seconds: seconds).text
        guard submit else {
            StandardStream.output.write(text)
            return
        }
        let words: [UnsafeMutablePointer<CChar>?] = [strdup("sh"), strdup("-c"), strdup(text), nil]
        execv("/bin/sh", words)
        throw ExitStatus.couldNotRun.exitCode
    }

    private func script(
        _ places: RunPlaces, _ sample: ShardSample, seconds: Double
    ) -> SlurmScript {
        let program = (try? FileSystem.resolve("/proc/self/exe")) ?? "tapedeck"
        return SlurmScript(
            program, SlurmCommand.forwarded(ArgumentText.ofThisProcess), output: places.output,
            shards: shards, jobs: work.jobs ?? 1, options: sbatch,
            folder: FileSystem.workingFolder.text,
            SlurmScript.Measure(
                recordings: sample.recordings, sample: sample.paths.count,
                seconds: seconds * sample.work / max(1, sample.sampleWork),
                peakBytes: ShardSample.peakBytes))
    }

    private static func scratch() throws(RunRefusal) -> BenchScratch {
        do throws(BenchRefusal) { return try BenchScratch() } catch {
            throw .pathUnreadable("/tmp", detail: FailureText.sentence(for: error))
        }
    }

    /// Processes some recordings, one at a time, with the settings of the run.
    /// - Returns: the seconds that it took.
    private func measure(_ sample: ShardSample, in scratch: BenchScratch) throws -> Double {
        guard !sample.paths.isEmpty else { return 0 }
        var options = work
        options.paths = sample.paths
        options.output = scratch.output
        (options.jobs, options.quiet) = (1, true)
        (options.json, options.verbose, options.explain) = (false, false, false)
        let start = ShardSample.nowSeconds
        do {
            try BatchRun(options: options, asked: options.configuration).carryOut()
        } catch let code as ExitCode
            where [ExitStatus.allWell, .someFailed].map(\.rawValue).contains(code.rawValue)
        {
            // Recordings that fail take their time too.
        }
        return ShardSample.nowSeconds - start
    }

    /// The words of the command line that plan and run take too.
    static func forwarded(_ words: [String]) -> [String] {
        var rest = words.dropFirst()[...]
        var kept: [String] = []
        while let word = rest.popFirst() {
            switch word {
            case "--submit": continue
            case "--shards", "--sbatch", "--jobs", "-j": _ = rest.popFirst()
            case "--":
                return kept + [word] + rest
            case _
            where ["--shards=", "--sbatch=", "--jobs=", "-j"].contains { word.hasPrefix($0) }:
                continue
            default: kept.append(word)
            }
        }
        return kept
    }
}
