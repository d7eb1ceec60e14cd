import Foundation
import Recordings
import TestSupport
import Testing

/// `--include`, `--exclude`, `--files-from`, `--newer-than` and `.tapedeckignore` by the built
/// binary.
@Suite struct FilterTests {
    private let library = Library()

    private func addRecordings() {
        for name in ["a.wav", "raw-a.wav", "drafts/b.wav", "x/c.wav", "x/raw-c.wav"] {
            library.addRecording(Pathname(name), seconds: 0.3)
        }
    }

    private func names(_ folder: Pathname = "") throws -> [Pathname] {
        try library.manifest(folder).recordings.map(\.name)
    }

    @Test func excludedRecordingsAreNotProcessed() throws {
        addRecordings()
        let options = ["--exclude", "raw-*", "--exclude", "drafts/"]
        let dry = Tool.run(["run", library.root.text, "--dry-run"] + options)
        #expect(dry.status == 0)
        #expect(dry.outputLines.filter { $0.contains("waveform") }.count == 2)
        #expect(dry.outputLines.contains("2 recordings left out by filters"))
        let run = Tool.run(["run", library.root.text] + options)
        #expect(run.status == 0 && run.errors == "")
        #expect(run.outputLines.first == "2 recordings: 2 done")
        #expect(run.outputLines.contains("2 recordings left out by filters"))
        #expect(try names() == ["a.wav"] && names("x") == ["c.wav"])
        #expect(library.outputs().names.contains("drafts") == false)
        // The output remembers the patterns; others replace them, and an empty one forgets them.
        let again = library.run()
        #expect(again.outputLines.first == "2 recordings: 2 up to date")
        #expect(again.errors.contains("--exclude 'raw-*' --exclude 'drafts/'"))
        let other = library.run("--exclude", "x/")
        #expect(other.outputLines.contains("3 recordings: 2 done, 1 up to date"))
        let none = library.run("--exclude", "")
        #expect(none.outputLines.contains("5 recordings: 1 done, 4 up to date"))
        let settings = Tool.run(["settings", library.root.text])
        let line = settings.outputLines.first { $0.hasPrefix("--exclude") }
        #expect(line?.contains("none") == true && line?.contains("(default)") == true)
    }

