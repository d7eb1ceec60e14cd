import Foundation
import Recordings
import TestSupport
import Testing

@Suite struct OddNameTests {
    private let library = Library()

    private static let names: [Pathname] = [
        "new\nline.wav", "\"Mum's\" $HOME `id`; *.wav", "🎙️.wav", "caf\u{E9}.wav",
        "cafe\u{301}.wav", "-rf.wav", " .wav", "back\\slash.wav", "\u{202E}vaw.wav",
        Pathname(bytes: [0x61, 0xFF] + Array(".wav".utf8)),
        Pathname(bytes: [0x61, 0xFE] + Array(".wav".utf8)), "manifest.json.wav",
    ]

    @Test func recordingsWithOddNamesAreAllProcessed() throws {
        for name in Self.names { library.addRecording(name) }
        let outcome = library.run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        let recordings = try library.manifest().recordings
        #expect(recordings.map(\.name) == Self.names.sorted())
        #expect(recordings.allSatisfy { $0.trimmed?.path == $0.name })
        let files = library.outputs().files
        #expect(files.count == 2 * Self.names.count + 1)
        #expect(SchemaCheck.run(library.output).status == 0)
        #expect(
            library.run().outputLines.first == "\(Self.names.count) recordings:"
                + " \(Self.names.count) up to date")
    }

    @Test func foldersWithOddNamesAreProcessed() throws {
        for name in Self.names { library.addRecording(name.appending("b.wav"), seconds: 0.1) }
        #expect(library.run().status == 0)
        for name in Self.names {
            #expect(try library.manifest(name).folder == name)
        }
    }

    @Test func failuresOfOddNamesAreReportedOnOneLine() throws {
        // Each in words of its own, as what is alike is printed once.
        let whole = SmallWAV.bytes(SmallWAV.voice())
        for (index, name) in Self.names.enumerated() {
            library.add(name, Array(whole.prefix(46 + 2 * index)))
        }
        let outcome = library.run("--strict")
        #expect(outcome.status == 3)
        #expect(outcome.errorLines.count == Self.names.count)
        // By bytes: as text, two of them are canonically equivalent.
        #expect(Set(outcome.errorLines.map { Array($0.utf8) }).count == Self.names.count)
        let cut = "the file is cut off after frame"
        #expect(outcome.errorLines.contains("tapedeck: new\\nline.wav: \(cut) 1 of 24000"))
        #expect(outcome.errorLines.contains("tapedeck: a\\xff.wav: \(cut) 10 of 24000"))
        let lines = library.run("--json", "--strict")
        #expect(lines.outputLines.count == Self.names.count + 1)
        #expect(SchemaCheck.run(part: "line", lines.output).status == 0)
    }

    /// Two names that are not UTF-8 and look alike, and an output that is neither.
    @Test func nonUTF8NamesAreAcceptedAsArguments() throws {
        for name in Self.names { library.addRecording(name, seconds: 0.1) }
        let outcome = Tool.shell(
            #"""
            "$TAPEDECK" run --output="$(printf 'o\377')" "$(printf 'a\377.wav')" \
                "$(printf 'a\376.wav')" -- -rf.wav
            """#, in: library.root)
        #expect(outcome.outputLines.first == "3 recordings: 3 done")
        let output = library.root.appending(Pathname(bytes: [0x6F, 0xFF]))
        let names = try Manifest.read(output).recordings.map(\.name)
        #expect(names.map(\.hexadecimal) == ["2d72662e776176", "61fe2e776176", "61ff2e776176"])
    }

    /// Which of two that look alike is the output is not a guess.
    @Test func nonUTF8PathAndOptionAreNotConfused() throws {
        let root = library.folder.path
        let output = Pathname(bytes: [0x61, 0xE9])
        library.addRecording("b.wav")
        #expect(Tool.shell(#"mv library "$(printf 'a\350')""#, in: root).status == 0)
        for script in [
            #""$TAPEDECK" run --output "$(printf 'a\351')" "$(printf 'a\350')""#,
            #""$TAPEDECK" run "$(printf 'a\350')" --output="$(printf 'a\351')" --force"#,
        ] {
            let outcome = Tool.shell(script, in: root)
            #expect(outcome.outputLines.first == "1 recording: 1 done", "\(outcome.errors)")
            #expect(try Manifest.read(root.appending(output)).recordings.count == 1)
        }
    }

    @Test func collidingOutputNamesAreMadeUnique() throws {
        library.add("b.mp3", Corpus.bytes("memos/memo_mono_mp3_16000hz.mp3"))
        library.add(
            "b.mp3.flac",
            Corpus.bytes("interviews/2024/harbour/pilot_de_mono_flac16_16000hz.flac"))
        let outcome = library.run()
        #expect(outcome.outputLines.first == "2 recordings: 2 done")
        try expectDistinctOutputs()
    }

    @Test func outputIsRenamedWhenLaterNameCollides() throws {
        library.add("b.mp3", Corpus.bytes("memos/memo_mono_mp3_16000hz.mp3"))
        #expect(library.run().outputLines.first == "1 recording: 1 done")
        #expect(try library.manifest()["b.mp3"]?.trimmed?.path == "b.mp3.flac")
        library.add(
            "b.mp3.flac",
            Corpus.bytes("interviews/2024/harbour/pilot_de_mono_flac16_16000hz.flac"))
        #expect(library.run().status == 0)
        try expectDistinctOutputs()
        #expect(library.run().outputLines.first == "2 recordings: 2 up to date")
    }

    private func expectDistinctOutputs() throws {
        let manifest = try library.manifest()
        #expect(manifest["b.mp3.flac"]?.trimmed?.path == "b.mp3.flac")
        #expect(manifest["b.mp3"]?.trimmed?.path == "b.mp3.2.flac")
        #expect(
            library.outputs().files == [
                "b.mp3.2.flac", "b.mp3.dat", "b.mp3.flac", "b.mp3.flac.dat", "manifest.json",
            ])
        let check = SchemaCheck.run(library.output)
        #expect(check.status == 0, "\(check.errors)")
    }
}
