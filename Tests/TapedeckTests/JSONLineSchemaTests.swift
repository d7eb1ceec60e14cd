import Foundation
import Jobs
import Recordings
import ReducerKit
import TestSupport
import Testing
import Workers

@testable import tapedeck

/// The lines of `--json`, held against the schema that programs read them by.
@Suite struct JSONLineSchemaTests {
    private static let failure = RecordingFailure(
        stage: .decode, reason: .truncated, detail: "told", code: 5, frame: 1, expected: 2)

    /// One for each case, and some more.
    private static var announcements: [Announcement] {
        var failed = ManifestEntry(name: "b.wav", status: .failed, source: Example.stamp)
        failed.failure = failure
        var done = ManifestEntry(name: Pathname(bytes: [0x61, 0xFF]), status: .done, source: nil)
        done.source = Example.stamp
        done.format = Example.format()
        done.levels = Example.levels()
        done.silence = Example.silence()
        done.waveforms = []
        done.notTrimmed = .off
        let reasons: [StaleReason] = [
            .checksumWanted, .output(OutputDamage(name: "b", kind: .missing, stage: .trim)),
        ]
        return [
            .settled(folder: "A", failed, upToDate: false),
            .settled(folder: .empty, SettledEntry(done), Boxed(done), upToDate: true),
            .planned(folder: "A", name: "b.wav", .all), .planned(folder: "A", name: "b.wav", []),
            .explained(folder: "A", name: "b.wav", reasons), .settingsChanged(reasons),
            .folderFailed("A", failure), .manifestFailed(folder: "A", failure),
            .stopped(failure), .manifestSetAside(folder: "A", name: "m"),
            .awaited(folder: "A", name: "b.wav", nil),
            .awaited(folder: "A", name: "b.wav", failure),
            .missing(folder: "A", name: "b.wav", pruned: true), .spared(folder: "A", name: "b.wav"),
            .exportTrouble(.init(format: "csv", path: "b", obstacle: .failed(failure))),
            .exportTrouble(.init(format: "cue", path: "b", obstacle: .tooManyStretches(limit: 9))),
            .exportTrouble(.init(format: "split", path: "b", obstacle: .taken("c"))),
            .exportTrouble(.init(format: "cue", path: "b", obstacle: .name)),
            .moved(folder: "A", name: "b.wav", newFolder: "B", newName: "c.wav"),
            .polled(folder: "A", .remote), .polled(folder: "A", .failed(code: 13)),
        ]
    }

    private var lines: [String] {
        Self.announcements.map { EventLine.text(for: $0) } + [
            EventLine.settings(
                "tapedeck.toml", ["--trim gaps"], ["--trim edges → gaps"], ChangedResults()),
            EventLine.settings("tapedeck.toml", ["--trim gaps"], [], nil),
            EventLine.watching(folders: 3), EventLine.omitted(5),
            EventLine.serving("http://127.0.0.1:8017/"),
            EventLine.recordRebuilt(setAside: ".tapedeck.damaged"),
            EventLine.summary(Summary(), .interrupted, output: "/a/tapedeck"),
        ]
    }

    @Test func allRunAndWatchLinesMatchSchema() {
        let check = SchemaCheck.run(part: "line", lines.joined(separator: "\n"))
        #expect(check.status == 0, "\(check.errors)")
    }

    @Test(arguments: [
        (#""event":"gone""#, #""event":"went""#), (#","pruned":true"#, ""),
        (#""upToDate":false"#, #""upToDate":false,"more":1"#),
        (#""name":"m""#, #""name":"m","more":1"#),
        (#""exitStatus":130"#, #""exitStatus":2"#), (#""folders":3"#, #""folders":-3"#),
        (#"Z","upToDate""#, #"","upToDate""#),
    ])
    func schemaRejectsInvalidLines(part: String, other: String) throws {
        let line = try #require(lines.first { $0.contains(part) })
        let check = SchemaCheck.run(part: "line", line.replacing(part, with: other))
        #expect(check.status == 1 && !check.errors.isEmpty)
    }

    /// So that a line of a new kind is not forgotten above, nor one in the schema that is gone.
    @Test func schemaListsExactlyThePrintedEvents() throws {
        let schema = try #require(
            JSONSerialization.jsonObject(with: Data(contentsOf: SchemaCheck.schema))
                as? [String: Any])
        let parts = try #require(schema["$defs"] as? [String: [String: Any]])
        let kinds = try #require(parts["line"]?["oneOf"] as? [[String: Any]])
        let known = try kinds.map { kind in
            let properties = try #require(kind["properties"] as? [String: [String: Any]])
            return try #require(properties["event"]?["const"] as? String)
        }
        let printed = try lines.map { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
            return try #require((object as? [String: Any])?["event"] as? String)
        }
        #expect(Set(known) == Set(printed))
        #expect(known.count == Set(known).count)
    }
}
