import Foundation
import Recordings
import TestSupport
import Testing

/// Waveforms of trimmed copies, other zooms, and numbers for pages, by the built binary.
@Suite struct WaveformOptionTests {
    private let library = Library()

    private func bytes(_ name: Pathname, of other: Library? = nil) -> [UInt8] {
        TestFolder.bytes(of: (other ?? library).output.appending(name))
    }

    /// Two recordings with silence around and within, and one without.
    private func addRecordings() {
        library.addRecording("A/a.wav")
        library.addRecording("A/b.wav", seconds: 1.7, hertz: 200)
        library.add("A/whole.wav", SmallWAV.bytes(SmallWAV.voice(after: 0, before: 0)))
    }

    /// The files of recordings made from the copies as sources, with the same options.
    private func drawnOfCopies(_ names: [Pathname], _ options: [String]) -> Library {
        let other = Library()
        for name in names { other.add(name, bytes(name)) }
        let outcome = Tool.run(["run", other.root.text, "--trim", "off"] + options)
        #expect(outcome.status == 0)
        return other
    }

    @Test(arguments: [
        (["--samples-per-pixel", "64,512", "--waveform-bits", "16"], ["dat", "512.dat"]),
        (["--waveform-format", "float-json", "--points", "100"], ["json"]),
        (["--pixels-per-second", "50", "--waveform-format", "json"], ["json"]),
    ]) func waveformsOfCopiesAreThoseOfTheCopiesThemselves(
        options: [String], endings: [String]
    ) throws {
        addRecordings()
        let arguments = ["run", library.root.text, "--waveform-of", "source,trimmed"] + options
        let outcome = Tool.run(arguments)
        #expect(outcome.status == 0 && outcome.errors == "")
        let copies: [Pathname] = ["A/a.wav", "A/b.wav"]
        let other = drawnOfCopies(copies, options)
        for copy in copies {
            for ending in endings {
                let drawn = bytes(copy.adding(suffix: ".trimmed.\(ending)"))
                #expect(!drawn.isEmpty)
                #expect(drawn == bytes(copy.adding(suffix: ".\(ending)"), of: other))
                #expect(drawn != bytes(copy.adding(suffix: ".\(ending)")))
            }
        }
        let manifest = try library.manifest("A")
        #expect(manifest["whole.wav"]?.trimmed == nil)
        #expect(manifest["whole.wav"]?.waveforms?.count == endings.count)
        #expect(manifest["a.wav"]?.trimmed?.waveforms?.count == endings.count)
        let check = SchemaCheck.run(library.output)
        #expect(check.status == 0, "\(check.errors)")
        #expect(Tool.run(["verify", library.root.text]).status == 0)
        let after = library.snapshot()
        #expect(library.run().outputLines.first == "3 recordings: 3 up to date")
        #expect(library.snapshot().differences(from: after) == [])
    }

