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

    @Flag(name: .shortAndLong, help: "Print failures and warnings only.")
    var quiet = false

    func validate() throws {
        try requirePath(path)
        try requireJobs(jobs)
    }

    func run() throws {
        var merged: BatchRun?
        try ExitStatus.end(saying: FailureText.sentence(for:), unlessWell: true) {
            () throws(RunRefusal) in
            let tree = try ResultTree.find(path)
            let report = try ShardMerge.carryOut(
                tree, partial: partial, version: Tapedeck.version)
            if !quiet {
                let line = ShardText.line(
                    shards: report?.shards ?? 0, of: report?.count ?? 0,
                    unfinished: report?.unfinished ?? [])
                StandardStream.output.write(line + "\n")
            }
            merged = try run(over: report?.recordings, of: tree)
            return .allWell
        }
        try merged?.carryOut()
    }

    /// A run over everything, or over these recordings, with the settings that the output
    /// remembers.
    private func run(
        over recordings: [Pathname]?, of tree: ResultTree
    ) throws(RunRefusal) -> BatchRun {
        let (record, root) = try tree.recordAndRoot()
        defer { record.close() }
        var targets = recordings?.map {
            FolderScan.Target.recording(folder: $0.parent, name: $0.lastComponent)
        }
        if targets == nil { targets = try record.targets(in: ResultTree.whole(tree), root) }
        var run = RunCommand.over(tree.output, root, jobs: jobs, quiet ? ["--quiet"] : [])
        run.merged = targets
        return run
    }
}
