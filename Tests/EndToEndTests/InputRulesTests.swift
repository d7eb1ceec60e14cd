import Foundation
import Recordings
import TestSupport
import Testing

/// Videos, and files without a header.
@Suite struct InputRulesTests {
    private let library = Library()

    @Test func videosAreSkippedUnlessAskedFor() throws {
        library.addVideo("clip.mp4", "-c:a aac")
        library.addVideo("clip.mkv", "-c:a flac")
        library.addVideo("clip.avi", "-c:a pcm_s16le")
        library.addVideo("mute.mkv", "-map 0:v")
        let skipped = library.run()
        #expect(skipped.status == 1)
        #expect(
            skipped.outputLines
                == ["0 recordings; 4 videos skipped (--video processes the sound)"])
        let run = library.run("--video")
        #expect(run.status == 3)
        #expect(run.outputLines.first == "4 recordings: 3 done, 1 failed")
        #expect(run.errors.hasSuffix("mute.mkv: the file contains no audio\n"))
        let entries = try library.manifest()
        #expect(entries["clip.mp4"]?.decoding?.library == .libav)
        #expect(entries["clip.mp4"]?.decoding?.because == .notOpened)
        #expect(entries["clip.avi"]?.warnings == nil)
        // The output remembers the option.
        let again = library.run()
        #expect(again.outputLines.first == "4 recordings: 3 up to date, 1 still failed")
    }

    @Test func videosBesideRecordingsAreOnlyCounted() {
        library.addVideo("clip.mp4", "-c:a aac")
        library.addRecording("b.wav")
        let run = library.run()
        #expect(run.status == 0)
        #expect(run.outputLines.contains("1 video skipped; --video processes the sound"))
    }

    @Test func headerlessFilesAreReadAsOptionSays() throws {
        let sound = SmallWAV.bytes(SmallWAV.voice(before: 2))
        library.add("a.pcm", Array(sound.dropFirst(44)))
        library.add("call-1.bin", Array(sound.dropFirst(44)))
        library.add("b.pcm", sound)
        let without = library.run()
        #expect(without.status == 3)
        #expect(without.outputLines.first == "2 recordings: 1 done, 1 failed")
        let run = library.run("--raw", "*.pcm=s16le,8000,1", "--raw", "call-*=s16le,8000")
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.outputLines.contains("3 recordings: 2 done, 1 up to date"))
        let entries = try library.manifest()
        let whole = try #require(entries["b.pcm"])
        #expect(whole.decoding?.raw == nil && whole.format?.container == .wav)
        for name in ["a.pcm", "call-1.bin"] as [Pathname] {
            let raw = try #require(entries[name])
            #expect(raw.decoding?.raw == "s16le,8000,1")
            #expect(raw.format?.frames == whole.format?.frames)
            #expect(raw.silence == whole.silence && raw.trimmed?.edits == whole.trimmed?.edits)
        }
        #expect(library.run().outputLines.first == "3 recordings: 3 up to date")
        let other = library.run("--raw", "a.pcm=s16le,16000", "--explain")
        #expect(
            other.outputLines.contains(
                "a.pcm: read as s16le,16000,1 instead of s16le,8000,1"))
        let inspection = Tool.run([
            "inspect", library.root.appending("call-1.bin").text, "--raw", "*.bin=s16le,8000",
        ])
        #expect(
            inspection.outputLines.contains(
                "decoded by libsndfile: no header, read as s16le,8000,1"))
    }

    @Test(arguments: [
        "*.pcm", "*.pcm=", "*.pcm=s16le", "=s16le,8000", "*.pcm=mp4,8000", "a/b=u8,1",
    ])
    func wrongRuleIsRefused(rule: String) {
        library.addRecording("b.wav")
        let run = library.run("--raw", rule)
        #expect(run.status == 64)
        #expect(run.errors.contains("--raw"))
    }
}
