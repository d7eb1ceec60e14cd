import Foundation
import Recordings
import TestSupport
import Testing

/// One recording's analysis, by the built binary.
@Suite struct InspectTests {
    private let library = Library()
    private let recording: Pathname

    init() {
        recording = library.add(
            "A/b.wav",
            SmallWAV.bytes(SmallWAV.voice(before: 3) + SmallWAV.voice(after: 0, before: 1)))
    }

    private func inspect(_ options: String..., path: String? = nil) -> Tool.Outcome {
        Tool.run(["inspect", path ?? recording.text] + options, in: library.root)
    }

    private func object(_ outcome: Tool.Outcome) throws -> [String: Any] {
        #expect(outcome.outputLines.count == 1)
        return try #require(
            try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    }

    @Test func inspectPrintsLevelsSilencesAndWaveform() {
        let before = library.snapshot()
        let outcome = inspect()
        #expect(outcome.status == 0 && outcome.errors == "")
        let lines = outcome.outputLines
        #expect(lines[0] == "\(recording.text): 0:07, mono, 8000 Hz, pcm16 in wav")
        #expect(lines[1].hasPrefix("peak -6.0 dBFS, RMS -2"))
        #expect(lines[3].hasPrefix("3 silences, "))
        #expect(lines[5].hasSuffix("stays"))
        #expect(lines[7].hasPrefix("2 cuts, "))
        #expect(lines.contains { $0.hasPrefix("dBFS │xxx") })
        // No terminal: no colours, and no wider than one.
        #expect(!outcome.output.contains("\u{1B}"))
        #expect(lines.dropFirst().allSatisfy { $0.count < 80 })
        #expect(library.snapshot().differences(from: before) == [])
    }

    @Test(arguments: [
        [], ["--trim", "gaps"], ["--trim", "gaps", "--shrink-gaps", "0.25"],
        ["--trim", "off"], ["--min-silence", "2"],
        ["--keep-silence", "0", "--fade-milliseconds", "40"], ["--isolate"],
    ])
    func inspectionMatchesRunWithSameOptions(options: [String]) throws {
        #expect(Tool.run(["run", library.root.text] + options).status == 0)
        let entry = try #require(try library.manifest("A")["b.wav"])
        let told = try object(
            Tool.run(["inspect", recording.text, "--json"] + options))
        func part<Part: Decodable>(_ name: String, _ type: Part.Type) throws -> Part? {
            guard let value = told[name] else { return nil }
            let data = try JSONSerialization.data(
                withJSONObject: value, options: .fragmentsAllowed)
            return try JSONDecoder().decode(Part.self, from: data)
        }
        #expect(try part("format", AudioFormat.self) == entry.format)
        #expect(try part("metadata", RecordingMetadata.self) == entry.metadata)
        #expect(try part("levels", Levels.self) == entry.levels)
        #expect(try part("silence", SilenceMap.self) == entry.silence)
        #expect(try part("source", FileStamp.self) == entry.source)
        #expect(try part("edits", [Edit].self) == entry.trimmed?.edits)
        #expect(try part("notTrimmed", TrimRefusal.self) == entry.notTrimmed)
        #expect(told["trimmedSeconds"] as? Double == entry.trimmed?.durationSeconds)
    }

    @Test func jsonOutputMatchesSchema() throws {
        library.addRecording("c d.wav", seconds: 0.1)
        let bytes = TestFolder.bytes(of: recording)
        library.add("cut off.wav", Array(bytes[..<40_000]))
        for (name, status) in [("A/b.wav", 0), ("c d.wav", 0), ("cut off.wav", 0)] {
            for options in [[], ["--trim", "gaps", "--shrink-gaps", "0.5"]] {
                let outcome = Tool.run(
                    ["inspect", "--json", name] + options, in: library.root)
                #expect(outcome.status == status)
                let check = SchemaCheck.run(part: "inspection", outcome.output)
                #expect(check.status == 0, "\(check.errors)")
            }
        }
        // The check itself finds something.
        let odd = inspect("--json").output.replacing("\"path\"", with: "\"paths\"")
        #expect(SchemaCheck.run(part: "inspection", odd).status == 1)
    }

    @Test func pictureIsIdenticalEachTime() throws {
        let first = library.folder.path("first.png")
        let second = library.folder.path("second.png")
        #expect(inspect("--picture", first.text).output == inspect().output)
        #expect(inspect("--picture", second.text, "--json").status == 0)
        let bytes = TestFolder.bytes(of: first)
        #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        #expect(bytes.count > 10_000)
        #expect(TestFolder.bytes(of: second) == bytes)
    }

    @Test func vectorPictureIsIdenticalEachTime() throws {
        let (first, second) = (library.folder.path("1.svg"), library.folder.path("2.SVG"))
        for path in [first, second, first] {
            #expect(inspect("--picture", path.text).output == inspect().output)
        }
        let bytes = TestFolder.bytes(of: first)
        #expect(bytes.starts(with: "<?xml".utf8))
        #expect(String(decoding: bytes, as: UTF8.self).contains("<title>b.wav</title>"))
        #expect(TestFolder.bytes(of: second) == bytes)
    }

