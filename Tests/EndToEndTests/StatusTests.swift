import Foundation
import Recordings
import TestSupport
import Testing

@Suite struct StatusTests {
    private let library = Library()

    private func status(_ name: Pathname = .empty, _ options: String...) -> Tool.Outcome {
        Tool.run(["status", library.root.appending(name).text] + options)
    }

    private func json(_ line: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    @Test func statusCountsMatchCorpusRun() throws {
        Corpus.copy(into: library)
        let run = library.run()
        #expect(run.status == 3)
        let before = library.snapshot()
        let outcome = status()
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
        let counts = try #require(run.outputLines.first).split(separator: ":")
        #expect(outcome.outputLines[0] == "\(counts[0]) in 9 folders:\(counts[1])")
        #expect(
            outcome.outputLines.contains(
                "  2 done with a warning, such as troubled/cut_off.ogg: the file is cut off"))
        // The troubled folder's own numbers, from a folder in the output.
        let part = status("tapedeck/interviews")
        #expect(part.outputLines[0] == "5 recordings in 2 folders: 5 done")
        #expect(library.snapshot().differences(from: before) == [])
    }

    @Test func statusReadsOnlyTheRecord() {
        library.addRecording("A/b.wav")
        #expect(library.run().status == 0)
        let lines = status("tapedeck").outputLines
        #expect(lines.first == "1 recording in 1 folder: 1 done")
        unlink(library.root.appending("A/b.wav").text)
        #expect(status("tapedeck").outputLines == lines)
    }

    @Test func missingRecordingsAreCountedSeparately() throws {
        library.addRecording("a.wav", seconds: 0.1)
        library.addRecording("b.wav", seconds: 0.1)
        #expect(library.run().status == 0)
        try library.markAsGone("b.wav")
        let outcome = status()
        #expect(outcome.status == 0)
        #expect(outcome.outputLines.first == "2 recordings in 1 folder: 1 done, 1 gone")
        let object = try json(status("tapedeck", "--json").output)
        #expect(object["recordings"] as? Int == 2)
        #expect(object["done"] as? Int == 1)
        #expect(object["missing"] as? Int == 1)
    }

    @Test func resultsFromOlderSettingsAreCounted() {
        library.addRecording("a.wav", seconds: 0.1)
        library.addRecording("b.wav", seconds: 0.1)
        #expect(library.run().status == 0)
        let bits = Tool.run(["run", library.root.appending("b.wav").text, "--waveform-bits", "16"])
        #expect(bits.status == 0)
        #expect(
            status().outputLines[1] == "1 made with older settings")
    }

    @Test func jsonOutputHasCountsAndMatchesSchema() throws {
        library.addRecording("A/b.wav")
        library.add("c.wav", [])
        library.add("silent.wav", SmallWAV.bytes(Array(repeating: 0, count: 8000)))
        #expect(library.run().status == 3)
        let outcome = status(.empty, "--json")
        #expect(outcome.status == 0)
        #expect(outcome.outputLines.count == 1)
        let object = try json(outcome.output)
        #expect(object["recordings"] as? Int == 3)
        #expect(object["folders"] as? Int == 2)
        #expect(object["folder"] as? String == ".")
        #expect(object["audioSeconds"] as? Double == 4)
        #expect(object["silent"] as? Int == 1)
        #expect(object["silentExample"] as? String == "silent.wav")
        #expect((object["removedSeconds"] as? Double ?? 0) > 1)
        let failures = try #require(object["failures"] as? [[String: Any]])
        #expect(failures.map { $0["reason"] as? String } == ["emptyFile"])
        #expect(failures.map { $0["example"] as? String } == ["c.wav"])
        // The schema requires all but the example, and allows no others.
        #expect(object["silentExample"] as? String == "silent.wav")
        let check = SchemaCheck.run(part: "status", outcome.output)
        #expect(check.status == 0, "\(check.errors)")
        let odd = outcome.output.replacing("\"stale\"", with: "\"old\"")
        #expect(SchemaCheck.run(part: "status", odd).status == 1)
    }

    @Test func damagedRecordIsReported() {
        for number in 0..<60 { library.addRecording(Pathname("\(number).wav"), seconds: 0.1) }
        #expect(library.run().status == 0)
        let path = library.output.appending(".tapedeck")
        var bytes = TestFolder.bytes(of: path)
        // The last half, so that it is found out on the way.
        for place in bytes.count / 2..<bytes.count { bytes[place] ^= 0x55 }
        library.add("tapedeck/.tapedeck", bytes)
        let outcome = status()
        #expect(outcome.status == 1 && outcome.output == "")
        #expect(outcome.errors.hasSuffix("cannot be read: the record is damaged\n"))
        // The run finds it out on the way, and begins anew.
        let found = library.run()
        #expect(found.status == 0, "\(found.errors)")
        #expect(found.errors.contains("the damaged file is kept as "))
        #expect(found.outputLines.first == "60 recordings: 60 up to date")
        #expect(library.run().errors == "")
    }

    @Test func missingResultsAreReported() {
        library.makeFolder("library/A")
        let none = status("A")
        #expect(none.status == 1)
        #expect(none.output == "")
        #expect(
            none.errors
                == "tapedeck: there are no results of tapedeck in \(library.root.text)/A; pass an"
                + " output folder, or a folder of recordings with one called tapedeck;"
                + " tapedeck run makes one\n")
        let missing = status("B")
        #expect(missing.status == 1)
        #expect(missing.errors == "tapedeck: \(library.root.text)/B does not exist\n")
    }
}

