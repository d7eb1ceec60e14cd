import Foundation
import Recordings
import TestSupport
import Testing

/// Recordings that the decoder helper decodes, and what becomes of a run when it fails.
@Suite struct LibavTests {
    private let library = Library()
    private static let count = 60

    /// One m4a under many names.
    private func addM4A(_ count: Int = 1) {
        let bytes = SmallWAV.m4a(in: library.folder)
        for number in 0..<count { library.add(Pathname("\(number).m4a"), bytes) }
    }

    private func run(_ tool: String) -> Tool.Outcome {
        RunningTool(program: tool, ["run", library.root.text, "--jobs", "1"]).wait()
    }

    @Test func m4aIsMeasuredTrimmedAndListed() throws {
        addM4A()
        let outcome = library.run()
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
        let entry = try #require(try library.manifest()["0.m4a"])
        #expect(entry.status == .done)
        #expect(entry.format?.encoding == .aac)
        #expect(entry.trimmed?.path == "0.m4a.flac")
        #expect(SchemaCheck.run(library.output).status == 0)
        let before = library.outputs()
        #expect(library.run("--force").status == 0)
        #expect(library.outputs().differences(from: before) == [])
    }

    @Test func wordsOfLibavAreTheRecordingsMessage() throws {
        var bytes = SmallWAV.m4a(in: library.folder)
        for place in stride(from: bytes.count / 3, to: bytes.count / 2, by: 7) {
            bytes[place] ^= 0x55
        }
        library.add("scratched.m4a", bytes)
        #expect(library.run().status == 0)
        let entry = try #require(try library.manifest()["scratched.m4a"])
        #expect(entry.warnings?.last?.kind == .decoderMessage)
        #expect(entry.decoderMessage?.contains("Input buffer exhausted") == true)
        // Nor is it ever another.
        let first = library.outputs()
        #expect(library.run("--force", "--isolate").status == 0)
        #expect(library.outputs().differences(from: first) == [])
    }

    @Test func missingHelperFailsOnlyWhatNeedsIt() throws {
        addM4A()
        library.addRecording("b.wav")
        let outcome = run(library.tool(helper: nil))
        #expect(outcome.status == 3)
        #expect(
            outcome.errors == "tapedeck: \(library.root.text)/0.m4a: needs the helper"
                + " tapedeck-decoder beside tapedeck (to build it, install libavformat-dev and"
                + " libavcodec-dev, then make build)\n"
        )
        #expect(try library.manifest()["b.wav"]?.status == .done)
        // It is tried again, without being told, as soon as the helper is there.
        let again = library.run()
        #expect(again.status == 0)
        #expect(again.outputLines.first == "2 recordings: 1 done, 1 up to date")
    }

    @Test func helperThatCannotStartIsLikeMissing() throws {
        addM4A()
        let outcome = run(library.tool(helper: "exit 127"))
        #expect(outcome.status == 3)
        #expect(outcome.errors.hasSuffix("(apt install ffmpeg)\n"))
    }

    /// The first helper fails, and the ones after it are real.
    @Test(arguments: [
        "kill -9 $$",
        """
        exec python3 -c '
        import socket, os, struct
        s = socket.socket(fileno=3)
        s.send(struct.pack(os.environ["reply"], 1, *[0] * 16))
        while True:
            s.recv(99)
            s.send(os.urandom(136))
        '
        """,
        """
        exec python3 -c '
        import socket, os, struct
        s = socket.socket(fileno=3)
        s.send(struct.pack(os.environ["reply"], 1, *[0] * 16))
        s.recv(99)
        os._exit(3)
        '
        """,
    ])
    func failingHelperCostsOneRecording(fault: String) throws {
        addM4A(Self.count)
        let mark = library.folder.path("failed").text
        let helper = "if mkdir '\(mark)' 2> /dev/null; then\n\(fault)\nfi\nexec \"$real\""
        let outcome = run(library.tool(helper: helper))
        #expect(outcome.status == 3)
        #expect(outcome.outputLines.first == "60 recordings: 59 done, 1 failed")
        let again = library.run()
        #expect(again.outputLines.first == "60 recordings: 1 done, 59 up to date")
    }

    @Test func helperKilledDuringRunCostsAtMostWhatItDecodes() throws {
        addM4A(Self.count)
        let running = RunningTool(["run", library.root.text, "--jobs", "2", "--json"])
        var lines = 0
        while lines < 20, running.nextLine() != nil { lines += 1 }
        let killed = Tool.shell(
            """
            for file in /proc/[0-9]*/stat; do
                read -r process name state parent rest < $file || continue
                [ "$parent $name" = "\(running.processIdentifier) (tapedeck-decode)" ] || continue
                kill -9 $process && echo $process
            done
            """)
        #expect(killed.outputLines.count == 2)
        let outcome = running.wait()
        let failed = try library.manifest().recordings.filter { $0.status == .failed }
        #expect(failed.count <= 2)
        #expect(failed.allSatisfy { $0.failure?.reason == .decoderCrashed })
        #expect(outcome.status == (failed.isEmpty ? 0 : 3))
        #expect(library.run().status == 0)
    }
}
