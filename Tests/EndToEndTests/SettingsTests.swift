import Foundation
import Recordings
import TestSupport
import Testing

/// Settings that an output remembers.
@Suite struct SettingsTests {
    private let library = Library()

    /// Recordings with pauses, without any, in two channels, cut off, and without a header.
    private func addRecordings() {
        library.addSettingsExamples()
    }

    private func settings(_ options: String...) -> Tool.Outcome {
        Tool.run(["settings", library.root.text] + options)
    }

    @Test(arguments: [
        ["--trim", "gaps", "--longest-gap", "0.5", "--min-silence", "0.3"],
        ["--trim", "off"],
        ["--threshold", "-45dBFS", "--keep-silence", "0.1"],
        ["--samples-per-pixel", "256,1024", "--waveform-bits", "16"],
        ["--waveform-format", "json"],
        ["--split-channels"],
        ["--raw", "*.bin=s16le,8000,1", "--raw", "x*=ulaw,8000"],
        ["--video", "--activity", "any"],
        ["--activity", "voice"],
        ["--strict"],
        ["--include", "*.wav", "--exclude", "two*"],
        ["--checksums", "--trim-format", "flac"],
        ["--detector", "classical", "--sensitivity", "3", "--min-sound", "0.1"],
        ["--trim", "gaps", "--shrink-gaps", "0.5", "--fade-milliseconds", "10"],
    ])
    func runWithoutOptionsUsesRememberedOnes(options: [String]) throws {
        addRecordings()
        if options.contains("--video") { library.addVideo("clip.mkv", "-c:a flac") }
        #expect(Tool.run(["run", library.root.text] + options).status & ~3 == 0)
        let before = library.snapshot()
        let again = library.run()
        #expect(library.snapshot().differences(from: before) == [])
        #expect(!again.output.contains(" done") && again.output.contains("up to date"))
        let line = try #require(again.errorLines.first)
        #expect(line.hasPrefix("tapedeck: using the settings of this output: --"))
        #expect(line.hasSuffix(" (--defaults returns to the usual ones)"))
        for option in options where option.hasPrefix("--") { #expect(line.contains(option)) }
        #expect(again.errorLines.count { $0.contains("settings") } == 1)
        // Nothing is said of what is given.
        let same = Tool.run(["run", library.root.text] + options)
        #expect(!same.errors.contains("settings") && !same.output.contains("settings"))
        let watch = library.watch("--quiet")
        #expect(watch.status & ~3 == 0)
        #expect(!watch.errors.contains("settings"))
        #expect(library.snapshot().differences(from: before) == [])
    }

    @Test func nothingIsSaidOfDefaults() {
        addRecordings()
        #expect(library.run("--min-silence", "0.5", "--no-video").status == 0)
        let again = library.run()
        #expect(!(again.output + again.errors).contains("settings"))
    }

    @Test func rememberedAndChangedSettingsAreEvents() throws {
        addRecordings()
        #expect(library.run("--trim", "gaps").status == 0)
        let same = library.run("--json")
        #expect(
            same.outputLines.first?.hasPrefix(
                #"{"event":"runSettings","remembered":["--trim gaps"],"time":""#) == true)
        #expect(!same.errors.contains("settings"))
        let watch = library.watch("--json", "--waveform-bits", "16")
        #expect(
            watch.outputLines.first?.hasPrefix(
                #"{"changes":["--waveform-bits 8 → 16"],"event":"runSettings","remembered":["#
                    + #""--trim gaps"],"results":{"#) == true)
        #expect(!watch.output.contains("settingsChanged"))
        #expect(SchemaCheck.run(part: "line", watch.output).status == 0)
        let other = library.run("--json", "--trim", "edges")
        #expect(SchemaCheck.run(part: "line", other.output).status == 0)
    }

    @Test func optionsChangeJustThemselves() throws {
        addRecordings()
        #expect(library.run("--trim", "gaps", "--min-silence", "0.3").status == 0)
        let changed = library.run("--waveform-bits", "16")
        #expect(
            changed.errorLines.first?.contains(": --trim gaps --min-silence 0.3 (") == true)
        #expect(library.run("--trim", "off").status == 0)
        let entry = try #require(library.manifest()["pauses.wav"])
        #expect(entry.waveforms?.first?.bits == 16 && entry.notTrimmed == .off)
        #expect(
            library.run("--dry-run").errorLines.first?.contains(
                ": --trim off --min-silence 0.3 --waveform-bits 16 (") == true)
    }

    @Test func defaultsForgetRememberedSettings() {
        addRecordings()
        #expect(library.run().status == 0)
        let usual = library.outputs().wherever
        #expect(library.run("--trim", "gaps", "--samples-per-pixel", "64").status == 0)
        let back = library.run("--defaults")
        #expect(!back.errors.contains("using the settings"))
        #expect(
            back.outputLines.first?.hasPrefix(
                "settings changed: --trim gaps → edges, --samples-per-pixel 64 → 256; ") == true)
        #expect(library.outputs().wherever.differences(from: usual) == [])
        #expect(library.run("--trim", "off").status == 0)
        #expect(library.watch("--defaults", "--waveform-bits", "16").status == 0)
        let chosen = settings().outputLines.filter { !$0.hasSuffix("(default)") }
        #expect(chosen == ["--waveform-bits      16"])
    }

