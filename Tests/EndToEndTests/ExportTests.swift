import Foundation
import Recordings
import TestSupport
import Testing

/// `tapedeck export` by the built binary.
@Suite struct ExportTests {
    private let library = Library()

    private func export(_ options: String..., path: Pathname? = nil) -> Tool.Outcome {
        Tool.run(["export", (path ?? library.root).text] + options)
    }

    private func text(_ name: String) -> String {
        let path = library.output.appending(Pathname(name))
        return String(decoding: TestFolder.bytes(of: path), as: UTF8.self)
    }

    private func addRecordings() {
        let two = SmallWAV.voice(before: 3) + SmallWAV.voice(after: 0, before: 1)
        library.add("A/two.wav", SmallWAV.bytes(two))
        library.add("one.wav", SmallWAV.bytes(SmallWAV.voice()))
        #expect(library.run("--trim", "gaps").status == 0)
    }

    /// Starts and ends in a file of labels.
    private func times(_ labels: String) -> [[Double]] {
        labels.split(separator: "\n").map { line in
            line.split(separator: "\t").prefix(2).compactMap { Double($0) }
        }
    }

    @Test func labelsLieBesideEachWaveform() throws {
        addRecordings()
        let outcome = export("--to", "audacity")
        #expect(outcome.status == 0 && outcome.errors == "")
        let silences = try #require(try library.manifest("A")["two.wav"]?.silence).intervalsSeconds
        let labels = times(text("A/two.wav.txt"))
        #expect(labels.count == 2 && silences.count == 3)
        #expect(labels.map { $0[0] } == silences.dropLast().map { $0[1] })
        #expect(labels.map { $0[1] } == silences.dropFirst().map { $0[0] })
        #expect(export("--to", "audacity", "--of", "silences", "--overwrite").status == 0)
        #expect(times(text("A/two.wav.txt")) == silences)
    }

    @Test func trimmedTimesAreThoseOfTheCopy() throws {
        addRecordings()
        #expect(export("--to", "audacity", "--time", "trimmed").status == 0)
        let entry = try #require(try library.manifest("A")["two.wav"])
        let copy = try #require(entry.trimmed)
        let labels = times(text("A/two.wav.txt"))
        #expect(labels.count == 2 && labels[1][1] <= copy.durationSeconds)
        for (label, silence) in zip(labels, try #require(entry.silence).intervalsSeconds) {
            let map = Tool.run([
                "map", library.output.appending("A").text, "two.wav", "--to-trimmed",
                "\(silence[1])", "--json",
            ])
            #expect(map.output.contains("\"trimmedSeconds\":\(label[0])"))
        }
    }

