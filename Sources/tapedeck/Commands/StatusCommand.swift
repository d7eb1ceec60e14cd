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
            Reads the record of the output only. Writes nothing.

            Exit status: 0 printed, 1 something could not be read, 64 wrong usage.

            Example: tapedeck status ~/interviews
            """
    )

    @Argument(
        help: ArgumentHelp(
            "An output, a folder in it, or a folder of recordings.", valueName: "path"))
    var path: Pathname

    @Flag(help: "Print one JSON object.")
    var json = false

    func validate() throws {
        try requirePath(path)
    }

    func run() throws {
        try ExitStatus.end(saying: FailureText.sentence(for:)) { () throws(RunRefusal) in
            let tree = try ResultTree.find(path)
            let summary = try tree.summarise()
            let text =
                json
                ? JSONLine.text(JSONObject(summary, of: tree))
                : StatusView.lines(summary).joined(separator: "\n")
            StandardStream.output.write(text + "\n")
            return .allWell
        }
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
    fileprivate init(_ summary: ResultSummary, of tree: ResultTree) {
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
            "silentExample": summary.silentExample,
            "trimmed": summary.trimmed, "audioSeconds": summary.audioSeconds,
            "keptSeconds": summary.keptSeconds, "removedSeconds": summary.removedSeconds,
        ]
    }
}
