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
        .notARegularFile: "this is not a regular file",
        .unrecognisedFormat: "this is no sound file that can be read",
        .unsupportedEncoding: "the sound in it cannot be decoded",
        .noAudio: "there is no sound in it",
        .truncated: "the file is cut off",
        .unfinished: "the recorder never finished this file: its header says nothing of the"
            + " sound behind it",
        .corrupt: "the sound is damaged",
        .chainedStreams: "several streams follow each other in this file, and only the first"
            + " could be read",
        .implausibleLength: "it claims far more sound than its bytes can hold",
        .tooLong: "it holds more than 48 hours of sound, or more than --max-hours of run and watch"
            + " allows",
        .decoderStuck: "the decoder used the processor for a minute and delivered nothing; it is"
            + " not tried again until the file changes, but with --retry-failed",
        .permissionDenied: "there is no permission to read it",
        .vanished: "the file is gone",
        .changed: "the file changed while it was being read",
        .beingWritten: "it is still being written",
        .emptied: "it is empty or gone, though there are results of it: is its disk or share"
            + " mounted?",
        .linked: "it is a link now, or lies behind one; links to folders are not entered, and what"
            + " was made of it stays",
        .leadsElsewhere: "its folder in the output is, or leads to, one with files that are not the"
            + " output's: nothing is written there",
        .placeTaken: "its results have no place in the output, where a file stands in the way of a"
            + " folder, or a folder called manifest.json in that of a manifest: rename it, or"
            + " remove it",
        .nameTaken:
            "a file in the output is none of its results, or was changed since: rename it, or"
            + " remove it",
        .outputGone: "the output is gone, or another folder is in its place",
        .noSpace: "there is no space left",
        .readOnly: "it is read-only there",
        .tooLarge: "a file of that length is not allowed there",
        .nameTooLong: "the name is too long",
        .tooManyOpenFiles: "too many files are open",
        .inputOutput: "the disk reports an input/output error",
        .unavailable: "the system could not do it just now",
        .other: "no reason is known (0)",
    ]

    @Test(arguments: RecordingFailure.Reason.allCases)
    func hasASentenceForEachReason(reason: RecordingFailure.Reason) {
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
            "the sound is damaged after frame 7 (\"Bad frame header\")"
        ),
        (
            RecordingFailure(
                stage: .decode, reason: .unrecognisedFormat, detail: "Format not recognised."),
            "this is no sound file that can be read (\"Format not recognised\")"
        ),
        (
            RecordingFailure(stage: .decode, reason: .unsupportedEncoding, detail: "one\ntwo"),
            "the sound in it cannot be decoded (\"one two\")"
        ),
        (
            RecordingFailure(stage: .decode, reason: .chainedStreams, frame: 16_000),
            "several streams follow each other in this file, and only the first could be read,"
                + " up to frame 16000"
        ),
        (
            RecordingFailure(stage: .decode, reason: .inputOutput, frame: 5),
            "the disk reports an input/output error after frame 5"
        ),
        (
            RecordingFailure(stage: .decode, reason: .other, detail: "Strange things", code: 99),
            "Strange things"
        ),
        (RecordingFailure(stage: .decode, reason: .other, code: 99), "no reason is known (99)"),
        (
            RecordingFailure(stage: .waveform, reason: .noSpace),
            "the waveform could not be written: there is no space left"
        ),
        (
            RecordingFailure(stage: .waveform, reason: .permissionDenied),
            "the waveform could not be written: there is no permission"
        ),
        (
            RecordingFailure(stage: .trim, reason: .noSpace),
            "the trimmed copy could not be written: there is no space left"
        ),
        (
            RecordingFailure(stage: .trim, reason: .other, detail: "Bad format"),
            "the trimmed copy could not be written: Bad format"
        ),
        (
            RecordingFailure(stage: .trim, reason: .unsupportedEncoding),
            "the trimmed copy could not be written: its container cannot hold this sound"
        ),
        (
            RecordingFailure(stage: .trim, reason: .changed),
            "the file changed while it was being read"
        ),
        (RecordingFailure(stage: .scan, reason: .vanished), "the file is gone"),
    ]

    @Test(arguments: withFacts.indices)
    func tellsTheFacts(index: Int) {
        let (failure, sentence) = Self.withFacts[index]
        #expect(FailureText.sentence(for: failure) == sentence)
    }

    @Test(arguments: Stage.allCases, RecordingFailure.Reason.allCases)
    func isOneLineWhateverTheName(stage: Stage, reason: RecordingFailure.Reason) {
        let name: Pathname = "a\nb\r\u{2028}\u{85}\u{B}\u{1B}[2J.wav"
        var entry = ManifestEntry(name: name, status: .failed, source: nil)
        entry.failure = RecordingFailure(
            stage: stage, reason: reason, detail: "two\r\nlines\n", code: 1, frame: 2, expected: 3)
        let announcement = Announcement.settled(
            folder: "x\ny", SettledEntry(entry), upToDate: false)
        let line = FailureText.line(for: announcement)
        #expect(line?.isEmpty == false)
        #expect(line?.unicodeScalars.contains { $0.properties.isControl } == false)
        #expect(line?.contains { $0.isNewline } == false)
    }

    @Test func namesTheRecordingFromTheRootOn() {
        var entry = ManifestEntry(name: "b.wav", status: .failed, source: nil)
        entry.failure = RecordingFailure(stage: .decode, reason: .emptyFile)
        #expect(
            FailureText.line(for: .settled(folder: "A/x", SettledEntry(entry), upToDate: false))
                == "A/x/b.wav: the file is empty")
        #expect(
            FailureText.line(for: .settled(folder: .empty, SettledEntry(entry), upToDate: false))
                == "b.wav: the file is empty")
    }

    @Test func hasNothingToSayWhereAllIsWell() {
        let entry = ManifestEntry(name: "b.wav", status: .done, source: nil)
        #expect(
            FailureText.line(for: .settled(folder: "A", SettledEntry(entry), upToDate: false))
                == nil)
        #expect(FailureText.line(for: .planned(folder: "A", name: "b.wav", .all)) == nil)
    }

    @Test func namesFoldersThatCouldNotBeReadOrKept() {
        let failure = RecordingFailure(stage: .scan, reason: .permissionDenied)
        let linked = RecordingFailure(stage: .scan, reason: .linked)
        #expect(
            FailureText.line(for: .folderFailed("A", linked))
                == "A: it is a link now, or lies behind one; links to folders are not entered, and"
                + " what was made of it stays")
        #expect(
            FailureText.line(for: .folderFailed("A", failure))
                == "A: the folder could not be read: there is no permission")
        let gone = RecordingFailure(stage: .scan, reason: .vanished, detail: "No such file")
        #expect(
            FailureText.line(for: .folderFailed(.empty, gone))
                == ".: the folder could not be read: No such file")
        let emptied = RecordingFailure(stage: .scan, reason: .emptied)
        #expect(
            FailureText.line(for: .folderFailed("A", emptied), below: "..")
                == "../A: it is empty or gone, though there are results of it: is its disk or"
                + " share mounted?")
        let full = RecordingFailure(stage: .manifest, reason: .noSpace)
        #expect(
            FailureText.line(for: .manifestFailed(folder: "A", full))
                == "A: the manifest could not be written: there is no space left")
    }
}

