import ArgumentParser
import Jobs
import Recordings
import Reports
import Workers

/// `tapedeck status`: summarises the record of an output.
struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Count what is done, and say what failed and why.",
        discussion: """
            Reads the record of the output only. Writes nothing. With --check, it also lists the \
            recordings, and exits with 3 if more have failed, or one has waited longer, than is \
            allowed: for cron and monitoring.

            Exit status: 0 printed, 1 something could not be read, 3 not as --check wants it, 64 \
            wrong usage.

            Example: tapedeck status ~/interviews
            """
    )

    @Argument(help: .results)
    var path: Pathname

    @Flag(help: "Print one JSON object.")
    var json = false

    @Flag(help: "Say in one line whether all is well, and exit with 3 if not.")
    var check = false

    @Option(
        "Allow this many failed recordings, with --check. (default: 0)", in: "n")
    var failed: Int?

    @Option(
        "Allow recordings to wait this long for their results, with --check. (default: 600)",
        in: "seconds")
    var behind: Double?

    func validate() throws {
        try requirePath(path)
        let given = failed != nil ? "--failed" : behind != nil ? "--behind" : nil
        if let given, !check {
            throw ValidationError("\(given) is about --check; add that, or leave it out")
        }
        guard failed ?? 0 >= 0 else {
            throw ValidationError("--failed takes a number of recordings, such as 0")
        }
        try requireRange("--behind", behind, 0...31_536_000, "seconds, such as 600")
    }

    func run() throws {
        try ExitStatus.end(saying: FailureText.sentence(for:)) { () throws(RunRefusal) in
            let tree = try ResultTree.find(path)
            let summary = try tree.summarise()
            if check { return try tell(of: summary, tree) }
            let shards = try ShardPlan.find(in: tree.output)?.progress()
            let text =
                json
                ? JSONLine.text(JSONObject(summary, shards, of: tree))
                : ((shards.map { [ShardText.line($0)] } ?? []) + StatusView.lines(summary))
                    .joined(separator: "\n")
            StandardStream.output.write(text + "\n")
            return .allWell
        }
    }

    /// Says whether all is well: on standard output if so, and what is not on standard error.
    private func tell(
        of summary: ResultSummary, _ tree: ResultTree
    ) throws(RunRefusal) -> ExitStatus {
        let backlog = try Backlog.find(tree)
        let limits = HealthText.Limits(failed: failed ?? 0, behindSeconds: Int(behind ?? 600))
        let troubles =
            backlog.troubles
            + HealthText.troubles(
                summary, waiting: backlog.recordings, seconds: backlog.seconds,
                oldest: backlog.oldest, limits)
        if json {
            let line: JSONObject = [
                "event": "check", "output": tree.output, "folder": tree.folder.orDot,
                "isWell": troubles.isEmpty, "failed": summary.failed,
                "waiting": backlog.recordings, "behindSeconds": backlog.seconds,
                "oldest": backlog.oldest, "troubles": troubles, "time": ClockText.now,
            ]
            StandardStream.output.write(JSONLine.text(line) + "\n")
        } else if troubles.isEmpty {
            let line = HealthText.well(
                summary, waiting: backlog.recordings, seconds: backlog.seconds)
            StandardStream.output.write(line + "\n")
        } else {
            for trouble in troubles { StandardStream.complain(trouble) }
        }
        return troubles.isEmpty ? .allWell : .someFailed
    }
}

/// Rejects an empty path, as from an unset shell variable: it would mean the working folder.
func requirePath(_ path: Pathname?) throws {
    guard path != "" else {
        throw ValidationError("a path cannot be empty; write . for this folder")
    }
}

extension [ResultTree.Trouble] {
    /// Prints one line per problem on standard error.
    func tell() {
        for trouble in self {
            StandardStream.complain(FailureText.line(for: trouble.trouble, with: trouble.path))
        }
    }
}

extension JSONObject {
    fileprivate init(
        _ summary: ResultSummary, _ shards: ShardProgress?, of tree: ResultTree
    ) {
        let parts = shards.map { shards -> JSONObject in
            [
                "count": shards.shards, "finished": shards.finished, "running": shards.running,
                "stopped": shards.stopped, "recordings": shards.recordings, "done": shards.done,
                "failed": shards.failed,
            ]
        }
        let failures = summary.failureGroups.map { group -> JSONObject in
            [
                "count": group.count, "detail": group.kind.detail, "example": group.example,
                "reason": group.kind.reason, "stage": group.kind.stage,
            ]
        }
        self = [
            "event": "status", "output": tree.output, "folder": tree.folder.orDot,
            "folders": summary.folders, "recordings": summary.recordings,
            "done": summary.done, "failed": summary.failed, "failures": failures,
            "missing": summary.missing, "stale": summary.stale,
            "silent": summary.silent, "warned": summary.warned,
            "shards": parts, "silentExample": summary.silentExample,
            "trimmed": summary.trimmed, "audioSeconds": summary.audioSeconds,
            "keptSeconds": summary.keptSeconds, "removedSeconds": summary.removedSeconds,
        ]
    }
}
