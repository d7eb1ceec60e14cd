import Foundation
import Jobs
import Recordings
import TestSupport
import Testing

/// What comes first: a command line, a settings file, what an output remembers, or the defaults.
@Suite struct FileSettingsTests {
    private func settings(_ change: (inout Settings) -> Void) -> Settings {
        var settings = Settings()
        change(&settings)
        return settings
    }

    private func file(_ change: (inout FileSettings) -> Void) -> FileSettings {
        var file = FileSettings()
        change(&file)
        return file
    }

    @Test func commandLineComesBeforeFileAndFileBeforeWhatIsRemembered() {
        let remembered = settings {
            ($0.trim, $0.minSilenceSeconds, $0.waveformBits) = (.gaps, 1, 16)
        }
        let file = file {
            $0.usual.minSilenceSeconds = 2
            $0.usual.longestGapSeconds = 3
        }
        let given = settings { $0.longestGapSeconds = 4 }
        let change = SettingsChange(
            OutputSettings(remembered), file: file, given: given, forgets: false)
        #expect(
            change.after.usual
                == settings {
                    ($0.trim, $0.minSilenceSeconds, $0.longestGapSeconds) = (.gaps, 2, 4)
                    $0.waveformBits = 16
                })
        #expect(change.after.ofFile == file.usual)
    }

    @Test func settingThatTheFileNoLongerHasIsForgotten() {
        let file = file { ($0.usual.trim, $0.usual.points) = (.off, 800) }
        let given = settings { $0.splitChannels = true }
        let first = SettingsChange(OutputSettings(), file: file, given: given, forgets: false)
        let second = SettingsChange(first.after, given: Settings(), forgets: false)
        #expect(second.after == OutputSettings(given))
        // What a command line gave beside the file's value counted once.
        let once = SettingsChange(
            OutputSettings(), file: file, given: settings { $0.trim = .gaps }, forgets: false)
        #expect(once.after.usual.trim == .gaps)
        let again = SettingsChange(once.after, file: file, given: Settings(), forgets: false)
        #expect(again.after.usual.trim == .off)
    }

    /// Whoever can write to a folder of recordings can write a settings file there.
    @Test(arguments: [false, true])
    func fileMayTurnIsolationOnButNotOff(isWhole: Bool) {
        let off = file { ($0.usual.isolate, $0.isWhole) = (false, isWhole) }
        let on = SettingsChange(
            OutputSettings(), given: settings { $0.isolate = true }, forgets: false)
        let second = SettingsChange(on.after, file: off, given: Settings(), forgets: false)
        let third = SettingsChange(second.after, given: Settings(), forgets: false)
        #expect(second.after.usual.isolate == true)
        #expect(third.after.usual.isolate == true)
        let given = settings { $0.isolate = false }
        let not = SettingsChange(third.after, file: off, given: given, forgets: false)
        #expect(not.after.usual.isolate == false)
        let forgotten = SettingsChange(on.after, file: off, given: Settings(), forgets: true)
        #expect(forgotten.after.usual.isolate == false)
    }

    @Test func presetInAFileLeavesNothingOfWhatIsRemembered() {
        let file = file { ($0.usual.trim, $0.isWhole) = (.off, true) }
        let remembered = OutputSettings(settings { $0.minSilenceSeconds = 1 })
        let change = SettingsChange(remembered, file: file, given: Settings(), forgets: false)
        #expect(change.after.usual == settings { $0.trim = .off })
    }

    @Test func folderHasSettingsOfTheFoldersAboveItAndItsOwn() {
        let file = file {
            $0.usual.trim = .gaps
            $0.folders["a"] = settings { ($0.minSilenceSeconds, $0.activity) = (1, .any) }
            $0.folders["a/b"] = settings { $0.minSilenceSeconds = 2 }
        }
        let given = settings { $0.waveformBits = 16 }
        let after = SettingsChange(OutputSettings(), file: file, given: given, forgets: false).after
        let inner = settings {
            ($0.trim, $0.minSilenceSeconds, $0.activity) = (.gaps, 2, .any)
            $0.waveformBits = 16
        }
        #expect(after["a/b"] == inner && after["a/b/c/d"] == inner)
        #expect(after["a"].minSilenceSeconds == 1 && after["a/c"] == after["a"])
        #expect(after["ab"] == after.usual && after[.empty] == after.usual)
        for folder in ["", "a", "a/b", "a/b/c", "b"] as [Pathname] {
            #expect(after.recipes[folder].value == after[folder].recipe)
        }
        // Options for inner silences need --trim gaps where they apply.
        let off = SettingsChange(
            OutputSettings(),
            file: self.file {
                $0.folders["a"] = settings { $0.longestGapSeconds = 1 }
            }, given: Settings(), forgets: false)
        #expect(off.optionWithoutGaps?.folder == "a")
    }

    @Test func outputSettingsSurviveTheRecord() throws {
        var before = OutputSettings(
            settings { ($0.trim, $0.longestGapSeconds) = (.gaps, 2) },
            ofFile: settings { $0.longestGapSeconds = 2 }, folders: ["a/b": Settings()])
        before.folders["ü"] = settings { $0.activity = .any }
        let text = try JSONEncoder().encode(before)
        #expect(try JSONDecoder().decode(OutputSettings.self, from: text) == before)
        // Of a version that knew no files.
        let earlier = try JSONEncoder().encode(before.usual)
        #expect(
            try JSONDecoder().decode(OutputSettings.self, from: earlier)
                == OutputSettings(before.usual))
    }

    /// Also those that the file's settings cannot be combined with.
    @Test func settingsOfCommandLinesCountAgainOnceTheFileIsGone() {
        var (file, given) = (FileSettings(), Settings())
        (given.trim, given.longestGapSeconds) = (.gaps, 0.3)
        file.usual.trim = .edges
        let first = SettingsChange(OutputSettings(), given: given, forgets: false)
        let second = SettingsChange(first.after, file: file, given: Settings(), forgets: false)
        #expect(second.after.usual.trim == .edges)
        let third = SettingsChange(second.after, given: Settings(), forgets: false)
        #expect(third.after.usual == first.after.usual)
    }
}
