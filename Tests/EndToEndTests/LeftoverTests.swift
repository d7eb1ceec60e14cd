import Foundation
import Recordings
import TestSupport
import Testing

/// What a run makes of a manifest that was written in between, by a watch that was killed before
/// what is superfluous could go.
@Suite struct LeftoverTests {
    private let library = Library()
    private var copy: Pathname { library.output.appending("a.wav") }

    /// A recording that is drawn and no longer trimmed, of which a copy was to go.
    private func leaveACopy() throws {
        library.addRecording("a.wav", seconds: 0.5)
        #expect(library.run().status == 0)
        let before = try #require(library.manifest()["a.wav"])
        let bytes = TestFolder.bytes(of: copy)
        #expect(!bytes.isEmpty && before.trimmed != nil)
        #expect(library.run("--trim", "off").status == 0)
        #expect(TestFolder.bytes(of: copy).isEmpty)
        library.add("tapedeck/a.wav", bytes)
        try leaveBehindTheCopy(of: before)
    }

    /// Has the manifest name the copy that was made before.
    private func leaveBehindTheCopy(of before: ManifestEntry) throws {
        let told = try JSONEncoder().encode(before.generations.telling(of: ["a.wav"]))
        try library.rewriteEntry("a.wav") { line in
            #"{"leftBehind":["a.wav"],"earlier":\#(String(decoding: told, as: UTF8.self)),"#
                + line.dropFirst()
        }
    }

    @Test func leftoverCopyIsDeletedByNextRun() throws {
        try leaveACopy()
        #expect(SchemaCheck.run(library.output, filesToo: false).status == 0)
        let outcome = library.run("--trim", "off")
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        #expect(outcome.outputLines.first == "1 recording: 1 up to date")
        #expect(library.outputs().names == ["", "a.wav.dat", "manifest.json"])
        #expect(try library.manifest()["a.wav"]?.leftBehind == nil)
    }

    @Test func leftoverCopyIsRegeneratedWhenTrimmingIsOn() throws {
        try leaveACopy()
        let manifest = library.output.appending("manifest.json").text
        let unmapped = Tool.run(["map", manifest, "a.wav", "--to-source", "0.1"])
        #expect(unmapped.status == 1 && unmapped.output.isEmpty)
        #expect(library.run("--trim", "edges").status == 0)
        #expect(
            library.outputs().names == ["", "a.wav", "a.wav.dat", "manifest.json"])
        let entry = try #require(library.manifest()["a.wav"])
        #expect(entry.leftBehind == nil && entry.earlier == nil && entry.trimmed != nil)
        #expect(Tool.run(["verify", library.root.text]).status == 0)
    }

    /// Somebody has moved an original to where the copy was.
    @Test func modifiedLeftoverCopyIsKeptAndReported() throws {
        try leaveACopy()
        library.add("tapedeck/a.wav", Array("precious".utf8))
        let outcome = library.run("--trim", "off")
        #expect(outcome.status == 0)
        #expect(outcome.errors.hasPrefix("tapedeck: in the output, a.wav is kept although no "))
        #expect(TestFolder.bytes(of: copy) == Array("precious".utf8))
        #expect(try library.manifest()["a.wav"]?.leftBehind == nil)
        #expect(library.run("--trim", "off").errors.isEmpty)
    }

    /// The copy that was to go bears the recording's own name.
    @Test func mapUsesCurrentCopyInsteadOfLeftover() throws {
        library.addRecording("a.wav", seconds: 0.5)
        func seconds() -> String {
            let manifest = library.output.appending("manifest.json").text
            return Tool.run(["map", manifest, "a.wav", "--to-source", "0.1"]).output
        }
        #expect(library.run("--keep-silence", "0").status == 0)
        let before = try #require(library.manifest()["a.wav"])
        let former = seconds()
        #expect(library.run("--defaults", "--trim-format", "flac").status == 0)
        #expect(try library.manifest()["a.wav"]?.trimmed?.path == "a.wav.flac")
        let now = seconds()
        #expect(!former.isEmpty && !now.isEmpty && former != now)
        try leaveBehindTheCopy(of: before)
        #expect(seconds() == now)
    }
}
