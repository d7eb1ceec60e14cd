import Foundation
import Recordings
import TestSupport
import Testing

/// Exports and split files that runs keep up to date, by the built binary.
@Suite struct KeptExportTests {
    private let library = Library()
    private let voice = SmallWAV.voice(after: 1, seconds: 1, before: 1)

    private func text(_ path: Pathname) -> String {
        String(decoding: TestFolder.bytes(of: library.output.appending(path)), as: UTF8.self)
    }

    private func lines(_ path: Pathname) -> Int { text(path).count(where: \.isNewline) }

    private func isThere(_ path: Pathname) -> Bool {
        Snapshot.status(library.output.appending(path)) != nil
    }

    private func write(_ text: String, to path: Pathname) throws {
        let place = URL(fileURLWithPath: library.output.appending(path).text)
        try Data(text.utf8).write(to: place)
    }

    private func verify() -> Tool.Outcome { Tool.run(["verify", library.output.text]) }

    @Test func runWritesWhatExportWouldWrite() {
        library.add("A/two.wav", SmallWAV.bytes(voice + voice))
        library.addRecording("one.wav")
        let outcome = library.run("--export", "csv,audacity", "--export", "kaldi")
        #expect(outcome.status == 0 && outcome.errors == "")
        #expect(outcome.outputLines.contains("7 files written for other programs"))
        let place = library.folder.path("exports")
        for format in ["csv", "audacity", "kaldi"] {
            let export = ["export", library.root.text, "--to", format, "--into", place.text]
            #expect(Tool.run(export).status == 0)
        }
        let expected = Snapshot(place).files
        #expect(expected.count == 7)
        for name in expected {
            #expect(text(name).utf8.elementsEqual(TestFolder.bytes(of: place.appending(name))))
        }
        #expect(lines("segments.csv") == 4 && isThere("A/two.wav.txt") && isThere("kaldi/wav.scp"))
        #expect(verify().status == 0)
    }

    @Test func whatHasNotChangedIsNotWrittenAgain() {
        library.addRecording("one.wav")
        #expect(library.run("--export", "csv,audacity").status == 0)
        let before = library.snapshot()
        let again = library.run()
        #expect(again.status == 0 && again.errors.contains("--export audacity,csv"))
        #expect(!again.output.contains("written for other programs"))
        #expect(library.snapshot().differences(from: before) == [])
    }

    @Test func exportFollowsRecordings() throws {
        library.addRecording("one.wav")
        library.addRecording("two.wav")
        #expect(library.run("--export", "csv,audacity").status == 0)
        #expect(lines("segments.csv") == 3)
        unlink(library.root.appending("one.wav").text)
        library.add("three.wav", SmallWAV.bytes(voice + voice))
        #expect(library.run().status == 0)
        #expect(lines("segments.csv") == 4 && !text("segments.csv").contains("one.wav"))
        #expect(!isThere("one.wav.txt") && isThere("three.wav.txt"))
        #expect(verify().status == 0)
    }

    @Test func deletedExportIsWrittenAgain() {
        library.addRecording("one.wav")
        #expect(library.run("--export", "csv").status == 0)
        let before = text("segments.csv")
        unlink(library.output.appending("segments.csv").text)
        #expect(verify().status == 3)
        #expect(library.run().status == 0)
        #expect(text("segments.csv") == before && verify().status == 0)
    }

    @Test func exportNamesRecordingsWhereTheyAreNow() throws {
        library.addRecording("one.wav")
        let results = library.folder.path("results").text
        let first = Tool.run(["run", library.root.text, "--output", results, "--export", "nemo"])
        #expect(first.status == 0)
        let moved = library.folder.path("moved")
        #expect(rename(library.root.text, moved.text) == 0)
        #expect(Tool.run(["run", moved.text, "--output", results]).status == 0)
        let list = TestFolder.bytes(of: library.folder.path("results/nemo.jsonl"))
        #expect(String(decoding: list, as: UTF8.self).contains(moved.appending("one.wav").text))
    }

    @Test func exportThatSomebodyModifiedStays() throws {
        library.addRecording("one.wav")
        #expect(library.run("--export", "audacity").status == 0)
        try write("0\t1\tmine\n", to: "one.wav.txt")
        library.addRecording("two.wav")
        for _ in 0..<2 {
            let outcome = library.run()
            #expect(outcome.status == 3)
            #expect(outcome.errors.contains("one.wav.txt is not written: it was modified"))
            #expect(text("one.wav.txt") == "0\t1\tmine\n" && isThere("two.wav.txt"))
        }
        #expect(library.run("--export", "none").status == 0)
        #expect(text("one.wav.txt") == "0\t1\tmine\n" && !isThere("two.wav.txt"))
    }