    @Test func dryRunAndRefusedRunRememberNothing() throws {
        addRecordings()
        #expect(library.run("--trim", "off").status == 0)
        let before = library.snapshot()
        let refused = library.run("--shrink-gaps", "0.5")
        #expect(refused.status == 64 && refused.output.isEmpty)
        #expect(
            refused.errors
                == "tapedeck: --shrink-gaps is about inner silences, which only --trim gaps cuts;"
                + " add that\n")
        #expect(library.run("--trim", "edges", "--longest-gap", "1").status == 64)
        #expect(library.run("--dry-run", "--trim", "gaps", "--min-silence", "1").status == 0)
        #expect(library.snapshot().differences(from: before) == [])
        // Nor is an output made.
        let other = library.root.appending("other").text
        #expect(library.run("--longest-gap", "1", "--output", other).status == 64)
        #expect(library.snapshot().differences(from: before) == [])
        #expect(library.run("--trim", "gaps").status == 0)
        #expect(library.run("--shrink-gaps", "0.5").status == 0)
        #expect(library.run("--longest-gap", "1", "--dry-run").status == 0)
    }

    @Test func settingsCommandPrintsAllOptions() {
        addRecordings()
        #expect(settings().status == 1)
        #expect(library.run("--trim", "gaps", "--raw", "*.bin=s16le,8000", "--strict").status == 3)
        let before = library.snapshot()
        let shown = settings()
        #expect(shown.status == 0 && shown.errors.isEmpty && shown.outputLines.count == 32)
        #expect(
            shown.outputLines.prefix(6) == [
                "--video              no                    (default)",
                "--raw                '*.bin=s16le,8000,1'",
                "--include            none                  (default)",
                "--exclude            none                  (default)",
                "--trim               gaps",
                "--min-silence        0.5                   (default)",
            ])
        #expect(shown.outputLines.contains("--strict             yes"))
        #expect(Tool.run(["settings"], in: library.output).output == shown.output)
        let object = settings("--json")
        #expect(object.outputLines.count == 1)
        #expect(object.output.contains(#"{"isDefault":false,"option":"--trim","value":"gaps"}"#))
        #expect(SchemaCheck.run(part: "settings", object.output).status == 0)
        #expect(library.snapshot().differences(from: before) == [])
    }

    /// Of an output of an earlier version, the recipes are known.
    @Test func settingsOfEarlierVersionAreTakenFromRecipes() {
        addRecordings()
        let options = ["--trim", "gaps", "--shrink-gaps", "0.5", "--waveform-bits", "16"]
        #expect(Tool.run(["run", library.root.text] + options).status == 0)
        let shown = settings().output
        let before = library.outputs()
        library.forgetRecord()
        #expect(settings().output == shown)
        let again = library.run()
        #expect(!again.output.contains(" done"))
        #expect(again.errors.contains(": --trim gaps --shrink-gaps 0.5 --waveform-bits 16 ("))
        #expect(library.outputs().differences(from: before) == [])
        #expect(settings().output == shown)
    }

    /// What most recordings were made with counts, not what is left of deleted ones.
    @Test func settingsOfEarlierVersionAreThoseOfMostRecordings() throws {
        for name in ["a.wav", "b.wav", "c.wav", "d.wav", "e.wav"] as [Pathname] {
            library.addRecording(name, seconds: 0.1)
        }
        #expect(library.run().status == 0)
        for name in ["a.wav", "b.wav", "c.wav"] {
            unlink(library.root.appending(Pathname(name)).text)
        }
        #expect(library.run("--waveform-bits", "16").status == 0)
        library.forgetRecord()
        let chosen = settings().outputLines.filter { !$0.hasSuffix("(default)") }
        #expect(chosen == ["--waveform-bits      16"])
    }

    /// They cannot be made again.
    @Test func copiesOfDeletedRecordingsSurviveChanges() throws {
        addRecordings()
        let gone: [Pathname] = ["A/pauses.wav", "pauses.wav"]
        #expect(library.run("--keep-silence", "0.1").status == 0)
        for name in gone { unlink(library.root.appending(name).text) }
        func files() -> [Pathname: FileIdentity] {
            library.identities().filter { file, _ in
                gone.contains(file) || gone.contains { file == $0.adding(suffix: ".dat") }
            }
        }
        let before = files()
        #expect(before.count == 4)
        var watches = false
        for options in [
            ["--trim", "off"], ["--trim", "gaps", "--samples-per-pixel", "64"],
            ["--defaults", "--waveform-format", "json"], ["--threshold", "-30"],
        ] {
            // By turns, so that each changes something.
            watches.toggle()
            let command = watches ? ["watch", "--once-idle", "--give-up-seconds", "1"] : ["run"]
            #expect(Tool.run(command + [library.root.text] + options).status == 0)
            #expect(files() == before, "\(command) \(options)")
        }
        _ = library.run("--trim", "off", "--prune")
        #expect(files() == [:])
    }

    /// The settings are written before the first result.
    @Test func runAfterKilledOneUsesItsSettings() throws {
        let options = ["--trim", "gaps", "--longest-gap", "0.4", "--samples-per-pixel", "64"]
        for number in 0..<40 { library.addPauses(Pathname("\(number % 4)/\(number).wav")) }
        #expect(library.run().status == 0)
        let running = RunningTool(["run", library.root.text, "--json", "--jobs", "1"] + options)
        var line = running.nextLine()
        while line?.contains(#""event":"recording""#) == false { line = running.nextLine() }
        running.send(signal: SIGKILL)
        #expect(running.wait().status == 128 + SIGKILL)
        let next = library.run()
        #expect(next.status == 0)
        let typed = options.joined(separator: " ")
        #expect(next.errorLines.first?.contains(": \(typed) (") == true)
        #expect(library.outputs().wherever.differences(from: library.undisturbed(options)) == [])
    }
}