    @Test func damagedWaveformOfACopyIsMadeAgain() throws {
        addRecordings()
        #expect(library.run("--waveform-of", "both").status == 0)
        let before = library.outputs()
        // What begins like no waveform would be taken for somebody else's.
        library.add("tapedeck/A/a.wav.trimmed.dat", bytes("A/a.wav.trimmed.dat") + [1, 2, 3])
        #expect(
            Tool.run(["verify", library.root.text]).outputLines.first
                == "A/a.wav.trimmed.dat: altered (it was modified since it was written)")
        let outcome = library.run("--explain")
        #expect(outcome.output.contains("A/a.wav: a.wav.trimmed.dat was modified"))
        #expect(outcome.output.contains("3 recordings: 1 done, 2 up to date"))
        #expect(library.outputs().differences(from: before) == [])
    }

    @Test func waveformsComeAndGoWithTheSetting() throws {
        addRecordings()
        #expect(library.run().status == 0)
        let usual = library.outputs()
        let copies = library.run("--waveform-of", "trimmed")
        #expect(copies.status == 0)
        #expect(
            copies.output.contains(
                "settings changed: --waveform-of source → trimmed; 2 trimmed copies will be made"
                    + " again, waveforms of 3 recordings will be removed"))
        #expect(
            library.outputs().files == [
                "A/a.wav", "A/a.wav.trimmed.dat", "A/b.wav", "A/b.wav.trimmed.dat",
                "A/manifest.json",
            ])
        #expect(try library.manifest("A")["a.wav"]?.waveforms == [])
        #expect(SchemaCheck.run(library.output).status == 0)
        // Cut short, without a waveform of the source.
        let labels = Tool.run([
            "export", library.root.text, "--to", "csv", "--max-segment", "1", "--into",
            library.folder.path("labels").text,
        ])
        #expect(labels.status == 0 && labels.errors == "")
        #expect(library.run("--trim", "off").status == 0)
        #expect(
            library.outputs().files
                == ["A/a.wav.dat", "A/b.wav.dat", "A/manifest.json", "A/whole.wav.dat"])
        #expect(library.run("--trim", "edges").status == 0)
        let manifest: [Pathname] = ["manifest.json"]
        let again = library.outputs().ignoringTimes(of: manifest)
        #expect(again.differences(from: usual.ignoringTimes(of: manifest)) == [])
    }

    @Test func kindsOfOutputsAreRecorded() throws {
        library.addRecording("a.wav")
        #expect(library.run("--waveform-of", "both").status == 0)
        let outcome = Tool.run([
            "query", "SELECT name, kind FROM outputs ORDER BY name", library.root.text, "--json",
        ])
        #expect(
            outcome.outputLines == [
                #"{"kind":"copy","name":"a.wav"}"#, #"{"kind":"waveform","name":"a.wav.dat"}"#,
                #"{"kind":"copyWaveform","name":"a.wav.trimmed.dat"}"#,
            ])
    }

    @Test func renamedRecordingTakesTheWaveformsOfItsCopyAlong() throws {
        library.addRecording("a.wav")
        #expect(library.run("--waveform-of", "both").status == 0)
        let drawn = bytes("a.wav.trimmed.dat")
        #expect(
            rename(
                library.root.appending("a.wav").text, library.root.appending("z.wav").text) == 0)
        #expect(library.run().outputLines.first?.hasPrefix("1 recording: 1 ") == true)
        #expect(
            library.outputs().files
                == ["manifest.json", "z.wav", "z.wav.dat", "z.wav.trimmed.dat"])
        #expect(bytes("z.wav.trimmed.dat") == drawn)
        #expect(try library.manifest()["z.wav"]?.trimmed?.waveforms?[0].path == "z.wav.trimmed.dat")
    }

    @Test func manifestSaysTheZoomThatWasUsed() throws {
        library.add("a.wav", SmallWAV.bytes(SmallWAV.voice()))
        #expect(library.run("--pixels-per-second", "50").status == 0)
        #expect(try library.manifest()["a.wav"]?.waveforms?.map(\.samplesPerPixel) == [160])
        let outcome = library.run("--points", "100")
        #expect(
            outcome.output.contains(
                "settings changed: --pixels-per-second 50 → none, --points none → 100; waveforms"))
        let drawn = try #require(try library.manifest()["a.wav"]?.waveforms?.first)
        #expect(drawn.length <= 100 && drawn.length > 90)
        #expect(drawn.length == (SmallWAV.voice().count - 1) / drawn.samplesPerPixel + 1)
        let refused = library.run("--points", "100", "--samples-per-pixel", "64")
        #expect(refused.status == 64)
        #expect(refused.errors.contains("both set the zoom; give one of them"))
    }

    @Test func floatJSONHasDurationAndPeaksByChannel() throws {
        library.add("a.wav", SmallWAV.bytes(SmallWAV.voice()))
        #expect(library.run("--waveform-format", "float-json", "--trim", "off").status == 0)
        struct Page: Decodable {
            var duration: Double
            var sample_rate: Int
            var samples_per_pixel: Int
            var length: Int
            var channels: Int
            var peaks: [[Double]]
        }
        let page = try JSONDecoder().decode(Page.self, from: Data(bytes("a.wav.json")))
        let frames = SmallWAV.voice().count
        #expect(page.duration == Double(frames) / 8000 && page.sample_rate == 8000)
        #expect(page.length == (frames + 255) / 256 && page.samples_per_pixel == 256)
        #expect(page.peaks.map(\.count) == [2 * page.length] && page.channels == 1)
        let first = SmallWAV.voice().prefix(256)
        #expect(
            page.peaks[0][0] == rounded(first.min()) && page.peaks[0][1] == rounded(first.max()))
        // Another program's file of that name is nobody's to overwrite.
        library.add("tapedeck/b.wav.json", Array("{}".utf8))
        library.addRecording("b.wav", seconds: 0.3)
        #expect(library.run().errors.contains("b.wav.json"))
        #expect(bytes("b.wav.json") == Array("{}".utf8))
    }

    private func rounded(_ sample: Int16?) -> Double {
        (Double(sample ?? 0) / 32_768 * 100_000).rounded() / 100_000
    }
}