extension Library {
    /// Removes a recording at the root, and marks it in the manifest as a run would.
    func markAsGone(_ name: String) throws {
        try rewriteEntry(name) {
            $0.replacing(#""status":"done""#, with: #""status":"sourceMissing""#)
        }
        unlink(root.appending(Pathname(name)).text)
    }

    /// Changes the line about a recording in the manifest at the root, which then is all that is
    /// known.
    func rewriteEntry(_ name: String, _ change: (String) -> String) throws {
        let text = String(
            decoding: TestFolder.bytes(of: output.appending("manifest.json")), as: UTF8.self)
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let index = try #require(lines.firstIndex { $0.contains("\"name\":\"\(name)\"") })
        let changed = change(lines[index])
        #expect(changed != lines[index])
        lines[index] = changed
        add("tapedeck/manifest.json", Array(lines.joined(separator: "\n").utf8))
        forgetRecord()
    }

    /// Writes a journal as a run of an earlier version would leave it that was killed, with one
    /// outcome: that of another recording at the root, under a new name.
    func addJournal(
        of name: String, like other: String, thenLine line: String = ""
    ) throws {
        let text = String(
            decoding: TestFolder.bytes(of: output.appending("manifest.json")), as: UTF8.self)
        let entry = try #require(
            text.split(separator: "\n").first { $0.contains("\"name\":\"\(other)\"") })
        let json = entry.trimmingCharacters(in: [","]).replacing(
            "\"name\":\"\(other)\"", with: "\"name\":\"\(name)\"")
        let fact = #"{"entry":\#(json),"folder":"","obsolete":[],"staged":[]}"#
        let lines = [#"{"journal":1}"#, fact].map { "\(checksum($0)) \($0)\n" }
        // What is behind a damaged line is not a torn end.
        let last = line.isEmpty ? "" : line + lines[1]
        add("tapedeck/.tapedeck.journal", Array((lines.joined() + last).utf8))
        forgetRecord()
    }

    /// The beginning of its SHA-256, by a program that is not ours.
    private func checksum(_ text: String) -> String {
        let file = folder.write(Array(text.utf8), to: "text")
        return String(Tool.shell("sha256sum '\(file.text)'").output.prefix(16))
    }
}
