import Jobs
import Recordings
import Reports
import TestSupport
import Testing

@Suite struct InspectionViewTests {
    static func inspection(_ silence: SilenceMap = Example.silence()) -> Inspection {
        let format = Example.format()
        // Loud but for the first second.
        let values = (0..<1_000).flatMap { pixel -> [Int16] in
            pixel < 100 ? [-33, 33] : [-16_384, 16_384]
        }
        return Inspection(
            source: Example.stamp, format: format, levels: Example.levels(), silence: silence,
            peaks: Peaks(samplesPerPixel: 10, channels: 1, values: values))
    }

    static func view(
        _ silence: SilenceMap = Example.silence(), trim: TrimRecipe.Mode = .edges
    ) -> InspectionView {
        var recipe = TrimRecipe()
        recipe.mode = trim
        let inspection = inspection(silence)
        return InspectionView(
            "A/b.wav", inspection,
            CutPlanner.plan(silence: silence, format: inspection.format, recipe: recipe))
    }

    @Test func linesShowFindingsAndPlannedCuts() {
        #expect(
            Self.view(Example.silence([[0, 1], [4, 7.25]]), trim: .edges).lines == [
                "A/b.wav: 0:10, mono, 1000 Hz, pcm16 in wav",
                "peak -3.0 dBFS, RMS -20.0 dBFS",
                "noise floor -60.0 dBFS, sound 40.0 dB above it, confidence 1",
                "2 silences, 4.3 s of 10 s",
                "  0:00 – 0:01     cut 0:00 – 0:00.75",
                "  0:04 – 0:07.25  stays",
                "1 cut, 0.8 s; the copy will be 0:09.25 long",
            ])
    }

    /// What strangers wrote can neither break a line nor turn the writing direction.
    @Test func linesShowWhatTheRecordingSaysOfItself() {
        var inspection = Self.inspection()
        inspection.metadata.recordedAt = "2026-05-01"
        inspection.metadata.title = "a\u{202E}b"
        inspection.metadata.tags = ["z": "1", "artist": String(repeating: "x", count: 300)]
        let lines = InspectionView("A/b.wav", inspection, nil).lines
        #expect(
            lines[1...4] == [
                "recordedAt: 2026-05-01", "title: a\\u{202e}b",
                "artist: \(String(repeating: "x", count: 200))…", "z: 1",
            ])
    }

    @Test(arguments: [
        (
            Example.silence(silent: true), "taken for silence throughout",
            "all of it is taken for silence"
        ),
        (
            Example.silence(separable: false), "sound and noise floor cannot be told apart",
            "its sound and noise could not be separated"
        ),
        (Example.silence([]), "no silence", "there was nothing to cut, so its times are the same"),
    ])
    func reasonForCuttingNothingIsShown(silence: SilenceMap, finding: String, reason: String) {
        let lines = Self.view(silence).lines
        #expect(lines[3] == finding)
        #expect(lines.last == "nothing is cut: \(reason)")
    }

    @Test func failedRecordingIsNotCut() {
        let view = InspectionView("b.wav", Self.inspection(), nil)
        #expect(view.lines.last == "nothing is cut: not all of it could be decoded")
        #expect(view.cuts.isEmpty)
    }

    @Test func digitalSilenceIsShownAsMinusInfinity() {
        var inspection = Self.inspection(
            SilenceMap(
                noiseFloorDBFS: nil, signalToNoiseDecibels: nil, confidence: 0.25, separable: false,
                silent: true, intervalsSeconds: [[0, 10]]))
        inspection.format.channels = 2
        inspection.levels.peakDBFS = [nil, -12.345]
        inspection.levels.rmsDBFS = [nil, nil]
        inspection.levels.clippedSamples = [0, 1_500]
        inspection.levels.samplesBeyondFullScale = [1, 0]
        let lines = InspectionView("b.wav", inspection, .keepWhole(.silent)).lines
        #expect(lines[0].contains("stereo"))
        #expect(
            lines[1]
                == "peak -∞, -12.3 dBFS, RMS -∞ dBFS, 1,500 clipped samples, 1 sample beyond full"
                + " scale")
        #expect(lines[2] == "no noise floor but digital silence, confidence 0.25")
    }

    @Test func nonFiniteSamplesAndDecoderMessageAreShown() {
        var inspection = Self.view(Example.silence()).inspection
        #expect(!Self.view(Example.silence()).lines.contains { $0.contains("decoder") })
        inspection.levels.nonFiniteSamples = [1_500, 2]
        inspection.decoderMessage = "Error A : 00"
        let lines = InspectionView("b.wav", inspection, nil).lines
        #expect(lines[1].hasSuffix(", 1,502 samples are not numbers"))
        #expect(lines.contains("decoder message: Error A : 00"))
        inspection.levels.nonFiniteSamples = [1, 0]
        let one = InspectionView("b.wav", inspection, nil).lines
        #expect(one[1].hasSuffix(", 1 sample is not a number"))
    }

    @Test func missingConfidenceIsOmitted() {
        var silence = Example.silence()
        silence.confidence = nil
        #expect(
            Self.view(silence).lines[2] == "noise floor -60.0 dBFS, sound 40.0 dB above it")
    }

    @Test func cutsListRemovedIntervals() {
        let view = Self.view(Example.silence([[0, 1], [4, 7], [9, 10]]), trim: .gaps)
        #expect(view.cuts == [0..<0.75, 4.5..<6.5, 9.25..<10])
    }

    @Test(arguments: [
        (
            RecordingFailure(stage: .decode, reason: .vanished), "a/b.m4a does not exist"
        ),
        (
            RecordingFailure(stage: .decode, reason: .notARegularFile),
            "a/b.m4a is not a file; pass one recording"
        ),
        (
            RecordingFailure(stage: .decode, reason: .unrecognisedFormat),
            "a/b.m4a: not a sound file that Tapedeck can read"
        ),
    ])
    func failureToInspectIsExplained(failure: RecordingFailure, line: String) {
        #expect(FailureText.line(forInspecting: "a/b.m4a", failure) == line)
    }

    @Test func pictureRefusalMessageNamesReason() {
        #expect(
            FailureText.sentence(for: PictureRefusal.holdsSomethingElse("b.wav"))
                == "b.wav exists and is not a picture; choose another with --picture")
        let failure = RecordingFailure(stage: .waveform, reason: .noSpace)
        #expect(
            FailureText.sentence(for: PictureRefusal.notWritten("b.png", failure))
                == "the picture b.png cannot be written: no space left on the device")
        #expect(
            FailureText.sentence(for: PictureRefusal.noCairo)
                == "pictures need the library Cairo, which cannot be loaded: apt install libcairo2")
        #expect(
            FailureText.sentence(for: PictureRefusal.notDrawn(detail: "out of memory"))
                == "the picture cannot be drawn: out of memory")
        #expect(
            FailureText.sentence(
                for: PictureRefusal.startsBeyondEnd(startSeconds: 75, durationSeconds: 12.5))
                == "the recording is 0:12.5 long: --start 1:15 is beyond its end")
    }
}

