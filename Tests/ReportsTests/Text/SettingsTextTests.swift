import Jobs
import Recordings
import Reports
import Testing

@Suite struct SettingsTextTests {
    private func settings(_ change: (inout Settings) -> Void) -> Settings {
        var settings = Settings()
        change(&settings)
        return settings
    }

    /// Every setting, with a value that is no default.
    private var all: Settings {
        settings {
            $0.trim = .gaps
            ($0.minSilenceSeconds, $0.minSoundSeconds, $0.sensitivityDecibels) = (0.3, 1, -3)
            ($0.activity, $0.detector, $0.thresholdDBFS) = (.any, .classical, -40.5)
            ($0.keepSilenceSeconds, $0.longestGapSeconds, $0.shrinkGaps) = (0, 2, 0.5)
            ($0.fadeMilliseconds, $0.minConfidence, $0.trimFormat) = (10, 0.7, .wav)
            ($0.samplesPerPixel, $0.waveformBits, $0.waveformFormat) = ([64, 128], 16, .json)
            $0.waveformOf = [.source, .trimmed]
            ($0.splitChannels, $0.video, $0.strict, $0.checksums) = (true, true, true, true)
            let format = RawFormat(.muLaw, sampleRateHertz: 8000)
            $0.raw = ["*.a", "b c"].map { InputRules.Raw(pattern: $0, format: format) }
            $0.include = [Glob("*.wav"), Glob("x/")].compactMap { $0 }
            $0.exclude = [Glob("b c")].compactMap { $0 }
            $0.maxHours = 1.5
            ($0.channels, $0.export) = (.each, ["rttm", "csv"])
            ($0.split, $0.report, $0.isolate) = (true, true, true)
        }
    }

    @Test func everySettingIsAnOption() {
        let count = Mirror(reflecting: Settings()).children.count
        #expect(SettingsText.options(Settings()).count == count)
        #expect(SettingsText.options(Settings()).filter { !$0.isDefault } == [])
        // Any activity means levels.
        #expect(
            SettingsText.options(all).filter(\.isDefault).map(\.name)
                == ["--detector", "--pixels-per-second", "--points"])
    }

    @Test func rememberedOptionsAreWrittenAsTyped() {
        let change = SettingsChange(OutputSettings(all), given: Settings(), forgets: false)
        let typed =
            "--video --raw '*.a=ulaw,8000,1' --raw 'b c=ulaw,8000,1'"
            + " --include '*.wav' --include 'x/' --exclude 'b c' --trim gaps --min-silence 0.3"
            + " --min-sound 1 --activity any --sensitivity -3 --threshold -40.5dBFS"
            + " --channels each --keep-silence 0 --longest-gap 2 --shrink-gaps 0.5 --fade-milliseconds 10"
            + " --min-confidence 0.7 --trim-format wav --waveform-of source,trimmed"
            + " --samples-per-pixel 64,128 --waveform-bits 16 --waveform-format json"
            + " --split-channels --max-hours 1.5 --strict --checksums --isolate"
            + " --export csv,rttm --split"
            + " --report"
        #expect(SettingsText.remembered(change).joined(separator: " ") == typed)
        #expect(SettingsText.changes(change) == [])
        let none = SettingsChange(OutputSettings(all), given: all, forgets: false)
        #expect(SettingsText.remembered(none) == [])
        let forgotten = SettingsChange(OutputSettings(all), given: Settings(), forgets: true)
        #expect(SettingsText.remembered(forgotten) == [])
        #expect(SettingsText.changes(forgotten).count == 30)
    }

    @Test func changesNameValuesBeforeAndAfter() {
        let given = settings { ($0.trim, $0.strict, $0.thresholdDBFS) = (.gaps, true, -45) }
        let change = SettingsChange(OutputSettings(Settings()), given: given, forgets: false)
        #expect(
            SettingsText.changes(change) == [
                "--trim edges → gaps", "--detector learned → classical",
                "--threshold none → -45dBFS", "--strict no → yes",
            ])
    }

    @Test func oneZoomReplacesAnother() {
        let before = settings { $0.samplesPerPixel = [64] }
        let points = SettingsChange(
            OutputSettings(before), given: settings { $0.points = 800 }, forgets: false)
        #expect(
            SettingsText.changes(points)
                == ["--samples-per-pixel 64 → none", "--points none → 800"])
        let options = SettingsText.options(points.after.usual).filter { !$0.isDefault }
        #expect(options.map(\.name) == ["--points"] && options.map(\.value) == ["800"])
        let float = settings { $0.waveformFormat = .floatJSON }
        #expect(
            SettingsText.changes(
                SettingsChange(OutputSettings(Settings()), given: float, forgets: false))
                == ["--waveform-bits 8 → 16", "--waveform-format dat → float-json"])
    }

    @Test func lineOfChangesHasNumbers() {
        var results = ChangedResults()
        #expect(
            SettingsText.line(ofChanges: ["--max-hours 48 → 10"], results)
                == "settings changed: --max-hours 48 → 10; no results are affected")
        results.copiesRemade = 1234
        results.waveformsKept = 1
        results.copiesKept = 1
        #expect(
            SettingsText.line(ofChanges: ["--trim edges → gaps"], results)
                == "settings changed: --trim edges → gaps; 1,234 trimmed copies will be made again,"
                + " 1 trimmed copy stays, waveforms of 1 recording stay")
    }
}
