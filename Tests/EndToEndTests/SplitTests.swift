import Foundation
import Recordings
import TestSupport
import Testing

/// `tapedeck split` by the built binary.
@Suite struct SplitTests {
    private let library = Library()
    private let voice = SmallWAV.voice(after: 1, seconds: 1, before: 1)

    private var place: Pathname { library.folder.path("split") }

    private func split(_ options: String...) -> Tool.Outcome {
        Tool.run(["split", library.root.text, "--into", place.text] + options)
    }

    private struct Tree: Equatable {
        var files: Snapshot
        var list: [UInt8]
    }

    /// The files with their times, and the list.
    private func tree() -> Tree {
        Tree(
            files: Snapshot(place, comparingFolderTimes: false).without("metadata.jsonl"),
            list: TestFolder.bytes(of: place.appending("metadata.jsonl")))
    }

    /// What a list says of its files, by their names.
    private func lines(_ folder: Pathname = "") throws -> [String: [String: Any]] {
        let text = TestFolder.bytes(of: place.appending(folder).appending("metadata.jsonl"))
        var lines: [String: [String: Any]] = [:]
        for line in text.split(separator: UInt8(ascii: "\n")) {
            let object = try JSONSerialization.jsonObject(with: Data(line))
            let fields = try #require(object as? [String: Any])
            lines[try #require(fields["file_name"] as? String)] = fields
        }
        return lines
    }

    @Test func everySegmentIsAFileOfTheOriginalsSamples() throws {
        library.add("A/two.wav", SmallWAV.bytes(voice + voice))
        #expect(library.run().status == 0)
        let outcome = split("--format", "wav")
        #expect(outcome.status == 0 && outcome.errors == "")
        #expect(outcome.outputLines == ["1 recording, 2 segments written in \(place)"])
        let segments = try #require(try library.manifest("A")["two.wav"]?.silence?.segments)
        let lines = try lines("A")
        #expect(segments.count == 2 && lines.count == 2)
        for (number, segment) in segments.enumerated() {
            let name = lines.keys.sorted()[number]
            #expect(name.hasPrefix("two_000\(number + 1)_\(Int(segment.startSeconds))."))
            #expect(lines[name]?["startSeconds"] as? Double == segment.startSeconds)
            #expect(lines[name]?["levelDBFS"] as? Double == segment.levelDBFS)
            let file = TestFolder.bytes(of: place.appending("A").appending(Pathname(name)))
            let frames = [segment.startSeconds, segment.endSeconds].map {
                Int(($0 * 8000).rounded())
            }
            #expect(SmallWAV.samples(in: file) == Array((voice + voice)[frames[0]..<frames[1]]))
            #expect(lines[name]?["bytes"] as? Int == file.count)
        }
    }

    @Test func whatIsThereIsNotWrittenAgain() throws {
        library.add("two.wav", SmallWAV.bytes(voice + voice))
        library.addRecording("one.wav")
        #expect(library.run().status == 0 && split().status == 0)
        let before = tree()
        #expect(
            split().outputLines == ["2 recordings, 0 segments written, 3 up to date in \(place)"])
        #expect(tree() == before)
        // One was deleted, and of one the time was lost in a copy.
        let names = try lines().keys.sorted()
        unlink(place.appending(Pathname(names[0])).text)
        let second = place.appending(Pathname(names[1])).text
        #expect(Tool.shell("cp '\(second)' copy && mv copy '\(second)'").status == 0)
        #expect(split().output.contains("1 segment written, 2 up to date"))
        #expect(tree().list == before.list)
    }

    @Test func whatSomebodyHasModifiedStays() throws {
        library.add("two.wav", SmallWAV.bytes(voice + voice))
        #expect(library.run().status == 0 && split().status == 0)
        let name = Pathname(try #require(try lines().keys.sorted().first))
        library.folder.write([1, 2, 3], to: Pathname("split").appending(name))
        for options in [[], ["--merge-gap", "5"], ["--format", "wav"]] {
            let outcome = Tool.run(
                ["split", library.root.text, "--into", place.text] + options)
            #expect(TestFolder.bytes(of: place.appending(name)) == [1, 2, 3])
            // Under another name, nothing is in the way.
            let isInTheWay = options.first != "--format"
            #expect(outcome.status == (isInTheWay ? 3 : 0))
            #expect(outcome.errors.contains("there is another \(name)") == isInTheWay)
        }
    }

    @Test func whatSomebodyHasAddedToTheListStays() throws {
        library.add("two.wav", SmallWAV.bytes(voice + voice))
        #expect(library.run().status == 0 && split().status == 0)
        let list = place.appending("metadata.jsonl")
        let added = String(decoding: TestFolder.bytes(of: list), as: UTF8.self)
            .replacing("}\n", with: ",\"text\":\"hello\",\"words\":[1,2.5,{\"a\":null}]}\n")
        try Data(added.utf8).write(to: URL(fileURLWithPath: list.text))
        library.addRecording("one.wav")
        #expect(library.run().status == 0 && split().status == 0)
        let lines = try lines()
        #expect(lines.count == 3)
        for (name, line) in lines where name.hasPrefix("two") {
            #expect(line["text"] as? String == "hello" && (line["words"] as? [Any])?.count == 3)
        }
        // Not even what is wanted no longer goes, as the text would go with it.
        #expect(split("--min-segment", "100").status == 0)
        #expect(
            try self.lines().keys.sorted() == lines.keys.filter { $0.hasPrefix("two") }.sorted())
    }

