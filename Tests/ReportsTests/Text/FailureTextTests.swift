import Jobs
import Recordings
import ReducerKit
import Reports
import Testing

@Suite struct FailureTextTests {
    private typealias Reason = RecordingFailure.Reason

    /// Every reason in the stage where it is most at home, bare of further facts.
    private static let sentences: [Reason: String] = [
        .emptyFile: "the file is empty",
        .notARegularFile: "not a regular file",
        .unrecognisedFormat: "not a sound file that Tapedeck can read",
        .unsupportedEncoding: "its encoding cannot be decoded",
        .noAudio: "the file contains no audio",
        .truncated: "the file is cut off",
        .unfinished: "the recorder did not finish this file: its header does not describe the"
            + " audio",
        .corrupt: "the audio is damaged",
        .chainedStreams: "the file holds several streams, and only the first could be read",
        .implausibleLength: "the header claims more audio than the file can hold",
        .tooLong: "longer than --max-hours of run and watch allows (48 hours)",
        .decoderStuck: "the decoder ran for a minute without output; the next run decodes it in"
            + " a process of its own",
        .decoderCrashed: "the decoder crashed or did not answer; the next run tries again",
        .needsLibav: "needs libav, which is not installed (apt install ffmpeg)",
        .formatChanges: "the sample rate changes within the file",
        .permissionDenied: "no permission to read the file",
        .vanished: "the file no longer exists",
        .changed: "the file changed while it was being read",
        .beingWritten: "another program is still writing the file",
        .emptied: "empty or missing, but it has results: is its disk or share mounted?",
        .linked: "now a symlink, or below one; symlinked folders are not followed, and its"
            + " results are kept",
        .leadsElsewhere: "its folder in the output is, or links to, a folder with other files:"
            + " nothing is written there",
        .placeTaken: "its results cannot be written: in the output, a file has the name of its"
            + " folder, or a folder is called manifest.json; rename or delete it",
        .nameTaken:
            "a file in the output is not one of its results, or was modified: rename or delete it",
        .outputGone: "the output folder was deleted or replaced",
        .takenOver:
            "another process works on this shard by now; what it does counts, and nothing is lost",
        .damagedRecord: "the record of results is damaged",
        .noSpace: "no space left on the device",
        .readOnly: "the file system is read-only",
        .tooLarge: "the file would exceed the size limit",
        .nameTooLong: "the name is too long",
        .tooManyOpenFiles: "too many files are open",
        .inputOutput: "input/output error",
        .unavailable: "temporarily unavailable",
        .other: "unknown error (0)",
    ]

    @Test(arguments: RecordingFailure.Reason.allCases)
    func eachReasonHasExpectedMessage(reason: RecordingFailure.Reason) {
        let failure = RecordingFailure(stage: .decode, reason: reason)
        #expect(FailureText.sentence(for: failure) == Self.sentences[reason])
    }