    @Test func resultsOfExcludedRecordingsStay() throws {
        addRecordings()
        #expect(library.run().status == 0)
        let before = library.outputs()
        // One of them goes, and so does a folder of them: that is not looked at either.
        unlink(library.root.appending("raw-a.wav").text)
        #expect(Tool.shell("rm -r '\(library.root.text)/drafts'").status == 0)
        let run = library.run("--exclude", "raw-*", "--exclude", "drafts/", "--prune", "--force")
        #expect(run.status == 0)
        #expect(run.outputLines.contains("2 recordings: 2 done"))
        let watch = Tool.run(["watch", library.root.text, "--once-idle", "--prune"])
        #expect(watch.status == 0)
        #expect(library.outputs().wherever.differences(from: before.wherever) == [])
        #expect(
            library.outputs().sights["drafts/manifest.json"]
                == before.sights["drafts/manifest.json"])
        let all = library.run("--defaults", "--prune")
        #expect(all.outputLines.contains("3 recordings: 3 up to date"))
        #expect(try names() == ["a.wav"])
        #expect(!library.outputs().names.contains("drafts/b.wav.dat"))
    }

    @Test func onlyIncludedRecordingsAreProcessed() throws {
        addRecordings()
        let run = library.run("--include", "x/", "--include", "a.*", "--exclude", "raw-*")
        #expect(run.status == 0)
        #expect(run.outputLines.first == "2 recordings: 2 done")
        #expect(try names() == ["a.wav"] && names("x") == ["c.wav"])
    }

    @Test func ignoreListsApplyBelowTheirFolders() throws {
        addRecordings()
        let odd = Pathname(bytes: Array("x/".utf8) + [0xFF] + Array(".wav".utf8))
        library.addRecording(odd, seconds: 0.3)
        library.add(".tapedeckignore", Array("# not yet\nraw-*\n!raw-c.wav\ndrafts/\n".utf8))
        library.add("x/.tapedeckignore", [0xFF, 0x2A, 0x0A])
        let run = library.run("--json")
        #expect(run.status == 0)
        #expect(try names() == ["a.wav"] && names("x") == ["c.wav", "raw-c.wav"])
        #expect(run.output.contains(#""leftOut":2"#))
        #expect(SchemaCheck.run(part: "line", run.output).status == 0)
    }

    @Test func listedRecordingsAreProcessed() throws {
        addRecordings()
        func run(_ script: String) -> Tool.Outcome {
            Tool.shell("cd '\(library.root.text)' && \(script)")
        }
        let list = "find . -name '*c.wav' -print0 | \"$TAPEDECK\" run . --files-from -"
        let first = run(list)
        #expect(first.status == 0 && first.outputLines.first == "2 recordings: 2 done")
        #expect(try names("x") == ["c.wav", "raw-c.wav"])
        #expect(!library.outputs().names.contains("manifest.json"))
        // Trimmed copies bear the same names.
        #expect(run(list).outputLines.first == "2 recordings: 2 up to date")
        library.folder.write(Array("a.wav\ndrafts\n".utf8), to: "list")
        let second = run("\"$TAPEDECK\" run . --files-from ../list --exclude a.*")
        #expect(second.outputLines.contains("1 recording: 1 done"))
        #expect(second.outputLines.contains("1 recording left out by filters"))
        #expect(try names("drafts") == ["b.wav"])
        let remembered = library.run("--dry-run")
        #expect(remembered.outputLines.contains("raw-a.wav: waveform, levels, silence, trim"))
        library.folder.write(Array("a.wav\nnone.wav\n".utf8), to: "list")
        let missing = run("\"$TAPEDECK\" run . --files-from ../list")
        #expect(missing.status == 1)
        #expect(
            missing.errors
                == "tapedeck: none.wav, which is in ../list, does not exist in ., to which its paths"
                + " are relative\n")
        #expect(run("\"$TAPEDECK\" run . --files-from none").status == 1)
        #expect(run("\"$TAPEDECK\" run . --files-from /dev/null").status == 0)
    }

    @Test func oldRecordingsAreLeftOut() throws {
        addRecordings()
        let age = "touch -d '10 days ago' '\(library.root.text)/a.wav'"
        #expect(Tool.shell(age).status == 0)
        let run = library.run("--newer-than", "7d")
        #expect(run.outputLines.first == "4 recordings: 4 done")
        #expect(run.outputLines.contains("1 recording left out by filters"))
        #expect(try names() == ["raw-a.wav"])
        #expect(library.run("--newer-than", "2999-01-01").outputLines.first == "0 recordings")
        // Not remembered.
        let again = library.run()
        #expect(again.outputLines.first == "5 recordings: 1 done, 4 up to date")
        #expect(!again.errors.contains("settings"))
    }

    @Test func exportIsFiltered() throws {
        addRecordings()
        // What a run leaves out is not left out of an export.
        #expect(library.run().status == 0)
        #expect(library.run("--exclude", "*").outputLines.contains("0 recordings"))
        func listed(_ options: String...) -> [String] {
            let export = Tool.run(
                ["export", library.root.text, "--to", "m3u", "--overwrite"] + options,
                in: library.root)
            #expect(export.status == (options.contains("../list") ? 3 : 0), "\(export.errors)")
            let text = TestFolder.bytes(of: library.output.appending("recordings.m3u8"))
            let prefix = library.root.text + "/"
            return String(decoding: text, as: UTF8.self).split(separator: "\n")
                .compactMap { line in
                    line.firstRange(of: prefix).map { String(line[$0.upperBound...]) }
                }
        }
        #expect(listed().count == 5)
        #expect(listed("--exclude", "raw-*", "--exclude", "drafts/") == ["a.wav", "x/c.wav"])
        #expect(listed("--include", "x/") == ["x/c.wav", "x/raw-c.wav"])
        #expect(listed("--newer-than", "2999-01-01").isEmpty)
        let text = "./a.wav\nx\n\(library.root.text)/drafts/b.wav\nnone.wav\n"
        library.folder.write(Array(text.utf8), to: "list")
        #expect(
            listed("--files-from", "../list", "--exclude", "raw-*")
                == ["a.wav", "drafts/b.wav", "x/c.wav"])
        let export = Tool.run(
            ["export", library.root.text, "--to", "csv", "--files-from", "../list"],
            in: library.root)
        #expect(export.errors == "tapedeck: none.wav, which is in ../list, has no results\n")
        let settings = Tool.run(["settings", library.root.text])
        #expect(settings.output.contains("--exclude            '*'"))
    }

    @Test func watchHonoursChangedIgnoreList() async throws {
        addRecordings()
        library.add(".tapedeckignore", Array("raw-*\nx/\n".utf8))
        let watch = Watch(library, ["--settle-seconds", "0.1"])
        #expect(await watch.wait { !watch.events(of: "drafts/b.wav").filter(\.isDone).isEmpty })
        #expect(await watch.wait { !watch.events(of: "a.wav").filter(\.isDone).isEmpty })
        library.addRecording("raw-d.wav", seconds: 0.3)
        library.addRecording("x/d.wav", seconds: 0.3)
        // At once: a list that is being written leaves out less.
        let list = library.folder.write(Array("raw-d.wav\na.wav\n".utf8), to: "list")
        #expect(rename(list.text, library.root.appending(".tapedeckignore").text) == 0)
        for path in ["raw-a.wav", "x/c.wav", "x/d.wav"] as [Pathname] {
            #expect(await watch.wait { !watch.events(of: path).filter(\.isDone).isEmpty })
        }
        library.addRecording("a.wav", seconds: 0.4)
        library.addRecording("e.wav", seconds: 0.3)
        #expect(await watch.wait { !watch.events(of: "e.wav").filter(\.isDone).isEmpty })
        #expect(watch.events(of: "raw-d.wav").isEmpty)
        #expect(watch.events(of: "a.wav").filter(\.isDone).count == 1)
        #expect(watch.events.filter { $0.event == "missing" }.isEmpty)
    }

    @Test(arguments: [
        ["--exclude", ".."], ["--include", "/"], ["--newer-than", "yesterday"],
        ["--newer-than", "2026-02-30"], ["--files-from", ""], ["--files-from", "-", "."],
    ])
    func wrongFilterIsRefused(options: [String]) {
        library.addRecording("b.wav", seconds: 0.3)
        let run = Tool.run(["run", library.root.text] + options, in: library.root)
        #expect(run.status == 64)
        #expect(run.output == "" && run.errors.hasPrefix("Error: "))
    }
}