    /// Or else a reader takes a column for one of integers, by its first lines.
    @Test func timesAndLevelsHaveDecimals() throws {
        library.addRecording("one.wav", seconds: 2)
        #expect(library.run().status == 0 && split("--pad", "100").status == 0)
        let list = String(decoding: tree().list, as: UTF8.self)
        #expect(list.contains(#""startSeconds":0.000000"#))
        #expect(list.contains(#""endSeconds":4.000000"#))
        #expect(list.contains(/"levelDBFS":-\d+\.\d,/))
        #expect(split("--pad", "100").output.contains("1 up to date"))
    }

    @Test func listOfAnotherProgramIsNotReplaced() throws {
        library.addRecording("one.wav")
        #expect(library.run().status == 0)
        library.makeFolder("split")
        library.folder.write(Array("{\"file_name\":\"a.wav\"}\n".utf8), to: "split/metadata.jsonl")
        let outcome = split()
        #expect(outcome.status == 1 && outcome.errors.contains("lines of another program"))
        #expect(tree().list == Array("{\"file_name\":\"a.wav\"}\n".utf8))
    }

    @Test func segmentsOfRenamedRecordingAreRenamed() throws {
        library.addRecording("one.wav")
        library.addRecording("two.wav")
        #expect(library.run().status == 0 && split().status == 0)
        let (old, new) = (library.root.appending("one.wav"), library.root.appending("new.wav"))
        #expect(rename(old.text, new.text) == 0)
        #expect(library.run().status == 0)
        #expect(split().output.contains("1 segment written, 1 up to date, 1 removed"))
        #expect(try lines().keys.map { $0.prefix(3) }.sorted() == ["new", "two"])
        unlink(new.text)
        #expect(library.run("--prune").status == 0)
        #expect(split().output.contains("1 removed"))
        #expect(try lines().keys.map { $0.prefix(3) } == ["two"])
    }

    @Test func splitThatIsStoppedListsWhatItHasWritten() throws {
        let many = (0..<400).flatMap { _ in SmallWAV.voice(after: 0.7, seconds: 0.5, before: 0.7) }
        library.add("a.wav", SmallWAV.bytes(many))
        #expect(library.run().status == 0)
        let running = RunningTool(["split", library.root.text, "--into", place.text])
        while running.isRunning,
            (try? FileManager.default.contentsOfDirectory(atPath: place.text).count) ?? 0 < 20
        { sched_yield() }
        running.send(signal: SIGINT)
        #expect(running.wait().status == 130)
        let listed = try lines().count
        #expect(listed >= 18 && listed < 400)
        #expect(split().output.contains(", \(listed) up to date"))
        #expect(try lines().count == 400)
    }

    @Test func otherRulesReplaceTheFiles() throws {
        library.add("two.wav", SmallWAV.bytes(voice + voice))
        #expect(library.run().status == 0 && split().status == 0)
        let outcome = split("--merge-gap", "5", "--naming", "{name}-{start:3}-{end:3}")
        #expect(outcome.outputLines == ["1 recording, 1 segment written, 2 removed in \(place)"])
        let names = try lines().keys.sorted()
        #expect(names.count == 1 && names[0].hasPrefix("two.wav-00"))
        #expect(tree().files.names.count == 2)
    }

    /// Written by somebody else, or by hand.
    @Test func foreignFileIsNotOverwritten() throws {
        library.addRecording("one.wav")
        #expect(library.run().status == 0 && split().status == 0)
        let name = try #require(try lines().keys.first)
        library.folder.write([], to: "split/metadata.jsonl")
        library.folder.write([7], to: Pathname("split").appending(Pathname(name)))
        let outcome = split()
        #expect(outcome.status == 3)
        #expect(outcome.errors.contains("one.wav is left out: there is another \(name)"))
        #expect(TestFolder.bytes(of: place.appending(Pathname(name))) == [7])
    }