// MARK: - The run itself, and its journal

extension FailureTextTests {
    private static let announcements: [(Announcement, String?)] = [
        (
            .stopped(RecordingFailure(stage: .waveform, reason: .noSpace)),
            "the run was stopped: there is no space left for the results; finished work is kept;"
                + " run the same command again"
        ),
        (
            .stopped(RecordingFailure(stage: .trim, reason: .readOnly)),
            "the run was stopped: the output folder is read-only; finished work is kept; run the"
                + " same command again"
        ),
        (
            .stopped(RecordingFailure(stage: .manifest, reason: .inputOutput)),
            "the run was stopped: the results could not be written to disk: the disk reports"
                + " an input/output error; finished work is kept; run the same command again"
        ),
        (
            .manifestSetAside(folder: "A", name: "manifest.json.unreadable"),
            "A: the manifest could not be read; the folder is processed again, and the old"
                + " manifest is kept as manifest.json.unreadable"
        ),
        (
            .spared(folder: "A", name: "b.wav"),
            "in the output, A/b.wav stays though nothing names it any more: it was changed since it"
                + " was made, or is something else; rename it, or remove it"
        ),
        (
            .journalDamaged(lines: [3]),
            "the journal of an earlier run is damaged in line 3; the recordings named there are processed again"
        ),
        (
            .journalDamaged(lines: [3, 12]),
            "the journal of an earlier run is damaged in line 3, 12; the recordings named there are processed"
                + " again"
        ),
        (
            .journalFailed(RecordingFailure(stage: .manifest, reason: .permissionDenied)),
            "the journal could not be deleted: there is no permission; the next run will do it"
        ),
        (.explained(folder: "A", name: "b.wav", [.new]), nil), (.settingsChanged([.new]), nil),
    ]

