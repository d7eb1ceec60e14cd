import Foundation
import Recordings
import TestSupport
import Testing

/// Times of a copy and of its recording, found in each other by the built binary.
@Suite struct MapTests {
    private let library = Library()

    init() {
        // Two voices with a pause of three seconds, and a second of silence at either end.
        library.add(
            "A/b.wav",
            SmallWAV.bytes(SmallWAV.voice(before: 3) + SmallWAV.voice(after: 0, before: 1)))
        #expect(library.run("--trim", "gaps").status == 0)
    }

    private var manifest: String { library.output.appending("A/manifest.json").text }

    private func map(_ options: String..., recording: String = "b.wav") -> Tool.Outcome {
        Tool.run(["map", manifest, recording] + options)
    }

    private func objects(_ outcome: Tool.Outcome) throws -> [[String: Any]] {
        try outcome.outputLines.map {
            try #require(
                try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    @Test func mappedTimesRoundTripToExactFrame() throws {
        let entry = try #require(try library.manifest("A")["b.wav"])
        let edits = try #require(entry.trimmed?.edits)
        #expect(edits.count == 2)
        for edit in edits {
            for frame in [0, 1, edit.frames / 2, edit.frames - 1] {
                let trimmed = Double(edit.trimmedFrame + frame) / 8_000
                let there = try objects(map("--to-source", "\(trimmed)", "--json"))[0]
                #expect(there["sourceFrame"] as? Int64 == edit.source.lowerBound + frame)
                #expect(there["trimmedFrame"] as? Int64 == edit.trimmedFrame + frame)
                #expect(there["cut"] as? Bool == false)
                let seconds = try #require(there["sourceSeconds"] as? Double)
                let back = try objects(map("--to-trimmed", "\(seconds)", "--json"))[0]
                #expect(back["trimmedFrame"] as? Int64 == edit.trimmedFrame + frame)
                #expect(back["sourceFrame"] as? Int64 == edit.source.lowerBound + frame)
            }
        }
    }

    /// As during a run, which prints it when the folder is through.
    @Test func recordingIsFoundBeforeItsManifestIsPrinted() throws {
        let printed = map("--to-source", "1", "--json").output
        unlink(manifest)
        let folder = library.output.appending("A").text
        let found = Tool.run(["map", folder, "b.wav", "--to-source", "1", "--json"])
        #expect(found.output == printed && found.status == 0)
    }

    @Test func cutTimeIsReportedWithPositionOfCut() throws {
        let edits = try #require(try library.manifest("A")["b.wav"]?.trimmed?.edits)
        let outcome = map("--to-trimmed", "0:00.01", "3.5", "--json")
        #expect(outcome.status == 0)
        let answers = try objects(outcome)
        #expect(answers.map { $0["cut"] as? Bool } == [true, true])
        #expect(answers.map { $0["trimmedFrame"] as? Int64 } == [0, edits[1].trimmedFrame])
        #expect(
            answers[1]["cutFrames"] as? [Int64]
                == [edits[0].source.upperBound, edits[1].source.lowerBound])
        let words = map("--to-trimmed", "3.5").output
        #expect(words.hasPrefix("0:03.5 in the recording was cut, with all from 0:0"))
        #expect(words.contains("; the cut is at 0:0"))
    }

    @Test(arguments: ["b.wav", "./b.wav", "A/./b.wav", "./A/b.wav", "././A//b.wav"])
    func dotComponentsInRecordingPathAreIgnored(name: String) {
        for place in [library.output.text, library.output.appending("A").text] {
            let outcome = Tool.run(["map", place, name, "--to-source", "0"])
            let isOnlyBelow = !name.contains("A") && place == library.output.text
            #expect(outcome.status == (isOnlyBelow ? 1 : 0), "\(place) \(outcome.errors)")
        }
        #expect(
            map("--to-source", "0", "--to-trimmed", "0").errors.contains(
                "ask with --to-source or with --to-trimmed, not with both"))
    }

    @Test func jsonOutputMatchesSchema() {
        let outcome = Tool.shell(
            """
            printf 'soon\\n99:00\\n0:02\\n0:03.5\\n' |
                "$TAPEDECK" map '\(manifest)' b.wav --json --to-trimmed -
            """)
        #expect(outcome.outputLines.count == 4)
        let check = SchemaCheck.run(part: "mapping", outcome.output)
        #expect(check.status == 0, "\(check.errors)")
        let odd = outcome.output.replacing("\"asked\"", with: "\"told\"")
        #expect(SchemaCheck.run(part: "mapping", odd).status == 1)
    }