    @Test func widthAndPartChangePictureAlone() throws {
        let whole = library.folder.path("whole.png")
        let part = library.folder.path("part.png")
        let path = ["--picture", part.text]
        let options = ["--width", "640", "--start", "1.5", "--end", "0:03"]
        #expect(inspect("--picture", whole.text).status == 0)
        for json in [[], ["--json"]] {
            let plain = Tool.run(["inspect", recording.text] + json)
            let drawn = Tool.run(["inspect", recording.text] + json + path + options)
            #expect(drawn.status == 0 && drawn.output == plain.output)
        }
        // The header of a PNG has its width in bytes 16 to 19.
        #expect(TestFolder.bytes(of: part)[16..<20] == [0, 0, 2, 128])
        #expect(TestFolder.bytes(of: whole)[16..<20] == [0, 0, 5, 0])
    }

    @Test func partBeyondEndIsRefused() {
        let outcome = inspect("--picture", "a.png", "--start", "7:30")
        #expect(outcome.status == 1 && outcome.output == "")
        #expect(outcome.errors.hasPrefix("tapedeck: the recording is 0:0"))
        #expect(outcome.errors.hasSuffix(" long: --start 7:30 is beyond its end\n"))
        #expect(TestFolder.bytes(of: library.root.appending("a.png")).isEmpty)
    }

    /// An empty file in the place of the library: the loader refuses it, and looks no further.
    @Test func missingLibraryIsReported() {
        library.folder.write([], to: "libcairo.so.2")
        let environment = ["LD_LIBRARY_PATH": library.folder.path.text]
        let outcome = Tool.run(
            ["inspect", recording.text, "--picture", "a.png"], in: library.root,
            environment: environment)
        #expect(outcome.status == 1 && outcome.output == "")
        #expect(
            outcome.errors
                == "tapedeck: pictures need the library Cairo, which cannot be loaded:"
                + " apt install libcairo2\n")
        // Nothing else needs it.
        let plain = Tool.run(["inspect", recording.text], environment: environment)
        #expect(plain.status == 0 && plain.output == inspect().output)
    }

    @Test func pictureNeverOverwritesRecording() {
        // Whatever a recording is called.
        library.add("A/b.png", TestFolder.bytes(of: recording))
        let before = library.snapshot()
        for path in [library.root.appending("A/b.png").text, "A/b.png", "../library/A/b.png"] {
            let outcome = inspect("--picture", path)
            #expect(outcome.status == 1 && outcome.output == "")
            #expect(
                outcome.errors
                    == "tapedeck: \(path) exists and is not a picture; choose another with"
                    + " --picture\n")
        }
        #expect(library.snapshot().differences(from: before) == [])
    }

    @Test func unwritablePictureIsReported() {
        let outcome = inspect("--picture", "nowhere/a.png")
        #expect(outcome.status == 1)
        #expect(
            outcome.errors
                == "tapedeck: the picture nowhere/a.png cannot be written: No such file or"
                + " directory\n")
    }

    @Test func truncatedRecordingIsInspectedAndReported() {
        let bytes = TestFolder.bytes(of: recording)
        library.add("cut.wav", Array(bytes[..<40_000]))
        let outcome = inspect(path: "cut.wav")
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
        #expect(
            outcome.output.contains(
                "warning: the file is cut off after frame 19978; 4.5 s of audio missing"))
    }

    @Test func invalidInputIsReportedWithReason() {
        library.add("empty.wav", [])
        library.add("letter.wav", Array("Dear all,\n".utf8))
        library.add("none.wav", SmallWAV.bytes([]))
        for (path, sentence) in [
            ("empty.wav", "empty.wav: the file is empty"),
            ("none.wav", "none.wav: the file contains no audio"),
            ("missing.wav", "missing.wav does not exist"),
            ("A", "A is not a file; pass one recording"),
            ("/dev/null", "/dev/null is not a file; pass one recording"),
        ] {
            let outcome = inspect("--json", "--picture", "a.png", path: path)
            #expect(outcome.status == 1 && outcome.output == "", "\(path)")
            #expect(outcome.errors == "tapedeck: \(sentence)\n")
        }
        let letter = inspect(path: "letter.wav")
        #expect(letter.status == 1)
        #expect(letter.errors.hasPrefix("tapedeck: letter.wav: not a sound file"))
    }

    @Test(arguments: [
        [], ["--shrink-gaps", "0.5"], ["--min-silence", "0"], ["--picture", ""],
        ["--picture", "a.wav"], ["--picture", "a.jpg"], ["--picture", "svg"],
        ["--picture", "a.png", "--width", "299"], ["--picture", "a.png", "--start", "-1"],
        ["--waveform-bits", "8"],
    ])
    func invalidArgumentsAreRefused(options: [String]) {
        let path = options.isEmpty ? [] : [recording.text]
        #expect(Tool.run(["inspect"] + path + options).status == 64)
    }
}
