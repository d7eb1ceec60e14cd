import Foundation
import Recordings
import TestSupport
import Testing

/// What libraries print while they decode, which is nobody's output.
@Suite struct LibraryNoiseTests {
    private let library = Library()

    init() {
        library.add("A/cut.sds", NoisySound.sampleDump(packets: 2))
        library.add("A/noisy.sds", NoisySound.sampleDump(packets: 300, counted: 300))
        library.add("A/quiet.wav", SmallWAV.bytes(SmallWAV.voice()))
    }

    private func expectQuiet(_ outcome: Tool.Outcome) {
        let lines = outcome.outputLines + outcome.errorLines
        #expect(!lines.contains { $0.hasPrefix("Error") })
    }

    @Test(arguments: ["1", "3"]) func runRecordsDecoderMessageInManifest(jobs: String) throws {
        let outcome = library.run("--json", "--jobs", jobs, "--strict")
        #expect(outcome.status == 3)
        expectQuiet(outcome)
        for line in outcome.outputLines {
            #expect((try? JSONSerialization.jsonObject(with: Data(line.utf8))) != nil, "\(line)")
        }
        let manifest = try library.manifest("A")
        #expect(manifest["noisy.sds"]?.status == .done)
        #expect(manifest["noisy.sds"]?.decoderMessage?.hasPrefix("Error A : AA") == true)
        #expect(manifest["quiet.wav"]?.decoderMessage == nil)
        let cut = try #require(manifest["cut.sds"])
        #expect(cut.failure?.reason == .truncated)
        #expect(cut.decoderMessage != nil && cut.failure?.detail == cut.decoderMessage)
        #expect(SchemaCheck.run(library.output).status == 0)
        // It goes by no other name once it is read again.
        let again = library.run("--json", "--strict")
        expectQuiet(again)
        #expect(try library.manifest("A")["noisy.sds"] == manifest["noisy.sds"])
    }

    @Test func inspectShowsDecoderMessage() {
        let path = library.root.appending("A/noisy.sds").text
        let shown = Tool.run(["inspect", path])
        #expect(shown.status == 0)
        #expect(shown.outputLines.contains { $0.hasPrefix("decoder message: Error A : AA") })
        expectQuiet(shown)
        let told = Tool.run(["inspect", path, "--json"])
        #expect(told.outputLines.count == 1)
        #expect(SchemaCheck.run(part: "inspection", told.output).status == 0)
    }

    @Test func benchPrintsNoDecoderMessages() {
        let path = library.root.appending("A/noisy.sds").text
        let outcome = Tool.run(["bench", path, "--repeat", "1"], in: library.folder.path)
        #expect(outcome.status == 0)
        expectQuiet(outcome)
    }
}
