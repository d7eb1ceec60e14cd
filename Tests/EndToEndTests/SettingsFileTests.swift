import Foundation
import Recordings
import TestSupport
import Testing

/// `tapedeck.toml`, presets and `tapedeck config`.
@Suite struct SettingsFileTests {
    private let library = Library()

    init() {
        for name in ["a.wav", "calls/b.wav", "calls/2026/c.wav"] as [Pathname] {
            library.addRecording(name)
        }
    }

    private func file(_ lines: String...) {
        library.add("tapedeck.toml", Array(lines.joined(separator: "\n").utf8))
    }

    /// The samples per pixel of each recording's waveform.
    private func zooms() throws -> [Int?] {
        try ["", "calls", "calls/2026"].map { folder in
            let manifest = try library.manifest(Pathname(folder))
            return manifest.recordings.first?.waveforms?.first?.samplesPerPixel
        }
    }

    @Test func foldersAreDoneByTheirOwnSettings() throws {
        file(
            "samples-per-pixel = 512", "[folder.calls]", "samples-per-pixel = 128",
            "[folder.\"calls/2026\"]", "samples-per-pixel = 64", "trim = \"off\"")
        let first = library.run()
        #expect(first.status == 0)
        #expect(
            first.errorLines == [
                "tapedeck: using the settings in tapedeck.toml"
            ])
        #expect(try zooms() == [512, 128, 64])
        #expect(try library.manifest("calls/2026").recordings.first?.notTrimmed == .off)
        #expect(SchemaCheck.run(library.output).status == 0)
        // Nothing is done twice, and nothing is said of old settings.
        let before = library.snapshot()
        #expect(library.run().output.contains("3 up to date"))
        #expect(library.watch("--quiet").status == 0)
        #expect(library.snapshot().differences(from: before) == [])
        #expect(!Tool.run(["status", library.root.text]).output.contains("older settings"))
        // The command line comes first, everywhere, and counts once.
        #expect(library.run("--samples-per-pixel", "256").status == 0)
        #expect(try zooms() == [256, 256, 256])
        let back = library.run()
        #expect(back.output.contains("calls/2026: --samples-per-pixel 256 → 64"))
        #expect(try zooms() == [512, 128, 64])
        // A folder of its own is a root of its own.
        let settings = Tool.run(["settings", library.root.text])
        #expect(settings.output.contains("--samples-per-pixel  512       (file)"))
        #expect(settings.outputLines.last == "calls/2026: --trim off --samples-per-pixel 64")
        let json = Tool.run(["settings", library.root.text, "--json"])
        #expect(SchemaCheck.run(part: "settings", json.output).status == 0)
        // What the file no longer says does not hold any more.
        try FileManager.default.removeItem(atPath: library.root.appending("tapedeck.toml").text)
        #expect(library.run().status == 0)
        #expect(try zooms() == [256, 256, 256])
    }

    @Test func recordingThatMovesToAFolderGetsItsSettings() throws {
        file("[folder.calls]", "samples-per-pixel = 128")
        #expect(library.run().status == 0)
        #expect(
            rename(library.root.appending("a.wav").text, library.root.appending("calls/a.wav").text)
                == 0)
        #expect(library.run("--prune").status == 0)
        let manifest = try library.manifest("calls")
        #expect(manifest["a.wav"]?.waveforms?.first?.samplesPerPixel == 128)
        #expect(Tool.run(["verify", library.root.text]).status == 0)
    }

    @Test func mistakeIsToldAndNothingIsDone() {
        file("trim = \"off\"", "longest-gapp = 3")
        let before = library.snapshot()
        for command in ["run", "watch"] {
            let refused = Tool.run([command, library.root.text])
            #expect(refused.status == 64)
            #expect(
                refused.errors
                    == "tapedeck: \(library.root.text)/tapedeck.toml:2: there is no setting"
                    + " 'longest-gapp'; did you mean 'longest-gap'?\n")
        }
        #expect(Tool.run(["config", library.root.text]).status == 64)
        #expect(library.snapshot().differences(from: before) == [])
        #expect(library.run("--no-config", "--dry-run").status == 0)
        #expect(library.run("--config", "/dev/null", "--dry-run").status == 64)
        #expect(library.run("--config", library.root.text + "/none", "--dry-run").status == 64)
        file("longest-gap = 3")
        let gaps = library.run()
        #expect(gaps.status == 64 && gaps.errors.contains("tapedeck.toml: --longest-gap is about"))
        #expect(!FileManager.default.fileExists(atPath: library.output.text))
    }

    @Test func presetReplacesWhatIsRemembered() throws {
        #expect(library.run("--samples-per-pixel", "64", "--export", "csv").status == 0)
        #expect(library.run("--preset", "birds", "--min-sound", "0.1").status == 0)
        let chosen = Tool.run(["settings", library.root.text]).outputLines.filter {
            !$0.hasSuffix("(default)")
        }
        #expect(
            chosen.map { $0.split(separator: " ").joined(separator: " ") } == [
                "--trim off", "--min-silence 0.3", "--min-sound 0.1", "--activity any",
                "--export raven", "--split yes",
            ])
        // It is remembered.
        let again = library.run()
        #expect(again.output.contains("3 up to date") && again.errors.contains("--activity any"))
    }

    @Test func initWritesAFileThatChangesNothing() throws {
        #expect(library.run().status == 0)
        let before = library.snapshot()
        let made = Tool.run(["config", "--init", library.root.text])
        #expect(made.status == 0)
        #expect(Tool.run(["config", library.root.text]).output == "")
        #expect(library.run().output.contains("3 up to date"))
        let ofFile = library.snapshot().differences(from: before)
        #expect(ofFile.map(\.text).sorted() == ["library", "library/tapedeck.toml"])
        // Never over a file.
        let path = library.root.appending("tapedeck.toml")
        let text = TestFolder.bytes(of: path)
        let again = Tool.run(["config", "--init", "--preset", "calls", library.root.text])
        #expect(again.status == 1 && again.errors.contains("exists"))
        #expect(TestFolder.bytes(of: path) == text)
        let other = library.folder.path("calls.toml").text
        #expect(Tool.run(["config", "--init", "--preset", "calls", other]).status == 0)
        #expect(Tool.run(["config", other]).output.contains("--channels each"))
        #expect(library.run("--config", other).status == 0)
    }

    @Test(arguments: ["podcast", "speech-data", "birds", "archive", "calls"])
    func everyPresetDoesItsJob(preset: String) throws {
        let done = library.run("--preset", preset)
        #expect(done.status == 0, "\(done.errors)")
        #expect(SchemaCheck.run(library.output).status == 0)
        #expect(Tool.run(["verify", library.root.text]).status == 0)
        let printed = Tool.run(["presets", preset])
        file(printed.output)
        #expect(library.run().output.contains("3 up to date"))
    }

    /// Whoever can put a link among the recordings must not have another file quoted.
    @Test func linkIsNotFollowedUnlessItIsNamed() throws {
        let secret = library.folder.write(Array("password\n".utf8), to: "secret")
        let link = library.root.appending("tapedeck.toml")
        #expect(symlink(secret.text, link.text) == 0)
        let refused = library.run()
        #expect(refused.status == 64)
        #expect(refused.errors.contains("it is a link") && !refused.errors.contains("password"))
        #expect(library.run("--config", link.text).errors.contains("secret") == false)
    }
}
