import Jobs
import Recordings
import TestSupport
import Testing

@testable import Reports

@Suite struct TraceViewTests {
    private static let failure = RecordingFailure(
        stage: .scan, reason: .permissionDenied, detail: "Permission\ndenied", code: 13)

    private static let listed: JobStore.Action = .scan(
        .listed(FolderID(0), FolderListing(recordings: [Example.sighting("a.wav")])))

    /// A run that has found one recording and listens to it.
    private static func replay() -> Replay {
        var replay = Replay(JobStore.Configuration())
        for action in [.started([.folder("")], journal: JournalContents()), listed] {
            _ = replay.take(action, recorded: nil)
        }
        return replay
    }

    @Test func saysHowFarTheRunHadCome() {
        #expect(
            TraceView.lines(Self.replay()) == [
                "2 actions replayed",
                "the run is running",
                "1 recording: 0 done, 0 failed, 0 up to date, 0 to be done, 1 running, 0 waiting",
                "1 folder, 0 unreadable; 0 manifests under way; 0 answers ignored",
                "action 2, scan(listed(0, (recordings: [(name: a.wav, finding: file(bytes: 1000,"
                    + " modifiedNanoseconds: 1))], sub…, led to",
                "  job(0, listen(stages: waveform+levels+silence, source: (name: a.wav,"
                    + " stamp: (bytes: 1000, modifiedNanoseconds: 1), setting: (folder: .,"
                    + " recipe: (waveform: (samplesPerPixel: [256], bits: 8, format: dat,"
                    + " splitChannels: false), silence: (method: 11, detector: learned,"
                    + " activity: speech, minimumSeconds: …",
            ])
    }

    @Test func saysSoWhereNothingHasHappenedAndNothingFollows() {
        var replay = Replay(JobStore.Configuration())
        #expect(TraceView.lines(replay).count == 4)
        #expect(TraceView.lines(replay).first == "0 actions replayed")
        _ = replay.take(.manifestWritten(FolderID(9)), recorded: nil)
        #expect(
            TraceView.lines(replay).suffix(3) == [
                "0 folders, 0 unreadable; 0 manifests under way; 1 answer ignored",
                "action 1, manifestWritten(9, spared: []), led to", "  nothing",
            ])
    }

    @Test func namesTheFirstDifference() {
        let finding = Replay.Finding.differs(
            recorded: [.cancelWork, .announce(.folderFailed("a", Self.failure)), .finish],
            replayed: [.cancelWork, .announce(.folderFailed("b", Self.failure))])
        let words =
            #"stage: scan, reason: permissionDenied, detail: "Permission\ndenied", code: 13"#
        #expect(
            TraceView.lines(finding, at: 12) == [
                "action 12 leads to other commands than were recorded",
                "recorded:", "  cancelWork", "  announce(folderFailed(a, (\(words))))", "  finish",
                "replayed:", "  cancelWork", "  announce(folderFailed(b, (\(words))))",
                "first at [1].announce.folderFailed: a was recorded, b replayed",
            ])
    }

    @Test func namesTheFirstDifferenceEvenWhereTheLineIsCut() throws {
        let name = Pathname(String(repeating: "long", count: 200))
        let finding = Replay.Finding.differs(
            recorded: [.announce(.planned(folder: name, name: "a", .all))],
            replayed: [.announce(.planned(folder: name, name: "a", [.trim]))])
        let lines = TraceView.lines(finding, at: 1)
        #expect(lines.allSatisfy { $0.count <= 303 })
        #expect(
            lines.last
                == "first at [0].announce.planned: waveform+levels+silence+trim was recorded,"
                + " trim replayed")
    }

    @Test func leavesOutWhatIsAbsentAndNothingElse() {
        #expect(
            ValueText.words(FolderScan.Request(path: "none", only: nil, also: ["none"]))
                == "(path: none, also: [none], isFirst: true, isKnown: false, recovers: false, watches: false, tellsFilesApart: false)"
        )
        #expect(ValueText.words(FolderID(3)) == "3")
        #expect(ValueText.words(FolderID(3, generation: 2)) == "3.2")
        #expect(ValueText.words(Set<Pathname>(["b", "a", "c"])) == "[a, b, c]")
        #expect(
            ValueText.words(["b": 1, "a": 2])
                == #"[(key: "a", value: 2), (key: "b", value: 1)]"#)
        #expect(ValueText.words(JobStore.Phase.stopping(.interrupt)) == "stopping(interrupt)")
        #expect(ValueText.words(JobStore.Phase.finished(nil)) == "finished")
    }

    private static let differences: [(any Sendable, any Sendable, ValueText.Difference?)] = [
        ([1, 2], [1, 2], nil),
        ([1], [1, 2], .init(place: "[1]", left: "nothing", right: "2")),
        ([1, 2], [1], .init(place: "[1]", left: "2", right: "nothing")),
        (
            Example.levels(peakDBFS: -1), Example.levels(peakDBFS: -2),
            .init(place: ".peakDBFS[0]", left: "-1.0", right: "-2.0")
        ),
        (
            StopSignal.interrupt, StopSignal.terminate,
            .init(place: "", left: "interrupt", right: "terminate")
        ),
        (
            JobStore.Phase.finished(nil), JobStore.Phase.finished(.interrupt),
            .init(place: ".finished", left: "none", right: "interrupt")
        ),
        (
            JobStore.Action.ticked(1), JobStore.Action.stopRequested(.interrupt),
            .init(place: "", left: "ticked(1.0)", right: "stopRequested(interrupt)")
        ),
    ]

    @Test(arguments: differences.indices)
    func findsWhereTwoValuesDiffer(index: Int) {
        let (left, right, expected) = Self.differences[index]
        #expect(ValueText.firstDifference(left, right) == expected)
    }

    @Test func saysWhatCanNeverBe() {
        #expect(
            TraceView.lines(.violation("more was settled than was found"), at: 3)
                == ["action 3 leaves what can never be: more was settled than was found"])
    }

    private static let remarks: [(TraceView.Remark, String)] = [
        (.endsBefore(action: 9, count: 1), "there is no action 9; the trace has 1 action"),
        (.torn, "the last line is cut off, and was left out"),
        (
            .endsWithin(action: 4),
            "the trace ends within action 4: what it led to was not recorded"
        ),
        (
            .otherVersion(recorded: "0.1", own: "0.2"),
            "the trace was recorded by tapedeck 0.1; this is 0.2"
        ),
    ]

    @Test(arguments: remarks.indices)
    func saysARemark(index: Int) {
        let (remark, sentence) = Self.remarks[index]
        #expect(TraceView.sentence(for: remark) == sentence)
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
    func saysARefusal(index: Int) {
        let (refusal, sentence) = Self.refusals[index]
        #expect(TraceView.sentence(for: refusal) == sentence)
    }
}