    @Test func recordingsOfOneStemKeepTheirWholeNames() throws {
        library.addRecording("a.wav")
        library.add("a.wave", SmallWAV.bytes(voice))
        #expect(library.run().status == 0 && split().status == 0)
        let names = try lines().keys.sorted()
        #expect(names.count == 2 && names[0].hasPrefix("a.wav_0001"))
        #expect(names[1].hasPrefix("a.wave_0001"))
    }

    @Test func changedRecordingIsLeftOutAndItsFilesStay() throws {
        library.addRecording("one.wav")
        #expect(library.run().status == 0 && split().status == 0)
        let before = try lines().count
        library.add("one.wav", SmallWAV.bytes(voice + voice))
        let outcome = split("--pad", "0.1")
        #expect(outcome.status == 3)
        #expect(outcome.errors.contains("one.wav has changed since it was processed"))
        #expect(try lines().count == before)
    }

    @Test func folderAmongTheRecordingsIsRefused() {
        library.addRecording("one.wav")
        #expect(library.run().status == 0)
        let outcome = Tool.run([
            "split", library.root.text, "--into", library.root.appending("parts").text,
        ])
        #expect(outcome.status == 1 && outcome.errors.contains("lies among the recordings"))
        #expect(!FileManager.default.fileExists(atPath: library.root.appending("parts").text))
    }

    @Test func filesOfRecordingsThatAreFilteredOutStay() throws {
        library.addRecording("one.wav")
        library.add("two.wav", SmallWAV.bytes(voice + voice))
        #expect(library.run().status == 0)
        #expect(split("--include", "one*").output.hasPrefix("1 recording, 1 segment written"))
        #expect(split("--exclude", "one*").output.hasPrefix("1 recording, 2 segments written"))
        #expect(try lines().count == 3 && tree().files.names.count == 4)
        let list = library.folder.write(Array("two.wav\nno.wav\n".utf8), to: "list")
        let outcome = split("--files-from", list.text, "--merge-gap", "5")
        #expect(outcome.status == 3 && outcome.errors.contains("no.wav"))
        #expect(outcome.output.hasPrefix("1 recording, 1 segment written, 1 removed"))
        #expect(try lines().count == 2)
    }

    @Test(arguments: ["{stem}", "a/{index}", "{index", "{indexes}", "{index:0}", "x}"])
    func wrongTemplateIsRefused(template: String) {
        let outcome = split("--naming", template)
        #expect(outcome.status == 64 && outcome.errors.contains("--naming takes text"))
    }

    @Test func verifyChecksSplitFiles() throws {
        library.addRecording("A/one.wav")
        #expect(library.run().status == 0)
        #expect(Tool.run(["split", library.root.text]).status == 0)
        let verify = { Tool.run(["verify", self.library.root.text]) }
        #expect(verify().status == 0)
        let folder = library.output.appending("A/segments")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.text).sorted()
        #expect(names.count == 2 && names[0] == "metadata.jsonl")
        let file = folder.appending(Pathname(names[1]))
        try Data(TestFolder.bytes(of: file).map { $0 ^ 1 }).write(to: URL(filePath: file.text))
        let outcome = verify()
        #expect(outcome.status == 3 && outcome.output.contains("A/segments/\(names[1])"))
        // A run does not mind them.
        #expect(library.run().status == 0)
        unlink(file.text)
        #expect(verify().output.contains("missing"))
    }

    /// Killed as soon as some files are there, several times.
    @Test func killedSplitLeavesWhatAnotherCompletes() throws {
        let many = (0..<40).flatMap { _ in SmallWAV.voice(after: 0.7, seconds: 0.5, before: 0.7) }
        for name in ["a.wav", "b.wav", "c.wav"] {
            library.add(Pathname(name), SmallWAV.bytes(many))
        }
        #expect(library.run().status == 0 && split().status == 0)
        let whole = tree()
        #expect(whole.files.names.count > 100)
        for files in [1, 20, 60] {
            try FileManager.default.removeItem(atPath: place.text)
            let running = RunningTool(["split", library.root.text, "--into", place.text])
            while running.isRunning,
                (try? FileManager.default.contentsOfDirectory(atPath: place.text).count) ?? 0
                    < files
            { sched_yield() }
            running.send(signal: SIGKILL)
            _ = running.wait()
            #expect(split().status == 0)
            #expect(tree() == whole)
        }
    }
}
