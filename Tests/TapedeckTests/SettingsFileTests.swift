import Foundation
import Jobs
import Recordings
import Testing
import Workers

@testable import tapedeck

/// Settings files: what they say, and what is wrong with them.
@Suite struct SettingsFileTests {
    private func settings(_ change: (inout Settings) -> Void) -> Settings {
        var settings = Settings()
        change(&settings)
        return settings
    }

    @Test func keysAreOptions() throws {
        let text = """
            trim = "gaps"            # a comment
            longest-gap = 1          # an integer for a number
            sensitivity = -2.5
            samples-per-pixel = [256, 1024]
            export = ["csv", "rttm"]
            exclude = ["drafts/", "-x.wav"]
            raw = "*.pcm=s16le,8000,1"
            strict = true
            checksums = false
            max-hours = 1e1
            include = []
            """
        let read = try SettingsFile.settings(ofText: text)
        #expect(!read.isWhole && read.folders.isEmpty)
        let format = RawFormat(.pcm16, sampleRateHertz: 8000)
        #expect(
            read.usual
                == settings {
                    ($0.trim, $0.longestGapSeconds, $0.sensitivityDecibels) = (.gaps, 1, -2.5)
                    ($0.samplesPerPixel, $0.export) = ([256, 1024], ["csv", "rttm"])
                    $0.exclude = ["drafts/", "-x.wav"].compactMap { Glob($0) }
                    $0.raw = [InputRules.Raw(pattern: "*.pcm", format: format)]
                    ($0.strict, $0.checksums, $0.maxHours) = (true, false, 10)
                    $0.include = []
                })
    }

    @Test func foldersHaveTables() throws {
        let text = """
            preset = "archive"
            trim = "edges"
            [folder.calls]
            channels = "each"
            [folder."birds/2026 ü/"]
            preset = "birds"
            min-sound = 0.1
            """
        let read = try SettingsFile.settings(ofText: text)
        #expect(read.isWhole)
        #expect(read.usual.checksums == true && read.usual.trim == .edges)
        #expect(read.folders["calls"] == settings { $0.channels = .each })
        let birds = try #require(read.folders["birds/2026 ü"])
        #expect(birds.activity == .any && birds.minSoundSeconds == 0.1)
        // A preset has settings for all folders; a folder takes those that it may have.
        #expect(birds.split == nil && birds.export == nil)
    }

    private static let mistakes: [(String, Int?, String)] = [
        ("trimm = \"gaps\"", 1, "there is no setting 'trimm'; did you mean 'trim'?"),
        (
            "\n\nsomething-else = 1", 3,
            "there is no setting 'something-else'; tapedeck config --init writes a file that lists all"
        ),
        ("prune = true", 1, "there is no setting 'prune'"),
        ("force = true", 1, "there is no setting 'force'"),
        ("on-failure = \"rm -rf /\"", 1, "there is no setting 'on-failure'"),
        ("output = \"/etc\"", 1, "there is no setting 'output'"),
        ("files-from = \"x\"", 1, "there is no setting 'files-from'"),
        (
            "trim = \"gap\"", 1,
            "The value 'gap' is invalid for '--trim <trim>'. Please provide one of 'edges', 'gaps' or 'off'."
        ),
        (
            "points = 5\nlongest-gap = -1", 2,
            "--longest-gap takes 0 to 3600 seconds, such as 1, not -1"
        ),
        ("longest-gap = nan", 1, "--longest-gap takes 0 to 3600 seconds, such as 1, not nan"),
        (
            "points = 5\npixels-per-second = 7", 2,
            "--pixels-per-second and --points both set the zoom; give one of them"
        ),
        ("strict = \"yes\"", 1, "strict is true or false, without quotes"),
        ("trim = true", 1, "trim takes a text in quotes or a number, as after --trim"),
        ("trim = 2026-01-01", 1, "trim takes a text in quotes or a number, as after --trim"),
        ("trim = [[\"gaps\"]]", 1, "trim takes a text in quotes or a number, as after --trim"),
        ("trim = [{a = [1]}, 1]", 1, "trim takes a text in quotes or a number, as after --trim"),
        ("trim = \"\"", 1, "trim has no value"),
        ("points = []", 1, "The value 'none' is invalid for '--points <count>'"),
        ("preset = \"bird\"", 1, "preset is one of podcast, speech-data, birds, archive, calls"),
        ("[calls]\ntrim = \"off\"", 1, "there is no table [calls]"),
        ("[folder]\ntrim = \"off\"", 2, "'trim' belongs below a folder's name"),
        ("[folder.\"../x\"]", 1, "[folder.\"../x\"] is to name a folder below"),
        ("[folder.\"/x\"]", 1, "[folder.\"/x\"] is to name a folder below"),
        (
            "[folder.x]\nvideo = true", 2,
            "'video' is for all folders; put it before the first table"
        ),
        ("[folder.x.y]\ntrim = \"off\"", 1, "there is no table [folder.x.y]"),
        ("trim = = 3", 1, "Error while parsing"),
        ("trim = \"off\"\ntrim = \"gaps\"", 2, "Error while parsing"),
    ]

    @Test(arguments: mistakes.indices)
    func mistakeIsToldWithItsLine(index: Int) throws {
        let (text, line, sentence) = Self.mistakes[index]
        let fault = #expect(throws: SettingsDocument.Fault.self) {
            try SettingsFile.settings(ofText: text)
        }
        #expect(fault?.line == line)
        #expect(fault?.sentence.hasPrefix(sentence) == true, "\(fault?.sentence ?? "")")
    }

    @Test func deepNestingExhaustsNothing() {
        let most = SettingsDocument.mostBytes
        for text in [
            String(repeating: "a.", count: most / 2 - 3) + "b=1",
            "a=" + String(repeating: "[", count: most - 10),
            "a=" + String(repeating: "{a=", count: most / 3 - 10),
        ] {
            #expect(throws: SettingsDocument.Fault.self) {
                try SettingsFile.settings(ofText: text)
            }
        }
    }

    @Test func everyPresetIsASettingsFile() {
        for preset in Preset.all {
            #expect(preset.settings != Settings())
            #expect(preset.summary.count > 40 && !preset.summary.contains("#"))
        }
    }

    /// Each line of the template is right once its comment sign is taken away.
    @Test func templateListsEverySetting() throws {
        let text = SettingsTemplate.text(nil)
        #expect(try SettingsFile.settings(ofText: text) == FileSettings())
        for member in Settings.members {
            let key = String(member.option.dropFirst(2))
            let line = try #require(
                text.split(separator: "\n").first { $0.hasPrefix("# \(key) = ") })
            let read = try SettingsFile.settings(ofText: String(line.dropFirst(2)))
            #expect(member.isGiven(read.usual), "\(line)")
        }
        let birds = try SettingsFile.settings(ofText: SettingsTemplate.text(Preset.named("birds")))
        #expect(birds.usual == (try Preset.named("birds").settings))
        let tables = text.split(separator: "\n").suffix(2).map { $0.dropFirst(2) }
        #expect(
            try SettingsFile.settings(ofText: tables.joined(separator: "\n")).folders.count == 1)
    }

    @Test func textsOfTheFileReachNoTerminalAsTheyAre() throws {
        let fault = SettingsFault(file: "a.toml", line: 1, sentence: "there is no 'a\u{1B}[31m'")
        #expect(!fault.text.contains("\u{1B}"))
    }

    @Test func folderWithTwoTablesIsRefused() {
        let text = "[folder.calls]\ntrim = \"off\"\n[folder.\"calls/\"]\ntrim = \"gaps\"\n"
        #expect(throws: SettingsDocument.Fault.self) { try SettingsFile.settings(ofText: text) }
    }

    /// Each is a level of the parser's stack.
    @Test func lineOfManyDotsIsRefused() {
        let text = "a = 1\nb" + String(repeating: ".b", count: 20_000) + " = 1\n"
        let fault = #expect(throws: SettingsDocument.Fault.self) {
            try SettingsFile.settings(ofText: text)
        }
        #expect(fault?.line == 2 && fault?.sentence.contains("dots") == true)
    }
}