    @Test(arguments: announcements.indices)
    func tellsWhatBecameOfTheRunAndItsJournal(index: Int) {
        let (announcement, line) = Self.announcements[index]
        #expect(FailureText.line(for: announcement) == line)
    }

    @Test func saysOfARecordingThatWasNotTriedAgainThatItIsStillFailed() {
        var entry = ManifestEntry(name: "b.m4a", status: .failed, source: nil)
        entry.failure = RecordingFailure(stage: .decode, reason: .corrupt, frame: 9)
        #expect(
            FailureText.line(
                for: .settled(folder: "A", SettledEntry(entry), upToDate: true), below: "..")
                == "../A/b.m4a: still failed: the sound is damaged after frame 9")
        entry.failure = RecordingFailure(stage: .decode, reason: .unrecognisedFormat)
        #expect(
            FailureText.line(for: .settled(folder: "A", SettledEntry(entry), upToDate: true))
                == "A/b.m4a: still failed: this format cannot be read yet; convert it first:"
                + " ffmpeg -i A/b.m4a A/b.wav")
    }

    @Test func doesNotSayOfARecordingThatIsGoneThatItFailed() {
        var entry = ManifestEntry(name: "b.wav", status: .sourceMissing, source: nil)
        entry.failure = RecordingFailure(stage: .decode, reason: .corrupt)
        for upToDate in [false, true] {
            let announcement = Announcement.settled(
                folder: "A", SettledEntry(entry), upToDate: upToDate)
            #expect(FailureText.line(for: announcement) == nil)
        }
    }

    @Test func quotesWhatTheSystemSaidOfWhatItCouldNotDoJustNow() {
        let failure = RecordingFailure(
            stage: .trim, reason: .unavailable, detail: "Resource temporarily unavailable",
            code: 11)
        #expect(
            FailureText.sentence(for: failure)
                == "the system could not do it just now (\"Resource temporarily unavailable\")")
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
            for: .settled(folder: "A", SettledEntry(entry), upToDate: false), below: root)
    }

    @Test func showsPathsSoThatTheyCanBePasted() {
        #expect(line("b.wav", below: "..")?.hasPrefix("../A/b.wav: ") == true)
        #expect(line("b.wav", below: "/x")?.hasPrefix("/x/A/b.wav: ") == true)
        #expect(line("b.wav", below: .empty)?.hasPrefix("A/b.wav: ") == true)
    }

    @Test(arguments: [
        ("b.M4A", "convert it first: ffmpeg -i A/b.M4A A/b.wav"),
        ("b c.m4a", "convert it first: ffmpeg -i 'A/b c.m4a' 'A/b c.wav'"),
        ("b'c.m4a", "convert it first: ffmpeg -i 'A/b'\\''c.m4a' 'A/b'\\''c.wav'"),
        ("b;c.m4a", "convert it first: ffmpeg -i 'A/b;c.m4a' 'A/b;c.wav'"),
        ("b.ulaw", "convert the file to WAV or FLAC, with ffmpeg or sox"),
    ])
    func saysHowToConvertAFormatThatCannotBeReadYet(name: Pathname, advice: String) {
        #expect(
            line(name, below: .empty) == "A/\(name): this format cannot be read yet; \(advice)")
    }
}
