import ArgumentParser
import Jobs
import Recordings
import Reports
import Synchronization
import Workers

/// `tapedeck verify`: checks that files still match their manifests.
struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check that results and recordings are still what the manifests say.",
        discussion: """
            Compares the SHA-256 of every output, and the size and time of every recording; after \
            run --checksums its SHA-256 too. Writes nothing.

            It says of each what happened to it: corrupt (other bytes, the same time, as of a failing \
            disk), altered or changed, or missing; and how to mend it.

            Exit status: 0 all well, 1 something could not be checked, or nothing is there to check, \
            3 something was altered or is missing, 64 wrong usage.

            Example: tapedeck verify ~/interviews
            """
    )

    @Argument(help: .results)
    var path: Pathname

    @Option(
        help: ArgumentHelp(
            "Look for the recordings here. (default: where they were)", valueName: "dir"))
    var recordings: Pathname?

    @Option("Read this many files at once. (default: the number of cores)", in: "n")
    var jobs: Int?

    @Flag(help: "Print one JSON object per line (NDJSON).")
    var json = false

    func validate() throws {
        try requirePath(path)
        try requirePath(recordings)
        try requireJobs(jobs)
    }

    func run() throws {
        try ExitStatus.end(saying: FailureText.sentence(for:)) { () throws(RunRefusal) in
            let verification = try Verification(ResultTree.find(path), recordings: recordings)
            let json = json
            let found = Mutex(Remedies())
            let summary = verification.carryOut(jobs: VerifyCommand.possibleJobs(jobs)) { event in
                VerifyCommand.tell(event, json: json)
                if case .discrepancy(let discrepancy) = event {
                    found.withLock { $0.count(discrepancy) }
                }
            }
            let status = ExitStatus(summary)
            let lines =
                json
                ? [EventLine.summary(summary, status)]
                : [VerifyView.line(summary)] + found.withLock(\.lines)
            StandardStream.output.write(lines.map { $0 + "\n" }.joined())
            return status
        }
    }

    /// The number of files to read at once, limited by open files and available threads.
    ///
    /// At least one: unlike a run, it needs no other files or threads.
    static func possibleJobs(_ jobs: Int?) -> Int {
        let wanted = jobs ?? BatchRun.cores
        let possible = max(1, OpenFileLimit.jobs(wanted: wanted, free: OpenFileLimit.raise()))
        return possible == 1 ? 1 : 1 + SystemThread.available(upTo: possible - 1)
    }

    static func tell(_ event: Verification.Event, json: Bool) {
        switch event {
        case .trouble(let trouble): [trouble].tell()
        case .discrepancy(let discrepancy):
            let text =
                json ? JSONLine.text(JSONObject(discrepancy)) : VerifyView.line(discrepancy)
            StandardStream.output.write(text + "\n")
        }
    }
}

extension ExitStatus {
    /// The exit status of a finished verification.
    init(_ summary: VerificationSummary) {
        if summary.isEmpty || summary.unreadable > 0 {
            self = .couldNotRun
        } else {
            self = summary.discrepancies > 0 ? .someFailed : .allWell
        }
    }
}

extension JSONObject {
    fileprivate init(_ discrepancy: Discrepancy) {
        let finding: JSONObject =
            switch discrepancy.finding {
            case .missing: ["finding": "missing"]
            case .corrupt: ["finding": "corrupt"]
            case .altered: ["finding": "altered"]
            case .notAFile: ["finding": "notAFile"]
            case .unreadable(let detail): ["finding": "unreadable", "detail": detail]
            case .changed(let old, let new, let sameBytes):
                [
                    "finding": "changed", "recorded": old, "found": new,
                    "sameBytes": sameBytes ? true : nil,
                ]
            }
        let line: JSONObject = [
            "event": "discrepancy", "path": discrepancy.path, "subject": discrepancy.subject,
        ]
        self = line.with(finding)
    }
}
