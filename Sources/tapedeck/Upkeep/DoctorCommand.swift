import ArgumentParser
import Jobs
import Recordings
import Reports
import Workers

/// `tapedeck doctor`: says what is there that runs rest on.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Say what this machine has that Tapedeck needs.",
        discussion: """
            Libraries, the decoder helper, limits, the terminal, and the file system of a folder. \
            Lines that begin with "note" have advice. Attach the output to a bug report. Writes \
            nothing.

            Exit status: 0 nothing is missing, 3 something is, 64 wrong usage.

            Example: tapedeck doctor ~/recordings
            """
    )

    @Argument(help: ArgumentHelp("A folder of recordings. (default: .)", valueName: "path"))
    var path: Pathname = "."

    func validate() throws {
        try requirePath(path)
    }

    func run() throws {
        var checks = machine(MachineFacts())
        checks.append(pictures)
        checks += disk(DiskFacts(path))
        checks.append(terminal)
        for check in checks { StandardStream.output.write(check.line + "\n") }
        let isWell = checks.allSatisfy { $0.advice == nil }
        throw (isWell ? ExitStatus.allWell : .someFailed).exitCode
    }

    /// Something that was looked at.
    private struct Check {
        var subject: String
        var finding: String
        /// What to do; `nil` if nothing is missing.
        var advice: String?

        var line: String {
            let name = subject + String(repeating: " ", count: max(0, 16 - subject.count))
            guard let advice else { return "ok    \(name)\(finding)" }
            return "note  \(name)\(finding); \(advice)"
        }
    }

    private func machine(_ facts: MachineFacts) -> [Check] {
        let helper: (String, String?) =
            switch facts.helper {
            case .ready: ("ready, in its cage: m4a, AAC, AMR, WMA and video open", nil)
            case .readyUncaged:
                (
                    "ready: m4a, AAC, AMR, WMA and video open",
                    "this kernel cannot cage it (Landlock, seccomp): take no strangers' files"
                )
            case .notBuilt:
                (
                    "not there",
                    "m4a, AAC, AMR, WMA and video do not open: install it beside tapedeck"
                )
            case .missingLibrary:
                (
                    "does not start",
                    "m4a, AAC, AMR, WMA and video do not open: install libav (apt install ffmpeg)"
                )
            }
        let fewWatches = facts.watches.map { $0 < 100_000 } ?? true
        let needed = OpenFileLimit.filesOfRun + OpenFileLimit.filesOfJob * facts.cores
        return [
            Check(subject: "tapedeck", finding: Tapedeck.version),
            Check(subject: "libsndfile", finding: facts.sndfile),
            Check(subject: "SQLite", finding: facts.sqlite),
            Check(subject: "decoder helper", finding: helper.0, advice: helper.1),
            Check(subject: "cores", finding: "\(facts.cores)"),
            Check(
                subject: "open files", finding: CountText.grouped(facts.freeFiles),
                advice: facts.freeFiles < needed
                    ? "fewer recordings at once than cores: raise the limit (ulimit -n)" : nil),
            Check(
                subject: "inotify watches",
                finding: facts.watches.map(CountText.grouped) ?? "unknown",
                advice: fewWatches
                    ? "watch polls folders beyond these: raise fs.inotify.max_user_watches" : nil),
            Check(
                subject: "inotify users",
                finding: facts.watchers.map(CountText.grouped) ?? "unknown"),
        ]
    }

    private var pictures: Check {
        do throws(PictureRefusal) {
            _ = try Cairo()
            return Check(subject: "Cairo", finding: "there: inspect --picture and pages draw")
        } catch {
            return Check(
                subject: "Cairo", finding: "not there",
                advice: "no pictures: install libcairo2 (apt install libcairo2)")
        }
    }

    private func disk(_ facts: DiskFacts?) -> [Check] {
        guard let facts else {
            return [
                Check(
                    subject: "folder", finding: path.displayText,
                    advice: "there is no such folder")
            ]
        }
        let place = path.appending(RunPlaces.defaultOutput).displayText
        let gigabytes = facts.freeBytes / 1_000_000_000
        return [
            Check(
                subject: "file system", finding: facts.kind,
                advice: facts.isRemote
                    ? "watch polls it (--poll), as others can change it unnoticed" : nil),
            Check(
                subject: "free", finding: "\(CountText.grouped(Int(gigabytes))) GB",
                advice: gigabytes < 1 ? "copies may need as much as the recordings" : nil),
            Check(
                subject: "results",
                finding: facts.isWritable ? "can be in \(place)" : "no \(place)",
                advice: facts.isWritable
                    ? nil : "this user may not write there: give --output another folder"),
        ]
    }

    private var terminal: Check {
        let stream = StandardStream.error
        guard stream.isTerminal else {
            return Check(subject: "terminal", finding: "none, so no progress and no colour")
        }
        let color = stream.takesColour() ? "colour" : "no colour"
        return Check(
            subject: "terminal",
            finding: "\(stream.size.width) × \(stream.size.height), "
                + (stream.isPaintable ? "progress, \(color)" : "no progress (TERM)"))
    }
}
