import Foundation
import Recordings
import TestSupport
import Testing

/// What a run over a library does that an earlier run has been over.
@Suite struct UpToDateTests {
    private let library = Library()

    /// Two recordings that can be done, one of them with something to cut, and one that cannot.
    private func addRecordings() {
        library.addRecording("A/a.wav")
        library.add("A/b.wav", SmallWAV.bytes(SmallWAV.voice(after: 0, seconds: 1, before: 0)))
        library.add("letter.wav", Array("Dear all,\n".utf8))
    }

    /// What tells whether a file was written anew, though with the same bytes and time.
    private struct Identity: Equatable {
        var inode: UInt64
        var changed: [Int]
    }

    private func identity(_ name: Pathname) throws -> Identity {
        let status = try #require(Snapshot.status(library.output.appending(name)), "\(name)")
        return Identity(
            inode: UInt64(status.st_ino),
            changed: [
                status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec,
                status.st_ctim.tv_nsec,
            ])
    }

    @Test func secondRunRepeatsFailureAndChangesNothing() {
        addRecordings()
        #expect(library.run().status == 3)
        let before = library.snapshot()
        for options in [["--quiet"], ["--json"], []] {
            let outcome = Tool.run(["run", library.root.text] + options)
            #expect(outcome.status == 3)
            #expect(outcome.errorLines.count == 1)
            #expect(
                outcome.errorLines.first?.hasSuffix(
                    "letter.wav: still failed: not a sound file that Tapedeck can read (\"Format"
                        + " not recognised\")"
                ) == true)
            #expect(library.snapshot().differences(from: before) == [])
        }
        #expect(
            library.run().outputLines.first == "3 recordings: 2 up to date, 1 still failed")
    }

    /// Formats whose copies are in other containers than was asked for.
    @Test(arguments: ["ambisonic", "floating"])
    func copyThatCannotBeFLACIsMadeOnce(kind: String) {
        let name = Pathname("\(kind).wav")
        let path = library.root.appending(name).text
        let codec = kind == "floating" ? "pcm_f32le" : "pcm_s16le"
        let made = Tool.shell(
            """
            ffmpeg -v error -nostdin -f lavfi -i 'aevalsrc=0|0|0|0:s=8000:d=1' -f lavfi \
            -i 'aevalsrc=sin(999*t)|0|0|0:s=8000:d=1' -filter_complex '[0][1][0]concat=n=3:v=0:a=1' \
            -c:a \(codec) '\(path)'
            """)
        #expect(made.status == 0)
        if kind == "ambisonic" {
            // The end of the identifier of B-format, in place of that of loudspeakers.
            let ends = [
                "\\x00\\x00\\x10\\x00\\x80\\x00\\x00\\xaa\\x00\\x38\\x9b\\x71",
                "\\x21\\x07\\xd3\\x11\\x86\\x44\\xc8\\xc1\\xca\\x00\\x00\\x00",
            ]
            let edit =
                "p='\(path)';b=open(p,'rb').read();c=b.replace(b'\(ends[0])',b'\(ends[1])',1);"
                + "assert b!=c;open(p,'wb').write(c)"
            #expect(Tool.shell("python3 -c \"\(edit)\"").status == 0)
        }
        let options = ["run", library.root.text, "--trim-format", "flac", "--threshold", "-40dBFS"]
        #expect(Tool.run(options).status == 0)
        #expect((try? library.manifest()[name]?.trimmed?.path) == name)
        let again = Tool.run(options + ["--explain"])
        #expect(again.outputLines.first == "1 recording: 1 up to date", "\(again.output)")
    }

    @Test func onlyRecordAndLockStayBesideResults() {
        addRecordings()
        #expect(library.run().status == 3)
        let hidden = Snapshot(library.output).names.filter(\.lastComponent.isHidden)
        #expect(hidden == [".tapedeck", ".tapedeck.lock"])
    }

    @Test func explainPrintsReasonsForEachRecording() {
        addRecordings()
        let first = library.run("--explain")
        #expect(
            first.outputLines.prefix(4) == [
                "letter.wav: it is new", "A/a.wav: it is new", "A/b.wav: it is new",
                "3 recordings: 2 done, 1 failed",
            ])
        unlink(library.output.appending("A/a.wav").text)
        library.add("letter.wav", Array("Dear everybody,\n".utf8))
        let second = library.run("--explain", "--samples-per-pixel", "512")
        #expect(
            second.outputLines.dropFirst().prefix(4) == [
                "letter.wav: the recording changed: 10 → 16 bytes",
                "A/a.wav: waveform settings changed: 256 → 512 samples per pixel; a.wav is"
                    + " missing",
                "A/b.wav: waveform settings changed: 256 → 512 samples per pixel",
                "3 recordings: 2 done, 1 failed",
            ])
        let third = library.run("--explain", "--samples-per-pixel", "512")
        #expect(third.outputLines.first == "3 recordings: 2 up to date, 1 still failed")
    }

    @Test func explainInDryRunPrintsReasonsInsteadOfStages() {
        addRecordings()
        #expect(library.run().status == 3)
        let before = library.snapshot()
        let outcome = library.run("--explain", "--dry-run", "--trim", "off")
        #expect(
            outcome.outputLines == [
                "settings changed: --trim edges → off; 1 trimmed copy will be removed, 1 failure"
                    + " will be retried, waveforms of 2 recordings stay",
                "letter.wav: it failed before and is retried (not a sound file that Tapedeck can"
                    + " read (\"Format not recognised\")); trim settings changed: trim edges →"
                    + " off",
                "A/a.wav: trim settings changed: trim edges → off",
                "A/b.wav: trim settings changed: trim edges → off",
                "3 recordings: 3 to be done", "nothing was written",
            ])
        #expect(outcome.errors == "" && outcome.status == 0)
        #expect(library.snapshot().differences(from: before) == [])
    }

    @Test func dryRunReportsOtherSettingsOnce() {
        for name in ["A/a.wav", "A/b.wav", "c.wav"] as [Pathname] {
            library.addRecording(name, seconds: 0.5)
        }
        #expect(library.run().outputLines.first == "3 recordings: 3 done")
        let planned = library.run("--dry-run", "--trim", "off", "--samples-per-pixel", "64")
        #expect(
            planned.outputLines.filter { $0.contains("changed") } == [
                "settings changed: --trim edges → off, --samples-per-pixel 256 → 64; 3 trimmed"
                    + " copies will be removed, waveforms of 3 recordings will be made again"
            ])
        let quiet = library.run("--dry-run", "--quiet", "--trim", "off")
        #expect(quiet.output.isEmpty && quiet.errors.isEmpty)
    }

    /// As after an interrupted run.
    @Test func resultsThatAChangeDidNotReachAreReported() {
        for name in ["A/a.wav", "B/b.wav", "B/c.wav"] as [Pathname] {
            library.addRecording(name, seconds: 0.5)
        }
        #expect(library.run().status == 0)
        let some = ["A/a.wav", "B/b.wav"].map { library.root.appending(Pathname($0)).text }
        let finer = Tool.run(["run"] + some + ["--samples-per-pixel", "64"])
        #expect(
            finer.outputLines.first
                == "settings changed: --samples-per-pixel 256 → 64; waveforms of 2 recordings will"
                + " be made again, 2 trimmed copies stay")
        let lines = library.run().outputLines
        #expect(
            lines.prefix(2) == [
                "waveform settings changed: 256 → 64 samples per pixel; affected results are"
                    + " regenerated or deleted", "3 recordings: 1 done, 2 up to date",
            ])
    }

    @Test func settingsChangeIsNotReportedWithoutResults() {
        library.add("a.wav", Array("no sound".utf8))
        #expect(library.run("--trim", "off").status == 3)
        #expect(!library.run().output.contains("recipe"))
    }

    @Test func explainPrintsReasonsAsJSON() throws {
        library.addRecording("a.wav", seconds: 0.1)
        let lines = library.run("--explain", "--json").timeless.outputLines
        #expect(
            lines.first
                == #"{"event":"stale","folder":".","name":"a.wav","reasons":["it is new"]}"#)
        #expect(lines.count == 3)
    }

    @Test func retryFailedReprocessesFailedRecordings() throws {
        addRecordings()
        #expect(library.run().status == 3)
        let before = library.snapshot()
        let outcome = library.run("--retry-failed", "--explain")
        #expect(outcome.status == 3)
        #expect(outcome.outputLines.first?.contains("letter.wav: it failed before") == true)
        #expect(outcome.outputLines.dropFirst().first == "3 recordings: 2 up to date, 1 failed")
        #expect(outcome.errorLines.first?.contains("still failed") == false)
        // It fails as before, so that nothing is new but the times of the folder.
        let timeless: (Snapshot) -> Snapshot = {
            $0.ignoringTimes(of: ["tapedeck"]).without("library/tapedeck/.tapedeck")
        }
        #expect(timeless(library.snapshot()).differences(from: timeless(before)) == [])
    }

    /// In any order in which the folders are listed, and over another recording.
    @Test(arguments: [
        ("A/a.wav", "B/b.wav"), ("B/b.wav", "A/a.wav"), ("a.wav", "b.wav"), ("c.wav", "A/a.wav"),
    ])
    func renamedRecordingKeepsItsResults(old: String, new: String) throws {
        let voice = SmallWAV.bytes(SmallWAV.voice())
        for name in [old, "other.wav"] { library.add(Pathname(name), voice) }
        library.makeFolder(Pathname("library").appending(Pathname(new).parent))
        #expect(library.run().status == 0)
        let copies = library.output.appending(Pathname(old))
        let inode = try FileManager.default.attributesOfItem(atPath: copies.text)[.systemFileNumber]
        let moves: (String) -> Int32 = { [library] name in
            rename(
                library.root.appending(Pathname(old)).text,
                library.root.appending(Pathname(name)).text)
        }
        #expect(moves(new) == 0)
        let outcome = library.run("--json")
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("\"event\":\"moved\""))
        #expect(!outcome.output.contains("\"upToDate\":false"))
        let now = library.output.appending(Pathname(new))
        let moved = try FileManager.default.attributesOfItem(atPath: now.text)[.systemFileNumber]
        #expect(moved as? Int == inode as? Int, "the copy is the same file")
        let before = library.snapshot()
        #expect(!before.names.contains(Pathname("library/tapedeck").appending(Pathname(old))))
        #expect(library.run().output.contains("2 up to date"))
        #expect(library.snapshot().differences(from: before) == [])
    }

    @Test func checksumsAreAddedWithoutRegeneratingOutputs() throws {
        addRecordings()
        #expect(library.run().status == 3)
        #expect(try library.manifest("A")["a.wav"]?.sourceSHA256 == nil)
        let before = library.outputs()
        let outcome = library.run("--checksums")
        #expect(outcome.outputLines.contains("3 recordings: 2 done, 1 still failed"))
        for name in ["a.wav", "b.wav"] as [Pathname] {
            let sum = Tool.shell(
                "sha256sum < \"$PWD/\(name)\"", in: library.root.appending("A")
            ).output.prefix(64)
            #expect(sum.count == 64)
            #expect(try library.manifest("A")[name]?.sourceSHA256 == String(sum))
        }
        // Nothing had to be decoded, and nothing else was written.
        #expect(library.outputs().differences(from: before) == ["A/manifest.json"])
        #expect(SchemaCheck.run(library.output).status == 0)
        let after = library.snapshot()
        for options in [["--checksums"], []] {
            let again = Tool.run(["run", library.root.text] + options)
            #expect(again.outputLines.first == "3 recordings: 2 up to date, 1 still failed")
            #expect(library.snapshot().differences(from: after) == [])
        }
    }

    @Test func checksumsAreRecordedInFirstRun() throws {
        addRecordings()
        #expect(library.run("--checksums").status == 3)
        for name in ["a.wav", "b.wav"] as [Pathname] {
            #expect(try library.manifest("A")[name]?.sourceSHA256?.count == 64)
        }
    }

    @Test func changedZoomRegeneratesOnlyWaveforms() throws {
        addRecordings()
        #expect(library.run().status == 3)
        let copy = try identity("A/a.wav")
        let waveform = try identity("A/a.wav.dat")
        let outcome = library.run("--samples-per-pixel", "64")
        #expect(outcome.outputLines.dropFirst().first == "3 recordings: 2 done, 1 failed")
        #expect(try identity("A/a.wav") == copy)
        #expect(try identity("A/a.wav.dat") != waveform)
        #expect(
            try library.manifest("A")["a.wav"]?.waveforms?.map(\.samplesPerPixel) == [64])
    }

    @Test func changedFadeRegeneratesOnlyTrimmedCopies() throws {
        addRecordings()
        // Cut close, so that the longer fade reaches into the sound.
        #expect(library.run("--keep-silence", "0").status == 3)
        let copy = try identity("A/a.wav")
        let waveform = try identity("A/a.wav.dat")
        let bytes = TestFolder.bytes(of: library.output.appending("A/a.wav"))
        let outcome = library.run("--keep-silence", "0", "--fade-milliseconds", "200")
        #expect(outcome.outputLines.dropFirst().first == "3 recordings: 2 done, 1 failed")
        #expect(try identity("A/a.wav.dat") == waveform)
        #expect(try identity("A/a.wav") != copy)
        #expect(TestFolder.bytes(of: library.output.appending("A/a.wav")) != bytes)
    }
}