    @Test func oneFileListsAllRecordingsBelowTheFolder() {
        addRecordings()
        #expect(
            export("--to", "csv").outputLines == [
                "2 recordings, 3 segments in \(shown("segments.csv"))"
            ])
        #expect(text("segments.csv").split(separator: "\n").count == 4)
        let part = export(
            "--to", "csv", "--overwrite", path: library.output.appending("A"))
        #expect(part.status == 0 && text("segments.csv").split(separator: "\n").count == 3)
        #expect(export("--to", "csv", "--beside").status == 0)
        #expect(text("one.wav.csv").split(separator: "\n").count == 2)
    }

    private func shown(_ name: String) -> String {
        library.output.appending(Pathname(name)).text
    }

    @Test func existingFileIsReplacedOnlyIfAsked() {
        addRecordings()
        library.folder.write(Array("mine".utf8), to: "library/tapedeck/segments.csv")
        let refused = export("--to", "csv")
        #expect(refused.status == 1 && refused.errors.contains("--overwrite"))
        #expect(text("segments.csv") == "mine")
        #expect(export("--to", "csv", "--overwrite").status == 0)
        #expect(text("segments.csv").hasPrefix("folder,"))
        #expect(!library.snapshot().names.contains { $0.text.contains(".partial") })
    }

    @Test func failedAndMissingRecordingsAreLeftOut() {
        addRecordings()
        library.add("letter.wav", Array("no sound".utf8))
        unlink(library.root.appending("one.wav").text)
        #expect(library.run().status == 3)
        let outcome = export("--to", "json", "--into", library.folder.path("new/deep").text)
        #expect(outcome.status == 0)
        #expect(outcome.outputLines.first == "left out: 1 recording failed, 1 recording is gone")
        #expect(outcome.outputLines.last?.hasPrefix("1 recording, 2 segments in") == true)
    }

    @Test func unspeakableNameIsToldAndLeftOut() {
        library.add(
            Pathname(bytes: [0x62, 0xE9] + Array(".wav".utf8)), SmallWAV.bytes(SmallWAV.voice()))
        library.add("a.wav", SmallWAV.bytes(SmallWAV.voice()))
        #expect(library.run().status == 0)
        let outcome = export("--to", "csv")
        #expect(outcome.status == 3 && outcome.errorLines.count == 1)
        #expect(text("segments.csv").split(separator: "\n").count == 2)
        #expect(export("--to", "textgrid").status == 0)
    }

    @Test(arguments: [
        [], ["--to", "pdf"], ["--to", "rttm", "--of", "silences"],
        ["--to", "audacity", "--one-file"],
        ["--to", "kaldi", "--beside"], ["--to", "otio", "--time", "trimmed"],
        ["--to", "csv", "--pad", "-1"], ["--to", "csv", "--beside", "--one-file"],
    ])
    func wrongRequestIsAUsageError(options: [String]) {
        addRecordings()
        let before = library.snapshot()
        let outcome = Tool.run(["export", library.root.text] + options)
        #expect(outcome.status == 64 && outcome.output == "")
        #expect(library.snapshot().differences(from: before) == [])
    }

    @Test func nothingToExportIsRefused() {
        let outcome = export("--to", "csv")
        #expect(outcome.status == 1 && outcome.errorLines.count == 1)
    }

    @Test func runsGoOnBesideExports() {
        addRecordings()
        #expect(export("--to", "srt").status == 0 && export("--to", "lhotse").status == 0)
        let before = library.snapshot()
        #expect(library.run().status == 0)
        #expect(library.snapshot().differences(from: before) == [])
        #expect(Tool.run(["verify", library.output.text]).status == 0)
    }

    @Test func recordingsAreListedWithLevelsAndChecksums() throws {
        library.addRecording("A/one.wav")
        #expect(library.run("--checksums").status == 0)
        #expect(export("--to", "csv,json", "--of", "recordings").status == 0)
        let entry = try #require(try library.manifest("A")["one.wav"])
        let cells = text("recordings.csv").split(separator: "\n")[1].split(separator: ",")
        let peak = try #require(entry.levels?.peakDBFS.first ?? nil)
        let listed = try #require(Double(cells[5]))
        #expect(abs(listed - peak) <= 0.006)
        #expect(String(cells[7]) == entry.sourceSHA256)
        #expect(text("recordings.jsonl").contains("\"sha256\":\"\(cells[7])\""))
        // Several formats are each as if alone.
        #expect(export("--to", "rttm,pdf", "--overwrite").status == 64)
        #expect(export("--to", "csv,cue", "--of", "recordings").status == 64)
    }

    @Test func audioFolderLinksToTheRecordings() throws {
        library.addRecording("A/one.wav")
        library.addRecording("two.wav")
        #expect(library.run().status == 0)
        let place = library.folder.path("exports")
        let export = ["export", library.root.text, "--to", "audiofolder", "--into", place.text]
        #expect(Tool.run(export).status == 0)
        let folder = place.appending("audiofolder")
        let list = String(
            decoding: TestFolder.bytes(of: folder.appending("metadata.jsonl")), as: UTF8.self)
        #expect(list.contains(#"{"file_name":"A/one.wav","durationSeconds":3.0"#))
        for name: Pathname in ["A/one.wav", "two.wav"] {
            let target = try FileManager.default.destinationOfSymbolicLink(
                atPath: folder.appending(name).text)
            #expect(Pathname(target) == library.root.appending(name))
        }
        // Another file in the place of a link stays.
        #expect(Tool.run(export + ["--overwrite"]).status == 0)
        unlink(folder.appending("two.wav").text)
        try Data().write(to: URL(fileURLWithPath: folder.appending("two.wav").text))
        let refused = Tool.run(export + ["--overwrite"])
        #expect(refused.status == 1 && refused.errors.contains("two.wav exists"))
        let run = library.run("--export", "audiofolder")
        #expect(run.status == 64 && run.errors.contains("makes links"))
    }
}
