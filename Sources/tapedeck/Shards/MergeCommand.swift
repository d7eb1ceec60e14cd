import ArgumentParser
import Jobs
import Recordings
import Reports
import Workers

/// `tapedeck merge`: makes one output of what shards have done.
struct MergeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Bring the results of shards together.",
        discussion: """
            Takes the results of all shards of a plan into the record of the output, and runs once \
            over the recordings: that prints manifests, exports and pages, finds what was renamed \
            or deleted, and processes what appeared after the plan. Can be repeated at any time.

            Exit status: 0 all done, 1 shards are not through, or could not start or continue, 3 \
            some recordings failed (all others are done), 64 wrong usage, 129 hung up, 130 \
            interrupted, 143 terminated.

            Example: tapedeck merge /results
            """
    )

    @Argument(help: .results)
    var path: Pathname

    @Flag(help: "Take what is there although shards are not through; they go on afterwards.")
    var partial = false

    @Option(
        name: [.customShort("j", allowingJoined: true), .long], parsing: .unconditional,
        help: ArgumentHelp(
            "Process this many recordings at once. (default: the number of cores)",
            valueName: "n"))
    var jobs: Int?

    @Flag(help: "Delete the outputs of recordings that no longer exist.")
    var prune = false

    @Flag(name: .shortAndLong, help: "Print failures and warnings only.")
    var quiet = false

    func validate() throws {
        try requirePath(path)
        try requireJobs(jobs)
    }

    func run() throws {
        var merge: BatchRun?
        try ExitStatus.end(saying: FailureText.sentence(for:), unlessWell: true) {
            () throws(RunRefusal) in
            let tree = try ResultTree.find(path)
            let words = (quiet ? ["--quiet"] : []) + (prune ? ["--prune"] : [])
            var run = RunCommand.over(tree.output, try tree.root(), jobs: jobs, words)
            run.merging = { (record) throws(RunRefusal) in try targets(record, tree) }
            merge = run
            return .allWell
        }
        try merge?.carryOut()
    }

    /// Merges, and says what the run is to go over.
    private func targets(
        _ record: OutputRecord, _ tree: ResultTree
    ) throws(RunRefusal) -> [FolderScan.Target] {
        let report = try ShardMerge.carryOut(
            tree, record, partial: partial, version: Tapedeck.version)
        if !quiet {
            let line = ShardText.line(
                shards: report.shards, of: report.count, unfinished: report.unfinished)
            StandardStream.output.write(line + "\n")
        }
        return report.targets
    }
}
