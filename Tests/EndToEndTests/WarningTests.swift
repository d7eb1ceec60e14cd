import Foundation
import Recordings
import TestSupport
import Testing

/// Recordings that are cut off, unfinished or damaged, and used all the same.
@Suite struct WarningTests {
    private let library = Library()
    private let cut = SmallWAV.bytes(SmallWAV.voice(before: 2)).dropLast(4000)

    @Test func truncatedRecordingIsDoneWithWarning() throws {
        library.add("a.wav", Array(cut))
        let first = library.run()
        #expect(first.status == 0)
        #expect(
            first.errors.hasPrefix("tapedeck: a.wav: warning: the file is cut off after frame"))
        #expect(first.outputLines.contains("1 recording has a warning"))
        let entry = try #require(try library.manifest()["a.wav"])
        #expect(entry.warnings?.map(\.kind) == [.truncated])
        #expect(entry.warnings?.first?.lostSeconds == 0.25)
        #expect(entry.trimmed != nil)
        #expect(SchemaCheck.run(library.output).status == 0)
        // It is counted again, and not told again.
        let second = library.run()
        #expect(second.status == 0 && second.errors == "")
        #expect(second.outputLines.first == "1 recording: 1 up to date")
        #expect(second.outputLines.contains("1 recording has a warning"))
    }

    @Test func strictRunFailsWhatHasWarnings() throws {
        library.add("a.wav", Array(cut))
        library.addRecording("b.wav")
        #expect(library.run().status == 0)
        let strict = library.run("--strict", "--explain")
        #expect(strict.status == 3)
        #expect(strict.outputLines[1].contains("which are failures with --strict"))
        #expect(strict.outputLines.contains("2 recordings: 1 up to date, 1 failed"))
        #expect(try library.manifest()["a.wav"]?.failure?.reason == .truncated)
        #expect(
            library.run("--strict").outputLines.first
                == "2 recordings: 1 up to date, 1 still failed")
        // Without it, the failure is none.
        let again = library.run("--explain", "--no-strict")
        #expect(again.status == 0)
        #expect(again.outputLines[1].contains("it failed before and is retried"))
        #expect(try library.manifest()["a.wav"]?.warnings?.count == 1)
    }

    @Test func recordingWithoutAnySoundStillFails() throws {
        let whole = SmallWAV.bytes(SmallWAV.voice())
        library.add("a.wav", Array(whole.prefix(44)))
        #expect(library.run().status == 3)
        // It is not tried again each time.
        #expect(library.run().outputLines.first == "1 recording: 1 still failed")
    }

    @Test func equalFailuresAreOneLineAndACount() throws {
        for number in 0..<40 { library.add(Pathname("\(number).wav"), []) }
        library.addRecording("good.wav", seconds: 0.1)
        let outcome = library.run("--jobs", "1")
        #expect(outcome.status == 3)
        #expect(outcome.errorLines.count == 2)
        #expect(outcome.errorLines.first?.hasSuffix(".wav: the file is empty") == true)
        #expect(
            outcome.errorLines.last
                == "tapedeck: 39 more recordings (named in the manifests): the file is empty")
        #expect(try library.manifest().recordings.count { $0.status == .failed } == 40)
    }
}
