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

    @Argument(
        help: ArgumentHelp(
            "An output, a folder in it, or a folder of recordings.", valueName: "path"))
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
        do throws(RunRefusal) {
            let tree = try ResultTree.find(path)
            let (record, place) = try tree.recordAndRoot()
            record.close()
            (root, output) = (place, tree.output)
            // If it is interrupted after this, the next run makes them again.
            let corrupt = try examine(tree)
            let rest = dryRun ? [] : try OutputRepair.discard(corrupt, of: tree)
            for path in rest {
                StandardStream.complain(
                    "\(path.displayText) stays, although it is corrupt: its recording is gone or has"
                        + " failed, so it cannot be made again")
            }
        } catch {
            StandardStream.complain(FailureText.sentence(for: error))
            throw ExitStatus.couldNotRun.exitCode
        }
        var words = ["--output=" + ArgumentText.text(of: output.bytes)]
        if let jobs { words.append("--jobs=\(jobs)") }
        if dryRun { words.append("--dry-run") }
        let run = try RunCommand.parse(words + ["--", ArgumentText.text(of: root.bytes)])
        try run.run()
    }

    /// Prints what is wrong with outputs.
    /// - Returns: the corrupt ones, which a run would take for sound.
    private func examine(_ tree: ResultTree) throws(RunRefusal) -> [Pathname] {
        let found = Mutex<[Discrepancy]>([])
        let verification = try Verification(tree, recordings: nil)
        _ = verification.carryOut(jobs: VerifyCommand.possibleJobs(jobs)) { event in
            if case .discrepancy(let discrepancy) = event, discrepancy.subject == .recording {
                return
            }
            VerifyCommand.tell(event, json: false)
            if case .discrepancy(let discrepancy) = event {
                found.withLock { $0.append(discrepancy) }
            }
        }
        return found.withLock { $0.filter { $0.finding == .corrupt }.map(\.path) }
    }
}