    /// Facts beyond the reason, and the stages that have words of their own.
    private static let withFacts: [(RecordingFailure, String)] = [
        (
            RecordingFailure(stage: .decode, reason: .truncated, frame: 100, expected: 250),
            "the file is cut off after frame 100 of 250"
        ),
        (
            RecordingFailure(stage: .decode, reason: .truncated, frame: 100),
            "the file is cut off after frame 100"
        ),
        (
            RecordingFailure(stage: .decode, reason: .truncated, frame: 100, expected: 90),
            "the file is cut off after frame 100"
        ),
        (
            RecordingFailure(
                stage: .decode, reason: .corrupt, detail: "Bad frame header.\n", frame: 7),
            "the audio is damaged after frame 7 (\"Bad frame header\")"
        ),
        (
            RecordingFailure(
                stage: .decode, reason: .unrecognisedFormat, detail: "Format not recognised."),
            "not a sound file that Tapedeck can read (\"Format not recognised\")"
        ),
        (
            RecordingFailure(stage: .decode, reason: .unsupportedEncoding, detail: "one\ntwo"),
            "its encoding cannot be decoded (\"one two\")"
        ),
        (
            RecordingFailure(stage: .decode, reason: .chainedStreams, frame: 16_000),
            "the file holds several streams, and only the first could be read, up to frame 16000"
        ),
        (
            RecordingFailure(stage: .decode, reason: .inputOutput, frame: 5),
            "input/output error after frame 5"
        ),
        (
            RecordingFailure(stage: .decode, reason: .other, detail: "Strange things", code: 99),
            "Strange things"
        ),
        (RecordingFailure(stage: .decode, reason: .other, code: 99), "unknown error (99)"),
        (
            RecordingFailure(stage: .waveform, reason: .noSpace),
            "the waveform could not be written: no space left on the device"
        ),
        (
            RecordingFailure(stage: .waveform, reason: .permissionDenied),
            "the waveform could not be written: permission denied"
        ),
        (
            RecordingFailure(stage: .trim, reason: .noSpace),
            "the trimmed copy could not be written: no space left on the device"
        ),
        (
            RecordingFailure(stage: .trim, reason: .other, detail: "Bad format"),
            "the trimmed copy could not be written: Bad format"
        ),
        (
            RecordingFailure(stage: .trim, reason: .unsupportedEncoding),
            "the trimmed copy could not be written: its container cannot hold this audio"
        ),
        (
            RecordingFailure(stage: .trim, reason: .changed),
            "the file changed while it was being read"
        ),
        (RecordingFailure(stage: .scan, reason: .vanished), "the file no longer exists"),
    ]

    @Test(arguments: withFacts.indices)
    func messageIncludesFrameDetailAndStage(index: Int) {
        let (failure, sentence) = Self.withFacts[index]
        #expect(FailureText.sentence(for: failure) == sentence)
    }

    @Test(arguments: Stage.allCases, RecordingFailure.Reason.allCases)
    func failureMessageIsOneLineForAnyName(stage: Stage, reason: RecordingFailure.Reason) {
        let name: Pathname = "a\nb\r\u{2028}\u{85}\u{B}\u{1B}[2J.wav"
        var entry = ManifestEntry(name: name, status: .failed, source: nil)
        entry.failure = RecordingFailure(
            stage: stage, reason: reason, detail: "two\r\nlines\n", code: 1, frame: 2, expected: 3)
        let announcement = Announcement.settled(
            folder: "x\ny", entry, upToDate: false)
        let line = FailureText.line(for: announcement)
        #expect(line?.isEmpty == false)
        #expect(line?.unicodeScalars.contains { $0.properties.isControl } == false)
        #expect(line?.contains { $0.isNewline } == false)
    }

    @Test func failureLineShowsPathFromRoot() {
        var entry = ManifestEntry(name: "b.wav", status: .failed, source: nil)
        entry.failure = RecordingFailure(stage: .decode, reason: .emptyFile)
        #expect(
            FailureText.line(for: .settled(folder: "A/x", entry, upToDate: false))
                == "A/x/b.wav: the file is empty")
        #expect(
            FailureText.line(for: .settled(folder: .empty, entry, upToDate: false))
                == "b.wav: the file is empty")
    }

    @Test func successHasNoFailureLine() {
        let entry = ManifestEntry(name: "b.wav", status: .done, source: nil)
        #expect(
            FailureText.line(for: .settled(folder: "A", entry, upToDate: false))
                == nil)
        #expect(FailureText.line(for: .planned(folder: "A", name: "b.wav", .all)) == nil)
    }

    @Test func folderAndManifestFailuresNameTheFolder() {
        let failure = RecordingFailure(stage: .scan, reason: .permissionDenied)
        let linked = RecordingFailure(stage: .scan, reason: .linked)
        #expect(
            FailureText.line(for: .folderFailed("A", linked))
                == "A: now a symlink, or below one; symlinked folders are not followed, and its"
                + " results are kept")
        #expect(
            FailureText.line(for: .folderFailed("A", failure))
                == "A: the folder could not be read: permission denied")
        let gone = RecordingFailure(stage: .scan, reason: .vanished, detail: "No such file")
        #expect(
            FailureText.line(for: .folderFailed(.empty, gone))
                == ".: the folder could not be read: No such file")
        let emptied = RecordingFailure(stage: .scan, reason: .emptied)
        #expect(
            FailureText.line(for: .folderFailed("A", emptied), below: "..")
                == "../A: empty or missing, but it has results: is its disk or share mounted?")
        let full = RecordingFailure(stage: .manifest, reason: .noSpace)
        #expect(
            FailureText.line(for: .manifestFailed(folder: "A", full))
                == "A: the manifest could not be written: no space left on the device")
    }
}

