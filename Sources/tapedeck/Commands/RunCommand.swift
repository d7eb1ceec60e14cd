import ArgumentParser
import Jobs
import Recordings

/// `tapedeck run`: processes existing recordings and exits.
struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Process folders: waveforms, silence, trimmed copies, manifests.",
        discussion: """
            For A/b.wav the output holds A/b.wav.dat (waveform), A/b.wav (trimmed copy, if anything \
            was cut) and A/manifest.json. Recordings that are up to date are skipped. Originals are \
            only read.

            Exit status: 0 all done, 1 could not start or continue, 3 some recordings failed (all \
            others are done), 64 wrong usage, 129 hung up, 130 interrupted, 143 terminated.

            Example: tapedeck run ~/interviews --trim gaps --longest-gap 1
            """
    )

    @OptionGroup
    var work: WorkOptions

    @Flag(
        name: [.customShort("n"), .long], help: "Say what would be done; write nothing.")
    var dryRun = false

    @Flag(help: "Reprocess everything.")
    var force = false

    @OptionGroup(title: "Several machines")
    var shards: ShardOptions

    func validate() throws {
        guard shards.shard != nil else { return }
        try work.requireWhole(for: "--shard")
        guard !dryRun else {
            throw ValidationError("--shard takes no --dry-run; tapedeck plan says what there is")
        }
    }

    func run() throws {
        var run = BatchRun(options: work, asked: asked)
        run.shard = try shards.resolved()
        try run.carryOut()
    }

    /// A run over the recordings of an output, by the words of its options.
    static func over(
        _ output: Pathname, _ root: Pathname, jobs: Int?, _ options: [String]
    ) -> BatchRun {
        let paths = [output, root].map { ArgumentText.text(of: $0.bytes) }
        let count = jobs.map { ["--jobs=\($0)"] } ?? []
        guard
            let command = try? parse(options + count + ["--output=" + paths[0], "--", paths[1]])
        else { preconditionFailure("the words of a run are those of its options") }
        return BatchRun(options: command.work, asked: command.asked)
    }

    /// The job store's configuration by these options and settings.
    func asked(_ settings: OutputSettings) -> JobStore.Configuration {
        var configuration = work.configuration(settings)
        configuration.isDryRun = dryRun
        configuration.redoesAll = force
        return configuration
    }
}
