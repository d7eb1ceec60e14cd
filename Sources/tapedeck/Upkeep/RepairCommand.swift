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
            Verifies the outputs as tapedeck verify does, and then does what tapedeck run does, with \
            the settings that the output remembers: which makes these outputs again. Recordings are \
            only read.

            Exit status: 0 all well, 1 could not start or continue, 3 some recordings failed, 64 wrong \
            usage.

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
        var root: Pathname = .empty
        var output: Pathname = .empty
        var corrupt: [Pathname] = []
        do throws(RunRefusal) {
            let tree = try ResultTree.find(path)
            (root, output) = (try tree.root(), tree.output)
            corrupt = try examine(tree)
        } catch {
            StandardStream.complain(FailureText.sentence(for: error))
            throw ExitStatus.couldNotRun.exitCode
        }
        var words = ["--output=" + ArgumentText.text(of: output.bytes)]
        if let jobs { words.append("--jobs=\(jobs)") }
        if dryRun { words.append("--dry-run") }
        let command = try RunCommand.parse(words + ["--", ArgumentText.text(of: root.bytes)])
        var run = BatchRun(options: command.work, asked: command.asked)
        run.prepare = { [corrupt, dryRun] (record, places) throws(RunRefusal) in
            let repair = try OutputRepair(of: corrupt, record, places)
            for (path, obstacle) in repair.kept {
                StandardStream.complain(
                    "\(path.displayText) stays, although it is corrupt: \(obstacle.words)")
            }
            // If the run is interrupted after this, the next one makes them again.
            if !dryRun { try repair.discard(in: places.output) }
        }
        try run.carryOut()
    }

    /// Prints what is wrong with outputs.
    /// - Returns: the corrupt ones, which a run would take for sound.
    private func examine(_ tree: ResultTree) throws(RunRefusal) -> [Pathname] {
        let found = Mutex<[Pathname]>([])
        var verification = try Verification(tree, recordings: nil)
        verification.checksRecordings = false
        _ = verification.carryOut(jobs: VerifyCommand.possibleJobs(jobs)) { event in
            VerifyCommand.tell(event, json: false)
            if case .discrepancy(let discrepancy) = event, discrepancy.finding == .corrupt {
                found.withLock { $0.append(discrepancy.path) }
            }
        }
        return found.withLock(\.self)
    }
}

extension OutputRepair.Obstacle {
    fileprivate var words: String {
        switch self {
        case .cannotBeProcessed:
            "its recording is gone or has failed, so it cannot be made again"
        case .recordingCorrupt:
            "its recording is corrupt, too; restore the recording from a backup, then repair again"
        }
    }
}