@Suite struct WaveformViewTests {
    private func lines(width: Int, isColoured: Bool = false) -> [String] {
        let silence = Example.silence([[0, 1], [4, 6], [8, 9]])
        return WaveformView(InspectionViewTests.view(silence)).lines(
            width: width, isColoured: isColoured)
    }

    @Test func waveformShowsDecibelBarsAndSilenceMarks() {
        // Ten columns, each a second: one of -60 dBFS, nine a little below -6 dBFS.
        #expect(
            lines(width: 16) == [
                "   0 │ ▁▁▁▁▁▁▁▁▁", "     │ █████████", " -16 │ █████████", "     │ █████████",
                " -32 │ █████████", "     │ █████████", " -48 │ █████████", "     │▄█████████",
                "dBFS │x   ··  ·", "      0:00  0:10", "      · silence…",
            ])
    }

    @Test(arguments: [16, 20, 40, 79, 80, 200, 5_000])
    func waveformFitsTerminalWidth(width: Int) {
        for line in lines(width: width) {
            #expect(TerminalBlock.columns(of: line) <= width, "\(line)")
        }
    }

    @Test func waveformHasMinimumWidth() {
        #expect(lines(width: 1) == lines(width: 16))
    }

    @Test func plainTextHasNoEscapes() {
        #expect(lines(width: 79).allSatisfy { !$0.contains("\u{1B}") })
    }

    @Test func dimsSilenceAndColoursCuts() {
        let row = lines(width: 16, isColoured: true)[7]
        #expect(
            row == "     │\u{1B}[0;2;31m▄\u{1B}[0m███\u{1B}[0;2m██\u{1B}[0m██\u{1B}[0;2m█\u{1B}[0m█"
        )
        for line in lines(width: 16, isColoured: true) {
            #expect(!line.contains("\u{1B}") || line.contains("\u{1B}[0m"))
        }
    }

    @Test func shortSilenceIsStillMarked() {
        let view = InspectionViewTests.view(Example.silence([[5.01, 5.02]]))
        let marks = WaveformView(view).lines(width: 16, isColoured: false)[8]
        #expect(marks == "dBFS │     ·")
    }
}