    @Test func fileThatNoRunWroteIsNotReplaced() throws {
        library.addRecording("one.wav")
        #expect(library.run().status == 0)
        try write("my table\n", to: "segments.csv")
        let outcome = library.run("--export", "csv", "--json")
        #expect(outcome.status == 3 && text("segments.csv") == "my table\n")
        #expect(
            outcome.timeless.outputLines.contains(
                #"{"event":"export","file":"segments.csv","format":"csv","path":"segments.csv","#
                    + #""reason":"nameTaken"}"#))
    }

    @Test func formatThatIsNotWantedAnyMoreIsRemoved() {
        library.addRecording("A/one.wav")
        let plain = library.run()
        #expect(plain.status == 0)
        let before = library.outputs()
        #expect(library.run("--export", "csv,kaldi,audacity").status == 0)
        #expect(isThere("kaldi/segments") && isThere("A/one.wav.txt"))
        #expect(library.run("--export", "none").status == 0)
        #expect(library.outputs().files == before.files)
    }

    @Test func whatACrashHasLeftOfAnExportIsRemoved() {
        library.addRecording("one.wav")
        #expect(library.run("--export", "kaldi").status == 0)
        let left: Pathname = "library/tapedeck/kaldi/.tapedeck.1-2.partial"
        library.folder.write([1], to: left)
        library.addRecording("two.wav")
        #expect(library.run().status == 0)
        #expect(Snapshot.status(library.folder.path(left)) == nil && isThere("kaldi/segments"))
    }

    @Test func exportOfSeveralFilesIsWrittenWholeOrNotAtAll() throws {
        library.addRecording("one.wav")
        #expect(library.run("--export", "kaldi").status == 0)
        let before = text("kaldi/wav.scp")
        try write("edited\n", to: "kaldi/utt2spk")
        library.addRecording("two.wav")
        let outcome = library.run()
        #expect(outcome.status == 3 && outcome.errors.contains("kaldi/utt2spk is not written"))
        #expect(text("kaldi/wav.scp") == before && text("kaldi/utt2spk") == "edited\n")
        unlink(library.output.appending("kaldi/utt2spk").text)
        #expect(library.run().status == 0)
        #expect(lines("kaldi/wav.scp") == 2 && lines("kaldi/utt2spk") == 2)
    }

    /// Their names are in the record until the folder is listed, which is for that to use.
    @Test(arguments: [("kaldi", ["--export", "kaldi"]), ("segments", ["--split"])])
    func whatIsTemporaryInAFolderOfResultsIsLeftToItsListing(
        folder: String, options: [String]
    ) throws {
        library.addRecording("one.wav")
        library.addRecording(Pathname("\(folder)/two.wav"))
        let first = Tool.run(["run", library.root.text])
        #expect(first.status == 0)
        let left = Pathname("library/tapedeck/\(folder)/.tapedeck.1-2.partial")
        library.folder.write([1], to: left)
        // It had not come to its manifest.
        unlink(library.output.appending(Pathname(folder)).appending("manifest.json").text)
        // Of all recordings, only the one at the top is looked at.
        let top = library.root.appending("one.wav").text
        let run = ["run", top, "--output", library.output.text] + options
        #expect(Tool.run(run).status == 0)
        #expect(Snapshot.status(library.folder.path(left)) != nil)
        #expect(isThere(folder == "kaldi" ? "kaldi/wav.scp" : "segments/metadata.jsonl"))
        #expect(library.run().status == 0)
        #expect(Snapshot.status(library.folder.path(left)) == nil)
    }

    @Test func runSplitsWhatItFinds() {
        library.add("A/two.wav", SmallWAV.bytes(voice + voice))
        #expect(library.run("--split").outputLines.contains("2 files written for other programs"))
        #expect(lines("A/segments/metadata.jsonl") == 2)
        #expect(library.run().status == 0 && verify().status == 0)
    }

    @Test func unknownFormatIsAUsageError() {
        let outcome = library.run("--export", "csv,word")
        #expect(outcome.status == 64 && outcome.errors.contains("there is no format 'word'"))
    }

    @Test func killedRunsLeaveExportsOfAllResults() throws {
        let recordings = library.addManyRecordings(60)
        let options = ["--export", "audacity,csv,kaldi", "--split", "--report"]
        let plan = KillPlan(seed: 5, kills: 10, isTalkative: false)
        let runs = KilledRuns(
            library, recordings: recordings, options: options, isTalkative: false)
        for moment in plan.moments(recordings: recordings) { _ = runs.run(killedAt: moment) }
        _ = runs.runUndisturbed()
        #expect(verify().status == 0)
        // What a killed run has drawn and not recorded is drawn again.
        #expect(Tool.run(["report", library.root.text]).status == 0)
        #expect(verify().status == 0)
        let other = library.folder.path("undisturbed")
        _ = Tool.run(["run", library.root.text, "--output", other.text] + options)
        let whole = Snapshot(other, comparingFolderTimes: false)
        let found = Snapshot(library.output, comparingFolderTimes: false)
        #expect(found.files == whole.files)
        #expect(!found.names.contains { $0.text.hasSuffix(".partial") })
        // Lists of recordings say where these are from there.
        for name in whole.files
        where [".txt", ".csv", ".js", ".html"].contains(where: name.text.hasSuffix)
            && !name.text.hasSuffix("rows.js")
        {
            #expect(text(name).utf8.elementsEqual(TestFolder.bytes(of: other.appending(name))))
        }
    }

    @Test func watchKeepsExportsUpToDate() async throws {
        library.addRecording("old.wav")
        let watch = Watch(library, ["--export", "csv", "--split", "--settle-seconds", "0.1"])
        await watch.begin()
        #expect(await watch.wait { lines("segments.csv") == 2 })
        library.addRecording("new.wav")
        #expect(await watch.wait { lines("segments.csv") == 3 })
        #expect(await watch.wait { lines("segments/metadata.jsonl") == 2 })
        library.addRecording("last.wav")
        #expect(await watch.wait(for: .done, of: "last.wav"))
        // Whatever was done by then is in the exports.
        await watch.stop()
        #expect(lines("segments.csv") == 4 && verify().status == 0)
    }
}
