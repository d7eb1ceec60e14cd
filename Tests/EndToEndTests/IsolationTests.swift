import Foundation
import Recordings
import TestSupport
import Testing

/// Runs that decode everything in processes of their own.
@Suite struct IsolationTests {
    private let library = Library()

    private func run(_ tool: String, _ options: String...) -> Tool.Outcome {
        RunningTool(
            program: tool,
            ["run", library.root.text, "--output", library.output.text, "--jobs", "1"] + options
        ).wait()
    }

    @Test func resultsHaveTheSameBytes() throws {
        Corpus.copy(into: library)
        let plain = library.folder.path("plain")
        let apart = library.folder.path("apart")
        let first = library.run("--trim", "gaps", "--output", plain.text)
        let second = library.run("--trim", "gaps", "--output", apart.text, "--isolate")
        #expect(first.status == second.status)
        let lines = [first, second].map { $0.errors.split(separator: "\n").sorted() }
        #expect(lines[0] == lines[1])
        let differing = Tool.shell(
            "diff -rq -x '.tapedeck*' '\(plain.text)' '\(apart.text)'")
        #expect(differing.output == "")
        let made = Tool.shell("ls '\(apart.text)/interviews'").outputLines
        #expect(made.contains("manifest.json"))
    }

    @Test func withoutHelperNothingIsDecoded() {
        library.addRecording("a.wav")
        let outcome = run(library.tool(helper: nil), "--isolate")
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("--isolate needs tapedeck-decoder beside tapedeck"))
        let other = run(library.tool(helper: "exit 127"), "--isolate")
        #expect(other.status == 1)
        #expect(other.errors.contains("--isolate needs libav"))
    }

    /// The first helper only says whether there is one, the second is taken down.
    @Test func helperThatIsTakenDownCostsOneRecording() throws {
        for name in ["a.wav", "b.wav", "c.wav"] { library.addRecording(Pathname(name)) }
        let count = library.folder.path("count").text
        let script = """
            echo >> '\(count)'
            if [ "$(wc -l < '\(count)')" = 2 ]; then
                exec python3 -c '
            import socket, struct, os
            s = socket.socket(fileno=3)
            s.send(struct.pack(os.environ["reply"], 1, *[0] * 16))
            s.recv(999)
            os.kill(os.getpid(), 11)'
            fi
            exec "$real"
            """
        let outcome = run(library.tool(helper: script), "--isolate")
        #expect(outcome.status == 3)
        let entries = try library.manifest().recordings
        #expect(entries.filter { $0.status == .done }.count == 2)
        #expect(entries.compactMap(\.failure?.reason) == [.decoderCrashed])
        #expect(library.run("--isolate").status == 0)
    }

    /// One that a file has broken into says of the next recordings what it likes: that costs those,
    /// and not the memory of `tapedeck`.
    @Test func helperThatLiesAboutTheFormatCostsItsRecordings() throws {
        for name in ["a.wav", "b.wav"] { library.addRecording(Pathname(name)) }
        // An open file of 256 channels at the highest rate: see `DecoderReply`.
        let script = """
            exec python3 -c '
            import os, socket, struct, mmap
            s = socket.socket(fileno=3)
            m = mmap.mmap(4, 1 << 20)
            s.send(struct.pack(os.environ["reply"], 1, *[0] * 16))
            while s.recv(999):
                text = b"\\0wav\\0pcm16\\0short\\0libsndfile\\0\\0\\0\\0"
                m[:len(text)] = text
                reply = [6, 0, 0, 2**31 - 1, 256, 1, 16, 10**6, 0, -1, 0, len(text), 0, 0, 0, 0, 0]
                s.send(struct.pack(os.environ["reply"], *reply))'
            """
        let outcome = RunningTool(
            program: "/bin/sh",
            [
                "-c", "ulimit -v 4000000; exec \"$@\"", "sh", library.tool(helper: script), "run",
                library.root.text, "--output", library.output.text, "--isolate",
            ]
        ).wait()
        #expect(outcome.status == 3)
        let reasons = try library.manifest().recordings.map(\.failure?.reason)
        #expect(reasons == [.decoderCrashed, .decoderCrashed])
    }

    /// What is under way when the process is killed is decoded apart by the next run, and then no
    /// more.
    @Test func recordingThatEndedTheProcessIsDecodedApart() throws {
        library.addRecording("a.wav")
        library.addRecording("b.wav")
        let count = library.folder.path("count").text
        let helper = library.tool(helper: "echo >> '\(count)'\nexec \"$real\"")
        #expect(run(helper).status == 0)
        #expect(!FileManager.default.fileExists(atPath: count))
        var slot = Array("b.wav".utf8)
        slot += [UInt8](repeating: 0, count: 4608 - slot.count)
        let notes = library.output.appending(".tapedeck.decoding")
        try Data(slot).write(to: URL(filePath: notes.text))
        #expect(run(helper, "--force").status == 0)
        #expect(Tool.shell("wc -l < '\(count)'").output == "1\n")
        #expect(!FileManager.default.fileExists(atPath: notes.text))
        #expect(run(helper, "--force").status == 0)
        #expect(Tool.shell("wc -l < '\(count)'").output == "1\n")
    }
}