// MARK: - The run itself

extension FailureTextTests {
    private static let announcements: [(Announcement, String?)] = [
        (
            .stopped(RecordingFailure(stage: .waveform, reason: .noSpace)),
            "the run was stopped: no space left for the results; finished work is kept; run the"
                + " same command again"
        ),
        (
            .stopped(RecordingFailure(stage: .trim, reason: .readOnly)),
            "the run was stopped: the output folder is read-only; finished work is kept; run the"
                + " same command again"
        ),
        (
            .stopped(RecordingFailure(stage: .manifest, reason: .inputOutput)),
            "the run was stopped: the results could not be written to disk: input/output error;"
                + " finished work is kept; run the same command again"
        ),
        (
            .manifestSetAside(folder: "A", name: "manifest.json.unreadable"),
            "A: its manifest.json in the output was damaged, or another program's; it is kept as"
                + " manifest.json.unreadable"
        ),
        (
            .spared(folder: "A", name: "b.wav"),
            "in the output, A/b.wav is kept although no recording has it: it was modified, or is"
                + " another file; rename or delete it"
        ),
        (.explained(folder: "A", name: "b.wav", [.new]), nil), (.settingsChanged([.new]), nil),
    ]

    @Test(arguments: announcements.indices)
    func runFailuresHaveExpectedLines(index: Int) {
        let (announcement, line) = Self.announcements[index]
        #expect(FailureText.line(for: announcement) == line)
    }

    @Test func skippedFailureIsReportedAsStillFailed() {
        var entry = ManifestEntry(name: "b.m4a", status: .failed, source: nil)
        entry.failure = RecordingFailure(stage: .decode, reason: .corrupt, frame: 9)
        #expect(
            FailureText.line(
                for: .settled(folder: "A", entry, upToDate: true), below: "..")
                == "../A/b.m4a: still failed: the audio is damaged after frame 9")
    }

    @Test func missingRecordingIsNotReportedAsFailed() {
        var entry = ManifestEntry(name: "b.wav", status: .sourceMissing, source: nil)
        entry.failure = RecordingFailure(stage: .decode, reason: .corrupt)
        for upToDate in [false, true] {
            let announcement = Announcement.settled(
                folder: "A", entry, upToDate: upToDate)
            #expect(FailureText.line(for: announcement) == nil)
        }
    }

    @Test func unavailableFailureQuotesSystemMessage() {
        let failure = RecordingFailure(
            stage: .trim, reason: .unavailable, detail: "Resource temporarily unavailable",
            code: 11)
        #expect(
            FailureText.sentence(for: failure)
                == "temporarily unavailable (\"Resource temporarily unavailable\")")
    }
}

extension Unicode.Scalar.Properties {
    fileprivate var isControl: Bool { generalCategory == .control }
}

@Suite struct FailureLineTests {
    private func line(_ name: Pathname, below root: Pathname) -> String? {
        var entry = ManifestEntry(name: name, status: .failed, source: nil)
        entry.failure = RecordingFailure(stage: .decode, reason: .unrecognisedFormat)
        return FailureText.line(
            for: .settled(folder: "A", entry, upToDate: false), below: root)
    }

    @Test func failedPathIsShownBelowGivenRoot() {
        #expect(line("b.wav", below: "..")?.hasPrefix("../A/b.wav: ") == true)
        #expect(line("b.wav", below: "/x")?.hasPrefix("/x/A/b.wav: ") == true)
        #expect(line("b.wav", below: .empty)?.hasPrefix("A/b.wav: ") == true)
    }
}
