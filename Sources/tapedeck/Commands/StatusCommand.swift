import ArgumentParser
import Jobs
import Recordings
import Reports
import Workers

/// `tapedeck status`: what manifests and journal say.
struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Says what earlier runs made, and what is left of an interrupted one.",
        discussion: """
            Reads manifests and the journal only, never a recording, and writes nothing.

            Exit status: 0 told, 1 could not be read, or not all of it, 64 wrong usage.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "An output folder, a folder in one, or a folder of recordings with one called tapedeck"
                + " in it.", valueName: "path"))
    var path: Pathname

    @Flag(help: "Print one JSON object on a line.")
    var json = false

    func validate() throws {
        try requirePath(path)
    }

    func run() throws {
        let exitStatus: ExitStatus
        do throws(RunRefusal) {
            let tree = try ResultTree.find(path)
            let status = tree.summarise()
            status.troubles.tell()
            let text =
                json
                ? JSONLine.text(StatusLine(status: status, tree: tree))
                : StatusView.lines(status.summary, status.journal).joined(separator: "\n")
            StandardStream.output.write(text + "\n")
            exitStatus = status.troubles.isEmpty ? .allWell : .couldNotRun
        } catch {
            StandardStream.complain(FailureText.sentence(for: error))
            exitStatus = .couldNotRun
        }
        throw exitStatus.exitCode
    }
}

/// An empty path, as an unset variable of a shell gives it, would mean the working folder.
func requirePath(_ path: Pathname?) throws {
    guard path != "" else {
        throw ValidationError("a path cannot be empty; write . for this folder")
    }
}

extension [ResultTree.Trouble] {
    /// One line each on standard error.
    func tell() {
        for trouble in self {
            StandardStream.complain(FailureText.line(for: trouble.trouble, with: trouble.path))
        }
    }
}

private struct StatusLine: Encodable {
    struct Failures: Encodable {
        let count: Int
        let detail: String?
        let example: Pathname
        let reason: RecordingFailure.Reason
        let stage: Stage
    }

    let event = "status"
    let output: Pathname
    let folder: Pathname
    let folders: Int
    let recordings: Int
    let done: Int
    let failed: Int
    let missing: Int
    let stale: Int
    let silent: Int
    let silentExample: Pathname?
    let trimmed: Int
    let audioSeconds: Double
    let keptSeconds: Double
    let removedSeconds: Double
    let failures: [Failures]
    let journalOutcomes: Int
    let damagedJournalLines: [Int]
    let unreadable: [Pathname]

    init(status: ResultTree.Status, tree: ResultTree) {
        let summary = status.summary
        output = tree.output
        folder = tree.folder.orDot
        folders = summary.folders
        recordings = summary.recordings
        done = summary.done
        failed = summary.failed
        missing = summary.missing
        stale = summary.stale
        silent = summary.silent
        silentExample = summary.silentExample
        trimmed = summary.trimmed
        audioSeconds = summary.audioSeconds
        keptSeconds = summary.keptSeconds
        removedSeconds = summary.removedSeconds
        failures = summary.failureGroups.map {
            Failures(
                count: $0.count, detail: $0.kind.detail, example: $0.example,
                reason: $0.kind.reason, stage: $0.kind.stage)
        }
        journalOutcomes = status.journal.outcomes
        damagedJournalLines = status.journal.damagedLines
        unreadable = status.troubles.map(\.path)
    }
}
