import Jobs
import Recordings

/// All texts about traces and replays.
package enum TraceView {
    /// The maximum number of characters shown of a command; `--json` shows all.
    private static let commandLimit = 300
    /// The same for an action.
    private static let actionLimit = 100

    /// Encodes an action or a command on one line, as in the trace.
    package typealias Spelling = (any Encodable) -> String

    /// The state of a replay as text lines without line ends.
    package static func lines(_ replay: Replay, _ spelled: Spelling) -> [String] {
        let facts = ReplayFacts(replay.state)
        var lines = [
            "\(CountText.words(replay.count, "action")) replayed",
            "the run is \(words(replay.state.phase))",
            "\(CountText.words(facts.recordings, "recording")): \(facts.done) done, \(facts.failed) failed,"
                + " \(facts.upToDate) up to date, \(facts.planned) to be done,"
                + " \(facts.running) running, \(facts.waiting) waiting",
            "\(CountText.words(facts.folders, "folder")), \(facts.foldersFailed) unreadable;"
                + " \(CountText.words(facts.manifestsInFlight, "manifest")) under way;"
                + " \(CountText.words(facts.ignoredAnswers, "answer")) ignored",
        ]
        if let action = replay.lastAction {
            let text = shortened(spelled(action), to: actionLimit)
            lines.append("action \(replay.count), \(text), led to")
            lines += list(replay.lastCommands.map { shortened(spelled($0), to: commandLimit) })
        }
        return lines
    }

    /// The mismatch at the action just replayed; the first line is a sentence.
    ///
    /// Differing commands are listed in full, from the first difference on.
    package static func lines(
        _ finding: Replay.Finding, at action: Int, _ spelled: Spelling
    ) -> [String] {
        switch finding {
        case .violation(let sentence):
            return ["action \(action) leaves what can never be: \(sentence)"]
        case .differs(let recorded, let replayed):
            let alike = zip(recorded, replayed).prefix { $0 == $1 }.count
            return [
                "action \(action) leads to other commands than were recorded",
                "recorded, from command \(alike + 1) on:",
            ] + list(recorded.dropFirst(alike).map(spelled)) + ["replayed:"]
                + list(replayed.dropFirst(alike).map(spelled))
        }
    }

    private static func words(_ phase: JobStore.Phase) -> String {
        switch phase {
        case .running: "running"
        case .stopping: "stopping"
        case .closing: "closing"
        case .finished: "finished"
        }
    }

    private static func list(_ commands: [String]) -> [String] {
        commands.isEmpty ? ["  nothing"] : commands.map { "  " + $0 }
    }

    private static func shortened(_ text: String, to limit: Int) -> String {
        text.count > limit ? text.prefix(limit) + "…" : text
    }
}

extension TraceView {
    // Notes about a trace that are not errors of its run.

    package static let torn = "the last line is cut off, and was left out"

    /// The message for an action number beyond the end of the trace.
    package static func endsBefore(action: Int, count: Int) -> String {
        "there is no action \(action); the trace has \(CountText.words(count, "action"))"
    }

    /// The message if the program ended while reducing this action, or before recording the result.
    package static func endsWithin(action: Int) -> String {
        "the trace ends within action \(action): what it led to was not recorded"
    }

    package static func otherVersion(recorded: String, own: String) -> String {
        "the trace was recorded by tapedeck \(recorded); this is \(own)"
    }

    /// Why a trace cannot be written or read, and what to do instead.
    package static func sentence(for refusal: TraceRefusal) -> String {
        switch refusal {
        case .foreign(let path):
            "\(path.displayText) is there already and is no trace; name a new file with --trace"
        case .notWritten(let path, let detail):
            "the trace \(path.displayText) cannot be written: \(detail)"
        case .notRead(let path, let detail):
            "\(path.displayText) cannot be read: \(detail)"
        case .notATrace(let path):
            "\(path.displayText) is no trace; tapedeck run --trace writes one"
        case .otherFormat(let path, let format):
            "\(path.displayText) is a trace of format \(format), which this version cannot read"
        case .damaged(let path, let line):
            "line \(line) of \(path.displayText) is damaged, or from another version of tapedeck"
        }
    }
}

/// Counts of a replayed run at the current action.
package struct ReplayFacts: Encodable {
    package var recordings: Int
    package var waiting: Int
    package var running: Int
    package var done: Int
    package var failed: Int
    package var upToDate: Int
    package var planned: Int
    /// Folders discovered so far.
    package var folders: Int
    package var foldersFailed: Int
    package var manifestsInFlight: Int
    package var ignoredAnswers: Int

    /// - Complexity: O(jobs).
    package init(_ state: JobStore.State) {
        let jobs = state.jobs
        recordings = state.summary.recordings
        waiting = jobs.ids.count { if case .waiting = jobs[$0].phase { true } else { false } }
        running = state.scheduler.running
        done = state.summary.done
        failed = state.summary.failed
        upToDate = state.summary.upToDate
        planned = state.summary.planned
        folders = state.scan.folders.count
        foldersFailed = state.summary.foldersFailed
        manifestsInFlight = state.manifestsInFlight.count
        ignoredAnswers = state.ignoredAnswers
    }
}
