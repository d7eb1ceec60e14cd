import Jobs
import Recordings
import Reports
import Testing

@Suite struct StalenessTextTests {
    private static func waveform(_ change: (inout WaveformRecipe) -> Void) -> StaleReason {
        var now = WaveformRecipe()
        change(&now)
        return .waveformRecipe(before: WaveformRecipe(), now: now)
    }

    private static func silence(_ change: (inout SilenceRecipe) -> Void) -> StaleReason {
        var now = SilenceRecipe()
        change(&now)
        return .silenceRecipe(before: SilenceRecipe(), now: now)
    }

    private static func trim(_ change: (inout TrimRecipe) -> Void) -> StaleReason {
        var now = TrimRecipe()
        change(&now)
        return .trimRecipe(before: TrimRecipe(), now: now)
    }

    private static let stamp = FileStamp(bytes: 1_000, modifiedNanoseconds: 1)

    private static let words: [(StaleReason, String)] = [
        (.new, "it is new"),
        (.forced, "everything is redone"),
        (
            .sourceChanged(before: stamp, now: FileStamp(bytes: 2_000, modifiedNanoseconds: 1)),
            "the recording changed: 1000 → 2000 bytes"
        ),
        (
            .sourceChanged(before: stamp, now: FileStamp(bytes: 2_000, modifiedNanoseconds: 2)),
            "the recording changed: 1000 → 2000 bytes"
        ),
        (
            .sourceChanged(before: stamp, now: FileStamp(bytes: 1_000, modifiedNanoseconds: 2)),
            "the recording changed: its modification time differs"
        ),
        (.sourceUnknown, "its earlier results are incomplete"),
        (
            .failedBefore(RecordingFailure(stage: .decode, reason: .truncated, frame: 7)),
            "it failed before and is retried (the file is cut off after frame 7)"
        ),
        (
            waveform { $0.samplesPerPixel = [512] },
            "waveform settings changed: 256 → 512 samples per pixel"
        ),
        (
            waveform { $0.samplesPerPixel = [256, 1_024] },
            "waveform settings changed: 256 → 256, 1024 samples per pixel"
        ),
        (
            waveform { $0.points = 800 },
            "waveform settings changed: 256 samples per pixel → 800 pixels in all"
        ),
        (
            waveform { $0.pixelsPerSecond = 50 },
            "waveform settings changed: 256 samples per pixel → 50 pixels per second"
        ),
        (
            waveform { $0.subjects = [.source, .trimmed] },
            "waveform settings changed: drawn of recordings → recordings and trimmed copies"
        ),
        (waveform { $0.bits = 16 }, "waveform settings changed: 8 → 16 bits"),
        (waveform { $0.format = .json }, "waveform settings changed: as dat → json"),
        (waveform { $0.splitChannels = true }, "waveform settings changed: channels apart"),
        (
            waveform {
                $0.samplesPerPixel = [64]
                $0.bits = 16
                $0.format = .json
                $0.splitChannels = true
            },
            "waveform settings changed: 256 → 64 samples per pixel, 8 → 16 bits, as dat → json,"
                + " channels apart"
        ),
        (
            silence { $0.detector = .classical },
            "silence settings changed: learned → classical detector"
        ),
        (
            silence { $0.method = 1 },
            "silence settings changed: method \(SilenceRecipe.currentMethod) → 1"
        ),
        (
            silence { $0.minimumSeconds = 1 },
            "silence settings changed: 0.5 → 1 s at least"
        ),
        (
            silence {
                $0.method += 1
                $0.minimumSeconds = 0.25
            },
            "silence settings changed: method \(SilenceRecipe.currentMethod)"
                + " → \(SilenceRecipe.currentMethod + 1), 0.5 → 0.25 s at least"
        ),
        (
            silence {
                $0.minimumSoundSeconds = 0.1
                $0.sensitivityDecibels = 3
                $0.thresholdDBFS = -45
                $0.activity = .any
            },
            "silence settings changed: 0.2 → 0.1 s of sound at least, sensitivity 0 → 3 dB,"
                + " threshold its own → -45 dBFS, activity speech → any"
        ),
        (trim { $0.mode = .gaps }, "trim settings changed: trim edges → gaps"),
        (
            trim { $0.keepSilenceSeconds = 0 },
            "trim settings changed: 0.25 → 0 s of silence kept"
        ),
        (trim { $0.longestGapSeconds = 2.5 }, "trim settings changed: gaps of 1 s → 2.5 s"),
        (
            trim {
                $0.longestGapSeconds = nil
                $0.keptGapShare = 0.5
            },
            "trim settings changed: gaps of 1 s → any length, all → 0.5 of each gap kept"
        ),
        (trim { $0.fadeMilliseconds = 7.5 }, "trim settings changed: fades of 5 → 7.5 ms"),
        (
            trim { $0.minimumConfidence = 0.7 },
            "trim settings changed: confidence 0 → 0.7 at least"
        ),
        (trim { $0.format = .flac }, "trim settings changed: copies as auto → flac"),
        (
            trim {
                $0.mode = .off
                $0.format = .wav
            }, "trim settings changed: trim edges → off, copies as auto → wav"
        ),
        (
            .output(OutputDamage(name: "b\n.wav", kind: .missing, stage: .trim)),
            "b\\n.wav is missing"
        ),
        (
            .output(OutputDamage(name: "b.wav.dat", kind: .altered, stage: .waveform)),
            "b.wav.dat was modified"
        ),
        (
            .renamed("b.wav.dat"),
            "b.wav.dat needs another name: another recording has this one"
        ),
        (.checksumWanted, "its checksum was not recorded"),
    ]

    @Test(arguments: words.indices)
    func eachReasonHasExpectedText(index: Int) {
        let (reason, words) = Self.words[index]
        #expect(StalenessText.words(for: reason) == words)
    }

    @Test func disabledChannelSplitIsReportedAsMixed() {
        var before = WaveformRecipe()
        before.splitChannels = true
        #expect(
            StalenessText.words(
                for: .waveformRecipe(before: before, now: WaveformRecipe()))
                == "waveform settings changed: channels mixed")
    }

    @Test func lineListsAllReasonsOfRecording() {
        #expect(StalenessText.line("A/x", "b.wav", [.new]) == "A/x/b.wav: it is new")
        #expect(
            StalenessText.line(.empty, "b\n.wav", [.checksumWanted, .forced])
                == "b\\n.wav: its checksum was not recorded; everything is redone")
    }

    @Test(arguments: words.indices)
    func reasonIsOneLineForAnyName(index: Int) {
        let line = StalenessText.line("a\r", "b\n", [Self.words[index].0])
        #expect(!line.contains { $0.isNewline })
    }
}
