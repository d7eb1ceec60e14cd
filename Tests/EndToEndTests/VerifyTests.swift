import Foundation
import Recordings
import TestSupport
import Testing

@Suite struct VerifyTests {
    private let library = Library()

    private func verify(_ options: String...) -> Tool.Outcome {
        Tool.run(["verify", library.root.text] + options)
    }

    private func json(_ line: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    /// Changes the last byte of a file, and gives it its time back.
    private func alter(_ name: Pathname) throws {
        let path = library.root.appending(name)
        let status = try #require(Snapshot.status(path))
        var bytes = TestFolder.bytes(of: path)
        bytes[bytes.count - 1] ^= 1
        library.add(name, bytes)
        try setTime(path, status.st_mtim)
    }

    private func setTime(_ path: Pathname, _ time: timespec) throws {
        #expect(utimensat(AT_FDCWD, path.text, [time, time], 0) == 0)
    }

    @Test func intactCorpusVerifiesWithoutChanges() throws {
        Corpus.copy(into: library)
        let run = library.run()
        #expect(run.status == 3)
        let before = library.snapshot()
        let outcome = verify()
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
        let count = try #require(run.outputLines.first).split(separator: ":")[0]
        #expect(outcome.outputLines.count == 1)
        #expect(outcome.output.hasSuffix(" and \(count) checked: all well\n"))
        #expect(library.snapshot().differences(from: before) == [])
    }

    @Test func alteredAndMissingOutputsAreReported() throws {
        library.addRecording("A/b.wav")
        library.addRecording("A/c.wav")
        #expect(library.run().status == 0)
        // A run compares length and time, so it sees nothing of this.
        try alter("tapedeck/A/b.wav.dat")
        #expect(library.run().outputLines.first == "2 recordings: 2 up to date")
        unlink(library.output.appending("A/c.wav").text)
        let outcome = verify("--jobs", "1")
        #expect(outcome.status == 3)
        #expect(
            outcome.outputLines == [
                "A/b.wav.dat: corrupt (its bytes are others, its time is the same)",
                "A/c.wav: missing",
                "4 outputs and 2 recordings checked: 2 problems",
                "  2 outputs: tapedeck repair makes them again",
            ])
        #expect(verify("--jobs", "3").output == outcome.output)
    }

