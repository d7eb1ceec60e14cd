import ArgumentParser
import Jobs
import Recordings
import Reports
import Workers

/// `tapedeck clean`: deletes what was made of recordings that have been gone for long.
struct CleanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clean",
        abstract: "Delete the results of recordings that have been gone for long.",
        discussion: """
            Only lists them unless --delete is given. A recording is gone since a run or watch first \
            missed it. Files that were modified are kept. No run may work in the output meanwhile.

            Exit status: 0 done or listed, 1 something could not be read or deleted, 64 wrong usage.

            Example: tapedeck clean ~/interviews --older-than 90d
            """
    )

    @Argument(help: .results)
    var path: Pathname

    @Option(
        help: ArgumentHelp(
            "Take recordings that were gone by this date or that long ago, such as 2026-03-01 or 90d.",
            valueName: "time"),
        transform: TimeLimit.init)
    var olderThan: TimeLimit

    @Flag(help: "Delete the results.")
    var delete = false

    func validate() throws {
        try requirePath(path)
    }

    func run() throws {
        try ExitStatus.end(saying: FailureText.sentence(for:)) { () throws(RunRefusal) in
            let session = try CleanSession(ResultTree.find(path))
            let leftovers = try session.find(
                goneBefore: olderThan.nanoseconds / 1_000_000_000)
            for leftover in leftovers {
                StandardStream.output.write(
                    CleanView.line(
                        leftover.folder.appending(leftover.name), files: leftover.files,
                        bytes: leftover.bytes) + "\n")
            }
            guard delete, !leftovers.isEmpty else {
                StandardStream.output.write(CleanView.listed(leftovers.count) + "\n")
                return .allWell
            }
            let outcome = try session.remove(leftovers)
            for path in outcome.spared {
                StandardStream.complain(CleanView.spared(path))
            }
            for (folder, failure) in outcome.failures {
                let announcement = Announcement.manifestFailed(folder: folder, failure)
                if let line = FailureText.line(for: announcement, below: path) {
                    StandardStream.complain(line)
                }
            }
            StandardStream.output.write(CleanView.removed(outcome.removed) + "\n")
            return outcome.failures.isEmpty ? .allWell : .couldNotRun
        }
    }
}
