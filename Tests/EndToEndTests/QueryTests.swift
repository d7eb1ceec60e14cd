import Foundation
import Recordings
import TestSupport
import Testing

/// `tapedeck query`, with the questions of docs/query.md.
@Suite struct QueryTests {
    private let library = Library()

    private func query(_ sql: String, _ options: String...) -> Tool.Outcome {
        Tool.run(["query", sql, library.root.text] + options)
    }

    private func addRecordings() {
        library.addRecording("A/a.wav", seconds: 1)
        library.addRecording("A/b.wav", seconds: 1)
        library.addRecording("c.wav", seconds: 0.5)
        library.add("A/letter.wav", Array("no sound".utf8))
        #expect(library.run().status == 3)
    }

    @Test func hoursAreSummedByFolder() throws {
        addRecordings()
        let outcome = query(
            "SELECT folder, count(*) AS recordings, round(sum(durationSeconds), 1) AS seconds"
                + " FROM recordings GROUP BY folder ORDER BY folder")
        #expect(outcome.status == 0 && outcome.errors == "")
        #expect(
            outcome.outputLines == [
                "folder  recordings  seconds", "------  ----------  -------",
                ".                1      2.5", "A                3        6",
            ])
    }

    @Test func recordingsAreFoundBySignalToNoiseRatio() throws {
        addRecordings()
        let all = query("SELECT name FROM recordings WHERE signalToNoiseDecibels IS NULL", "--csv")
        #expect(all.status == 0)
        let sql = "SELECT name FROM recordings WHERE signalToNoiseDecibels < 10"
        let outcome = query(sql, "--csv")
        #expect(outcome.outputLines == ["name"])
    }

    @Test func failuresSinceMondayAreListed() throws {
        addRecordings()
        let since = "changed >= date('now', '-6 days', 'weekday 1')"
        let outcome = query(
            "SELECT folder, name, stage, detail FROM failures WHERE \(since)", "--json")
        #expect(outcome.outputLines.count == 1)
        let line = try #require(outcome.outputLines.first)
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(object["folder"] as? String == "A" && object["name"] as? String == "letter.wav")
        #expect(object["stage"] as? String == "decode")
        let earlier = query("SELECT name FROM failures WHERE changed < date('now', '-1 day')")
        #expect(earlier.outputLines == ["name", "----"])
    }

    @Test func silencesAndOutputsAreTables() throws {
        addRecordings()
        let silences = query(
            "SELECT name, startSeconds FROM silences WHERE folder = 'A' AND name = 'a.wav'"
                + " ORDER BY startSeconds LIMIT 1", "--csv")
        #expect(silences.outputLines == ["name,startSeconds", "a.wav,0"])
        let outputs = query(
            "SELECT state, count(*) AS files FROM outputs GROUP BY state", "--csv")
        #expect(outputs.outputLines == ["state,files", "current,6"])
    }

    @Test(arguments: [
        "DELETE FROM entries", "PRAGMA query_only = 0", "ATTACH 'x' AS y", "SELECT 1; SELECT 2",
        "DROP VIEW recordings", "SELEKT 1", "SELECT * FROM nothing", "", "VACUUM INTO 'x'",
    ])
    func anythingButOneSelectIsRefused(sql: String) {
        addRecordings()
        let before = TestFolder.bytes(of: library.output.appending(".tapedeck"))
        let outcome = query(sql)
        #expect(outcome.status == 64 && outcome.output == "")
        #expect(outcome.errorLines.count == 1)
        #expect(TestFolder.bytes(of: library.output.appending(".tapedeck")) == before)
        #expect(!library.snapshot().names.contains { $0.lastComponent == "x" })
    }

    @Test func namesWithCommasAndQuotesAreQuotedInCSV() {
        library.addRecording("a \"b\", c.wav", seconds: 0.1)
        #expect(library.run().status == 0)
        #expect(
            query("SELECT name FROM recordings", "--csv").outputLines
                == ["name", "\"a \"\"b\"\", c.wav\""])
    }
}
