import Foundation
import Recordings
import TestSupport
import Testing

/// Recordings and outputs that were moved or copied, together or apart.
@Suite struct CopiedTests {
    private let library = Library()
    private var old: Pathname { library.folder.path("library") }
    private var new: Pathname { library.folder.path("copy") }
    private var results: Pathname { library.folder.path("results") }

    init() {
        library.addRecording("a.wav")
        library.addRecording("A/b.wav", hertz: 211)
    }

    private func run(_ root: Pathname, _ options: String...) -> Tool.Outcome {
        Tool.run(["run", root.text] + options, in: library.folder.path)
    }

    private func shell(_ command: String) {
        #expect(Tool.shell("cd '\(library.folder.path.text)' && \(command)").status == 0)
    }

    private func expectUpToDate(_ outcome: Tool.Outcome) {
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("2 up to date"), "\(outcome.output)")
    }

    @Test func bothMovedTogetherAreUpToDate() {
        #expect(run(old).status == 0)
        shell("mv library copy")
        expectUpToDate(run(new))
    }

    /// Copied without their times, which `cp -r` sets to now.
    @Test func bothCopiedTogetherAreUpToDateByDigest() {
        #expect(run(old, "--checksums").status == 0)
        let before = Snapshot.ofResults(in: old.appending("tapedeck")).wherever
        shell("cp -r library copy")
        expectUpToDate(run(new, "--checksums"))
        expectUpToDate(run(new, "--checksums"))
        let after = Snapshot.ofResults(in: new.appending("tapedeck"))
        #expect(after.names == before.names)
        for name in after.files where name.lastComponent != "manifest.json" {
            #expect(
                TestFolder.bytes(of: new.appending("tapedeck").appending(name))
                    == TestFolder.bytes(of: old.appending("tapedeck").appending(name)))
        }
    }

    @Test func outputCopiedAloneIsUpToDateByDigest() {
        #expect(run(old, "--output", results.text).status == 0)
        shell("cp -r results other && rm -r results && mv other results")
        expectUpToDate(run(old, "--output", results.text))
    }

    @Test func copiedOutputThatWasChangedIsMadeAgain() {
        #expect(run(old, "--output", results.text).status == 0)
        let name: Pathname = "a.wav.dat"
        let bytes = TestFolder.bytes(of: results.appending(name))
        var changed = bytes
        changed[changed.count - 1] ^= 1
        library.folder.write(changed, to: "results/a.wav.dat")
        let outcome = run(old, "--output", results.text)
        #expect(outcome.status == 0 && outcome.output.contains("1 up to date"))
        #expect(TestFolder.bytes(of: results.appending(name)) == bytes)
    }

    @Test func recordingsMovedAloneAreUpToDate() {
        #expect(run(old, "--output", results.text).status == 0)
        shell("mv library copy")
        expectUpToDate(run(new, "--output", results.text))
    }

    /// The old ones are still there, so that only the user knows which are meant.
    @Test func recordingsCopiedAloneNeedMoved() {
        #expect(run(old, "--output", results.text).status == 0)
        shell("cp -a library copy")
        let refused = run(new, "--output", results.text)
        #expect(refused.status == 1 && refused.errors.contains("--moved"), "\(refused.errors)")
        expectUpToDate(run(new, "--output", results.text, "--moved"))
        expectUpToDate(run(new, "--output", results.text))
    }
}