    @Test func changedAndMissingRecordingsAreReported() throws {
        for name in ["a.wav", "b.wav", "c.wav"] as [Pathname] {
            library.addRecording(name, seconds: 0.3)
        }
        #expect(library.run().status == 0)
        try setTime(library.root.appending("a.wav"), timespec(tv_sec: 1, tv_nsec: 0))
        library.add("b.wav", [1, 2, 3])
        unlink(library.root.appending("c.wav").text)
        let bytes = 44 + 2 * 8000 * 23 / 10
        let grouped = "\(bytes / 1000),\(String(bytes % 1000 + 1000).dropFirst())"
        let outcome = verify()
        #expect(outcome.status == 3)
        #expect(
            outcome.outputLines == [
                "a.wav (the recording): changed since (its time is another)",
                "b.wav (the recording): changed since (it has 3 bytes and had \(grouped))",
                "c.wav (the recording): gone",
                "6 outputs and 3 recordings checked: 3 problems",
                "  1 missing recording: restore it from a backup, or tell where they are"
                    + " (--recordings)",
                "  2 changed recordings: tapedeck run processes them again",
            ])
    }

    @Test func outputsOfMissingRecordingAreStillChecked() throws {
        library.addRecording("a.wav", seconds: 0.3)
        library.addRecording("b.wav", seconds: 0.3)
        #expect(library.run().status == 0)
        try library.markAsGone("b.wav")
        let outcome = verify()
        #expect(outcome.status == 0)
        #expect(outcome.output == "4 outputs and 1 recording checked: all well\n")
        try alter("tapedeck/b.wav")
        let altered = verify()
        #expect(altered.status == 3)
        #expect(
            altered.outputLines == [
                "b.wav: corrupt (its bytes are others, its time is the same)",
                "4 outputs and 1 recording checked: 1 problem",
                "  1 output: tapedeck repair makes it again",
            ])
    }

    @Test func outputsListedOnlyInJournalAreChecked() throws {
        library.addRecording("a.wav", seconds: 0.3)
        #expect(library.run().status == 0)
        try library.addJournal(of: "a.wav", like: "a.wav")
        unlink(library.output.appending("manifest.json").text)
        #expect(verify().output == "2 outputs and 1 recording checked: all well\n")
        try alter("tapedeck/a.wav")
        #expect(
            verify().outputLines.first
                == "a.wav: corrupt (its bytes are others, its time is the same)")
    }

    @Test func jsonOutputListsFindingsAndMatchesSchema() throws {
        library.addRecording("a.wav", seconds: 0.3)
        #expect(library.run().status == 0)
        unlink(library.output.appending("a.wav.dat").text)
        try setTime(library.root.appending("a.wav"), timespec(tv_sec: 1, tv_nsec: 0))
        let outcome = verify("--json")
        #expect(outcome.status == 3)
        let objects = try outcome.outputLines.map(json)
        #expect(
            objects.map { $0["event"] as? String } == ["discrepancy", "discrepancy", "summary"])
        #expect(objects.map { $0["subject"] as? String } == ["recording", "output", nil])
        #expect(objects.map { $0["finding"] as? String } == ["changed", "missing", nil])
        let found = try #require(objects[0]["found"] as? [String: Any])
        #expect(found["modifiedNanoseconds"] as? Int == 1_000_000_000)
        #expect(objects[2]["discrepancies"] as? Int == 2)
        #expect(objects[2]["exitStatus"] as? Int == 3)
        let check = SchemaCheck.run(part: "verification", outcome.output)
        #expect(check.status == 0, "\(check.errors)")
        let odd = outcome.output.replacing("\"subject\"", with: "\"object\"")
        #expect(SchemaCheck.run(part: "verification", odd).status == 1)
    }

    @Test func recordingsAreFoundWhenMovedWithOutput() throws {
        library.addRecording("a.wav", seconds: 0.3)
        let output = library.folder.path("out")
        #expect(library.run("--output", output.text).status == 0)
        library.makeFolder("moved")
        for name in ["library", "out"] as [Pathname] {
            let new = library.folder.path("moved").appending(name)
            #expect(rename(library.folder.path(name).text, new.text) == 0)
        }
        let moved = library.folder.path("moved/out").text
        #expect(Tool.run(["verify", moved]).status == 0)
        let recordings = library.folder.path("elsewhere").text
        #expect(rename(library.folder.path("moved/library").text, recordings) == 0)
        let lost = Tool.run(["verify", moved])
        #expect(lost.status == 1)
        #expect(lost.output == "")
        #expect(lost.errors.hasSuffix(" or to tapedeck run --moved\n"))
        #expect(Tool.run(["verify", moved, "--recordings", recordings]).status == 0)
    }

    @Test func missingAndAlteredManifestsAreReported() {
        library.addRecording("A/b.wav", seconds: 0.3)
        library.addRecording("C/d.wav", seconds: 0.3)
        #expect(library.run().status == 0)
        library.add("tapedeck/A/manifest.json", [])
        #expect(unlink(library.output.appending("C/manifest.json").text) == 0)
        let outcome = verify()
        #expect(outcome.status == 3)
        #expect(outcome.outputLines.count == 4)
        #expect(outcome.outputLines.first?.hasPrefix("A/manifest.json: altered") == true)
        #expect(outcome.outputLines.dropFirst().first == "C/manifest.json: missing")
        #expect(library.run().status == 0)
        #expect(verify().status == 0)
    }

    @Test(arguments: [8, 10, 40])
    func verifySucceedsUnderLowOpenFileLimit(files: Int) {
        for number in 0..<30 { library.addRecording(Pathname("\(number).wav"), seconds: 0.3) }
        #expect(library.run().status == 0)
        let outcome = Tool.shell(
            "ulimit -n \(files); exec \"$TAPEDECK\" verify --jobs 64 '\(library.root.text)'")
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
        #expect(outcome.output == "60 outputs and 30 recordings checked: all well\n")
    }
}
