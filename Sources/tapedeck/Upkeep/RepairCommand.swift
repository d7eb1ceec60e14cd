import ArgumentParser
import Jobs
import Recordings
import Reports
import Synchronization
import Workers

/// `tapedeck repair`: makes outputs again that are corrupt, altered or missing.
struct RepairCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair",
        abstract: "Make outputs again that are corrupt, altered or missing.",
        discussion: """
            Verifies the outputs as tapedeck verify does, and processes the recordings of those that \
            are not what they were again, with the settings that the output remembers. Recordings are \
            only read; modified exports stay.

            Exit status: 0 all well, 1 could not start or continue, 3 some outputs could not be made \
            again, 64 wrong usage.

            Example: tapedeck repair ~/interviews
            """
    )

    @Argument(help: .results)
    var path: Pathname

    @Option(
        name: [.customShort("j", allowingJoined: true), .long], parsing: .unconditional,
        help: ArgumentHelp(
            "Read or process this many files at once. (default: the number of cores)",
            valueName: "n"))
    var jobs: Int?

    @Flag(
        name: [.customShort("n"), .long],
        help: "Say what is wrong and would be done; write nothing.")
    var dryRun = false

    func validate() throws {
        try requirePath(path)
        try requireJobs(jobs)
    }

    func run() throws {
        var work: (run: BatchRun, tree: ResultTree, faults: [Discrepancy])?
        try ExitStatus.end(saying: FailureText.sentence(for:), unlessWell: true) {
            () throws(RunRefusal) in
            let tree = try ResultTree.find(path)
            let (faults, isWhole) = try verify(tree) { VerifyCommand.tell($0, json: false) }
            guard isWhole else { return .couldNotRun }
            guard !faults.isEmpty else {
                StandardStream.output.write("nothing to repair\n")
                return .allWell
            }
            let repair = try OutputRepair(
                of: faults, in: tree, detailsSuffix: ReportPage.detailsSuffix)
            for (path, obstacle) in repair.kept {
                StandardStream.complain(
                    "\(path.displayText) is not made again: \(obstacle.sentence)")
            }
            guard !repair.recordings.isEmpty || !repair.exports.isEmpty else {
                return .someFailed
            }
            work = (try self.run(for: repair, of: tree), tree, faults)
            return .allWell
        }
        guard let work else { return }
        do {
            try work.run.carryOut()
        } catch let code as ExitCode where code.isSuccess && !dryRun {
            try ExitStatus.end(saying: FailureText.sentence(for:)) { () throws(RunRefusal) in
                let rest = try verify(work.tree, only: Set(work.faults.map(\.path))) { _ in }.faults
                guard !rest.isEmpty else { return .allWell }
                StandardStream.complain(
                    "\(CountText.words(rest.count, "output")) could not be made again, such as"
                        + " \(rest[0].path.displayText)")
                return .someFailed
            }
        }
    }

    /// A run that processes the recordings of the outputs at fault again, and no others.
    private func run(for repair: OutputRepair, of tree: ResultTree) throws(RunRefusal) -> BatchRun {
        let words = ["--force"] + (dryRun ? ["--dry-run"] : [])
        var run = RunCommand.over(tree.output, try tree.root(), jobs: jobs, words)
        run.repair = repair
        return run
    }

    /// The outputs that are not what they were, and whether everything could be read.
    private func verify(
        _ tree: ResultTree, only: Set<Pathname>? = nil,
        tell: @escaping @Sendable (Verification.Event) -> Void
    ) throws(RunRefusal) -> (faults: [Discrepancy], isWhole: Bool) {
        let found = Mutex<[Discrepancy]>([])
        var verification = try Verification(tree, recordings: nil)
        (verification.checksRecordings, verification.only) = (false, only)
        let summary = verification.carryOut(jobs: VerifyCommand.possibleJobs(jobs)) { event in
            tell(event)
            if case .discrepancy(let discrepancy) = event {
                found.withLock { $0.append(discrepancy) }
            }
        }
        return (found.withLock(\.self), summary.unreadable == 0)
    }
}

extension OutputRepair.Obstacle {
    fileprivate var sentence: String {
        switch self {
        case .cannotBeProcessed: "its recording is gone or has failed"
        case .recordingCorrupt:
            "its recording is corrupt, too; restore that from a backup, then repair again"
        case .modified: "it was modified; rename or delete it, then repair again"
        }
    }
}
