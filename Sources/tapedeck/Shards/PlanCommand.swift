import ArgumentParser
import Jobs

/// `tapedeck plan`: divides recordings among processes.
struct PlanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Divide recordings among machines or array jobs.",
        discussion: """
            Lists the recordings once, divides them into parts of about equal work, and notes that \
            and the settings in the output, on a disk that all share. Then each part is a run \
            (tapedeck run --shard 3/64), and tapedeck merge brings their results together: the same \
            bytes as one run would have written. Takes the options of run, but not --files-from, \
            --newer-than and --prune. With the same options, a plan that shards work on already stays.

            Exit status: 0 planned, 1 could not plan, 64 wrong usage.

            Example: tapedeck plan /archive --output /results --shards 64
            """
    )

    @Option(help: ArgumentHelp("The number of parts.", valueName: "n"))
    var shards: Int

    @OptionGroup
    var work: WorkOptions

    func validate() throws {
        try requireShards(shards)
        try work.requireWhole(for: "plan")
    }

    func run() throws {
        try BatchRun(options: work, asked: work.configuration).plan(shards: shards)
    }
}

extension WorkOptions {
    /// Rejects options that have no meaning for parts of the recordings.
    func requireWhole(for command: String) throws {
        let given =
            results.filters.filesFrom != nil
            ? "--files-from" : results.filters.newerThan != nil ? "--newer-than" : nil
        if let given {
            throw ValidationError(
                "\(command) takes no \(given), as the merge would not know it; leave it out")
        }
        if repeats.prune {
            throw ValidationError("\(command) takes no --prune; give it to tapedeck merge")
        }
    }
}