extension Library {
    /// Seconds of sound with pauses of one and two seconds around.
    func addPauses(_ name: Pathname) {
        add(name, SmallWAV.bytes(SmallWAV.voice(before: 2) + SmallWAV.voice(after: 0, hertz: 165)))
    }

    /// Recordings with pauses, without any, in two channels, cut off, and without a header.
    func addSettingsExamples() {
        addPauses("pauses.wav")
        addPauses("A/pauses.wav")
        add("A/whole.wav", SmallWAV.bytes(SmallWAV.voice(after: 0, seconds: 1, before: 0)))
        // Pauses of half a second at both ends.
        add("short.wav", SmallWAV.bytes(SmallWAV.voice(after: 0.7, seconds: 1, before: 0.7)))
        add("stereo.wav", SmallWAV.bytes(SmallWAV.voice().flatMap { [$0, $0 / 2] }, channels: 2))
        add("cut.wav", Array(SmallWAV.bytes(SmallWAV.voice(seconds: 2)).prefix(40_000)))
        add("call.bin", Array(SmallWAV.bytes(SmallWAV.voice()).dropFirst(44)))
    }

    /// Watches until everything is done, and does not wait for what is cut off.
    func watch(_ options: String...) -> Tool.Outcome {
        Tool.run(["watch", root.text, "--once-idle", "--give-up-seconds", "1"] + options)
    }

    /// Makes a video with a voice.
    func addVideo(_ name: String, _ options: String) {
        let wav = folder.write(SmallWAV.bytes(SmallWAV.voice(seconds: 2)), to: "voice.wav")
        let path = folder.path(Pathname(name)).text
        let made = Tool.shell(
            "ffmpeg -v error -nostdin -y -f lavfi -i testsrc=d=1:s=64x48 -i '\(wav.text)' \(options)"
                + " '\(path)'")
        #expect(made.status == 0, "\(made.errors)")
        add(Pathname(name), TestFolder.bytes(of: Pathname(path)))
    }

    /// What tells whether each file of the output was written anew.
    func identities() -> [Pathname: FileIdentity] {
        var identities: [Pathname: FileIdentity] = [:]
        for name in outputs().files {
            identities[name] = Snapshot.status(output.appending(name)).map(FileIdentity.init)
        }
        return identities
    }
}

/// What tells whether a file was written anew, though with the same bytes and time.
struct FileIdentity: Equatable {
    private var inode: UInt64
    private var changed: [Int]

    init(_ status: stat) {
        inode = UInt64(status.st_ino)
        changed = [status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
    }
}
