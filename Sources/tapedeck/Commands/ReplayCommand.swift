import ArgumentParser
import Jobs
import Recordings
import Reports
import Workers

/// `tapedeck replay`: repeats a recorded run's decisions from its actions.
struct ReplayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Repeat the decisions of a recorded run, and compare.",
        discussion: """
            Reads the file of tapedeck run --trace and nothing else. Prints how far the run had come, \
            and the commands that followed the last action.

            Exit status: 0 all as recorded, 1 the trace could not be read, 3 an action leads to \
            other commands or to an invalid state, 64 wrong usage.

            Example: tapedeck replay run.trace --until 12
            """
    )

    @Argument(help: ArgumentHelp("The trace.", valueName: "file"))
    var file: Pathname

    @Option("Stop after this many actions.", in: "n")
    var until: Int?

    @Flag(help: "Print one JSON object, with the last commands in full.")
    var json = false

    func validate() throws {
        guard file != "" else { throw ValidationError("a path cannot be empty") }
        if let until, until < 0 {
            throw ValidationError("--until takes a number of actions, not \(until)")
        }
    }

    func run() throws {
        try ExitStatus.end(saying: TraceView.sentence(for:), replay)
    }

    /// Replays up to the first mismatch.
    private func replay() throws(TraceRefusal) -> ExitStatus {
        let reader = try TraceReader(file)
        var replay = Replay(reader.configuration)
        var findings: [Replay.Finding] = []
        if reader.version != Tapedeck.version {
            StandardStream.complain(
                TraceView.otherVersion(recorded: reader.version, own: Tapedeck.version))
        }
        while findings.isEmpty, replay.count != until, let step = try reader.next() {
            // Print before replaying: what crashed the recorded run may crash this one too.
            if step.commands == nil {
                StandardStream.complain(TraceView.endsWithin(action: replay.count + 1))
            }
            findings = replay.take(step.action, recorded: step.commands)
        }
        if reader.isTorn { StandardStream.complain(TraceView.torn) }
        if let until, until > replay.count, findings.isEmpty {
            StandardStream.complain(TraceView.endsBefore(action: until, count: replay.count))
        }
        for finding in findings {
            let lines = TraceView.lines(finding, at: replay.count) { JSONLine.text($0) }
            StandardStream.complain(lines.joined(separator: "\n"))
        }
        let text =
            json
            ? JSONLine.text(JSONObject(replay, findings))
            : TraceView.lines(replay) { JSONLine.text($0) }.joined(separator: "\n")
        StandardStream.output.write(text + "\n")
        return findings.isEmpty ? .allWell : .someFailed
    }
}

extension JSONObject {
    fileprivate init(_ replay: Replay, _ findings: [Replay.Finding]) {
        self = [
            "event": "replay", "actions": replay.count, "phase": replay.state.phase,
            "facts": ReplayFacts(replay.state), "action": replay.lastAction,
            "commands": replay.lastCommands,
        ]
        for finding in findings {
            switch finding {
            case .differs(let recorded, let replayed):
                let both: JSONObject = ["recorded": recorded, "replayed": replayed]
                self = with(["difference": both] as JSONObject)
            case .violation(let sentence):
                self = with(["violation": sentence] as JSONObject)
            }
        }
    }
}