    @Test func timesAreReadFromStandardInput() {
        let outcome = Tool.shell(
            """
            printf '\\357\\273\\2770\\n\\n 0:01,5 \\r\\nsoon\\n99:00\\n0:02' |
                "$TAPEDECK" map '\(manifest)' b.wav --to-source -
            """)
        #expect(outcome.status == 3)
        #expect(outcome.outputLines.count == 3)
        #expect(outcome.outputLines[1].hasPrefix("0:01.5 in the copy is 0:02."))
        #expect(
            outcome.errorLines[0]
                == "tapedeck: line 4 is not a time: \"soon\"; write seconds, m:ss or h:mm:ss")
        #expect(
            outcome.errorLines.last?.hasPrefix(
                "tapedeck: 1:39:00 is beyond the end of the copy, at 0:03.") == true)
    }

    @Test func recordingIsFoundByNameOrPath() {
        for name in ["b.wav", "A/b.wav", "library/A/b.wav"] {
            #expect(map("--to-source", "1", recording: name).status == 0, "\(name)")
        }
        let other = map("--to-source", "1", recording: "B/b.wav")
        #expect(other.status == 1)
        #expect(
            other.errors == "tapedeck: \(manifest) has no recording B/b.wav; it has b.wav\n")
        let folder = Tool.run(
            ["map", library.output.appending("A").text, "b.wav", "--to-source", "1"])
        #expect(folder.status == 0)
    }

    /// As `status` and `verify` take them: an output, or recordings that have theirs beside them.
    @Test func manifestIsFoundBelowNamedFolder() {
        func errors(_ folder: Pathname, _ recording: String) -> String {
            Tool.run(["map", folder.text, recording, "--to-source", "1"]).errors
        }
        #expect(errors(library.output, "A/b.wav") == "")
        #expect(errors(library.root, "A/b.wav") == "")
        #expect(errors(library.root.appending("A"), "b.wav").contains("/A/manifest.json does not"))
        for name in ["b.wav", "B/b.wav", "/A/b.wav"] as [Pathname] {
            let missing = "tapedeck: \(library.root.text)/manifest.json does not exist;"
            #expect(errors(library.root, name.text).hasPrefix(missing))
        }
        library.add("manifest.json", Array("{}".utf8))
        library.addRecording("c.wav", seconds: 2)
        #expect(library.run().status == 0)
        #expect(errors(library.root, "c.wav") == "")
        #expect(errors(library.root, "b.wav").hasSuffix(" has no recording b.wav; it has c.wav\n"))
    }

    @Test func missingCopyOrManifestIsReported() throws {
        library.addRecording("A/c.wav", seconds: 1)
        library.add("A/d.wav", [])
        #expect(library.run("--trim", "off").status == 3)
        let off = map("--to-source", "1", recording: "c.wav")
        #expect(off.status == 1 && off.output == "")
        #expect(off.errors == "tapedeck: c.wav has no trimmed copy: trimming was off\n")
        #expect(
            map("--to-source", "1", recording: "d.wav").errors
                == "tapedeck: d.wav has no trimmed copy, as it failed: the file is empty\n")
        let none = Tool.run(["map", "/nowhere/manifest.json", "b.wav", "--to-source", "1"])
        #expect(none.status == 1)
        #expect(
            none.errors
                == "tapedeck: /nowhere/manifest.json does not exist; pass a manifest.json, or its"
                + " folder and the recording's way from there\n")
        let sound = library.root.appending("A/b.wav").text
        let wrong = Tool.run(["map", sound, "b.wav", "--to-source", "1"])
        #expect(wrong.status == 1)
        #expect(
            wrong.errors == "tapedeck: \(sound) is not a manifest, or is damaged\n")
    }

    @Test(arguments: [
        [], ["--to-source", "1", "--to-trimmed", "1"], ["--to-source", "1:60"],
        ["--to-source", "-", "-"], ["--to-source"],
    ])
    func invalidArgumentsAreRefused(options: [String]) {
        let outcome = Tool.run(["map", manifest, "b.wav"] + options)
        #expect(outcome.status == 64)
        #expect(outcome.output == "")
    }

    @Test func mapChangesNoFiles() {
        let before = library.snapshot()
        #expect(map("--to-source", "1").status == 0)
        #expect(library.snapshot().differences(from: before) == [])
    }
}
