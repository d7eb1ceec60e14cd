import Foundation
import Recordings
import TestSupport
import Testing

/// Pauses as editors want them, in the copies of the built binary.
@Suite struct GapTests {
    private let library = Library()
    private let samples: [Int16]

    init() {
        // Tones of a second, with digital silence of one, three, two and one seconds around them.
        samples =
            SmallWAV.voice(before: 3) + SmallWAV.voice(after: 0, before: 2, hertz: 165)
            + SmallWAV.voice(after: 0, before: 1)
        library.add("a.wav", SmallWAV.bytes(samples))
    }

    /// The copy that a run with these options makes, and its entry.
    private func trimmed(_ options: String...) throws -> (samples: [Int16], file: TrimmedFile) {
        let run = Tool.run(["run", library.root.text, "--defaults", "--trim", "gaps"] + options)
        #expect(run.status == 0)
        let file = try #require(try library.manifest()["a.wav"]?.trimmed)
        let bytes = TestFolder.bytes(of: library.output.appending("a.wav"))
        return (try #require(SmallWAV.samples(in: bytes)), file)
    }

    /// Lengths of the silences that are left between voices, in seconds.
    private func gaps(_ samples: [Int16]) -> [Double] {
        var runs: [Double] = []
        var length = 0
        for sample in samples {
            if sample == 0 {
                length += 1
            } else {
                // Tones pass through zero.
                if length > 80 { runs.append(Double(length) / 8_000) }
                length = 0
            }
        }
        return runs.dropFirst().map { ($0 * 100).rounded() / 100 }
    }

    @Test func shrinkGapsKeepsShareOfEachPause() throws {
        let silences = try #require(
            try {
                _ = try trimmed("--shrink-gaps", "1")
                return try library.manifest()["a.wav"]?.silence?.intervalsSeconds
            }())
        // What is detected is a little shorter than what is silent, by a margin beside each sound.
        let margins = zip([3.0, 2], silences[1...2]).map { $0 - ($1[1] - $1[0]) }
        let half = try trimmed("--shrink-gaps", "0.5")
        for (gap, (whole, margin)) in zip(gaps(half.samples), zip([3.0, 2], margins)) {
            #expect(abs(gap - (margin + (whole - margin) / 2)) < 0.011)
        }
        let capped = try trimmed("--shrink-gaps", "0.5", "--longest-gap", "1.2")
        for (gap, (whole, margin)) in zip(gaps(capped.samples), zip([3.0, 2], margins)) {
            #expect(abs(gap - (margin + min(1.2, (whole - margin) / 2))) < 0.011)
        }
        #expect(gaps(half.samples).count == 2 && gaps(capped.samples).count == 2)
    }

    @Test(arguments: [
        ["--shrink-gaps", "0", "--keep-silence", "0", "--fade-milliseconds", "200"],
        ["--longest-gap", "0", "--keep-silence", "0"],
        ["--shrink-gaps", "0.3", "--fade-milliseconds", "1000"],
    ])
    func fadesLeaveSoundSamplesUnchanged(options: [String]) throws {
        #expect(Tool.run(["run", library.root.text, "--trim", "gaps"] + options).status == 0)
        let file = try #require(try library.manifest()["a.wav"]?.trimmed)
        let bytes = TestFolder.bytes(of: library.output.appending("a.wav"))
        let kept = file.edits.flatMap {
            samples[Int($0.source.lowerBound)..<Int($0.source.upperBound)]
        }
        // Where silence is digital, a fade within it changes nothing at all.
        #expect(try #require(SmallWAV.samples(in: bytes)) == kept)
        #expect(file.edits.count > 1)
    }

    @Test func changedGapSettingsRegenerateOnlyTrimmedCopy() throws {
        _ = try trimmed("--longest-gap", "1")
        let settings = ["--defaults", "--trim", "gaps", "--shrink-gaps", "0.5"]
        let run = Tool.run(
            ["run", library.root.text, "--explain", "--dry-run"] + settings)
        #expect(
            run.outputLines[1].hasSuffix(
                "a.wav: trim settings changed: gaps of 1 s → any length, all → 0.5 of each gap"
                    + " kept"))
        let planned = Tool.run(
            ["run", library.root.text, "--dry-run", "--json"] + settings)
        #expect(planned.output.contains(#""stages":["trim"]"#))
        let half = try trimmed("--shrink-gaps", "0.5")
        #expect(SchemaCheck.run(library.output).status == 0)
        // Back to where it was: the same bytes again.
        let first = try trimmed("--longest-gap", "1").file.sha256
        #expect(first != half.file.sha256)
        #expect(try trimmed("--longest-gap", "1").file.sha256 == first)
    }
}
