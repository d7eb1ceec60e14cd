import Jobs
import Recordings
import TestSupport
import Testing

@testable import Reports

@Suite struct TraceViewTests {
    private static let failure = RecordingFailure(
        stage: .scan, reason: .permissionDenied, detail: "Permission\ndenied", code: 13)

    private static let listed: JobStore.Action = .scan(
        .listed(FolderID(0), FolderListing(recordings: [Example.scanned("a.wav")])))

    /// A run that has found one recording and listens to it.
    private static func replay() -> Replay {
        var replay = Replay(JobStore.Configuration())
        for action in [.started([.folder("")]), listed] {
            _ = replay.take(action, recorded: nil)
        }
        return replay
    }

    /// Stands for a line of the trace.
    private static func spelled(_ value: any Encodable) -> String {
        switch value {
        case let command as JobStore.Command: "\(command)".split(separator: "(")[0].description
        default: String(repeating: "long ", count: 100)
        }
    }

    @Test func replayStateAndLastActionAreShown() {
        #expect(
            TraceView.lines(Self.replay(), Self.spelled) == [
                "2 actions replayed",
                "the run is running",
                "1 recording: 0 done, 0 failed, 0 up to date, 0 to be done, 1 running, 0 waiting",
                "1 folder, 0 unreadable; 0 manifests under way; 0 answers ignored",
                "action 2, \(String(repeating: "long ", count: 20))…, led to", "  job",
            ])
    }

    @Test func emptyReplayAndActionWithoutCommandsAreShown() {
        var replay = Replay(JobStore.Configuration())
        #expect(TraceView.lines(replay, Self.spelled).count == 4)
        #expect(TraceView.lines(replay, Self.spelled).first == "0 actions replayed")
        _ = replay.take(.manifestWritten(FolderID(9)), recorded: nil)
        let lines = TraceView.lines(replay, Self.spelled)
        #expect(
            lines[3] == "0 folders, 0 unreadable; 0 manifests under way; 1 answer ignored")
        #expect(lines.last == "  nothing")
    }

    @Test func commandsAreShownFromFirstDifference() {
        let finding = Replay.Finding.differs(
            recorded: [.cancelWork, .announce(.folderFailed("a", Self.failure)), .finish],
            replayed: [.cancelWork])
        #expect(
            TraceView.lines(finding, at: 12, Self.spelled) == [
                "action 12 leads to other commands than were recorded",
                "recorded, from command 2 on:", "  announce", "  finish",
                "replayed:", "  nothing",
            ])
    }

    @Test func invariantViolationIsReported() {
        #expect(
            TraceView.lines(.violation("more was settled than was found"), at: 3, Self.spelled)
                == ["action 3 leaves what can never be: more was settled than was found"])
    }

    @Test func traceWarningsHaveExpectedMessages() {
        #expect(
            TraceView.endsBefore(action: 9, count: 1)
                == "there is no action 9; the trace has 1 action")
        #expect(TraceView.torn == "the last line is cut off, and was left out")
        #expect(
            TraceView.endsWithin(action: 4)
                == "the trace ends within action 4: what it led to was not recorded")
        #expect(
            TraceView.otherVersion(recorded: "0.1", own: "0.2")
                == "the trace was recorded by tapedeck 0.1; this is 0.2")
    }

    private static let refusals: [(TraceRefusal, String)] = [
        (
            .foreign("a\nb"),
            "a\\nb is there already and is no trace; name a new file with --trace"
        ),
        (.notWritten("a", detail: "No"), "the trace a cannot be written: No"),
        (.notRead("a", detail: "No"), "a cannot be read: No"),
        (.notATrace("a"), "a is no trace; tapedeck run --trace writes one"),
        (.otherFormat("a", 2), "a is a trace of format 2, which this version cannot read"),
        (
            .damaged("a", line: 7),
            "line 7 of a is damaged, or from another version of tapedeck"
        ),
    ]

    @Test(arguments: refusals.indices)
    func eachTraceRefusalHasExpectedMessage(index: Int) {
        let (refusal, sentence) = Self.refusals[index]
        #expect(TraceView.sentence(for: refusal) == sentence)
    }
}
