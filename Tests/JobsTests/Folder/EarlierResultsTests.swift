import Jobs
import Recordings
import TestSupport
import Testing

@Suite struct EarlierResultsTests {
    private var doneEntry: ManifestEntry {
        var entry = Example.doneEntry("a.wav")
        entry.waveforms?[0].sha256 = "d1"
        entry.trimmed = TrimmedFile(
            path: "a.wav", durationSeconds: 1, bytes: 2_000, sha256: "d2", edits: [])
        return entry
    }

    private static let second: Int64 = 1_000_000_000

    /// Damage to an entry whose waveform of 100 bytes and copy of 2000 are as said.
    private func damage(
        source: Int64 = 4 * second, waveform: FileStamp?, copy: FileStamp?
    ) -> [OutputDamage] {
        var entry = doneEntry
        entry.source?.modifiedNanoseconds = source
        return EarlierResults.damage(to: SettledEntry(entry)) {
            ["a.wav.dat": waveform, "a.wav": copy][$0] ?? nil
        }
    }

    private func stamp(_ bytes: Int64, _ time: Int64 = 4 * second) -> FileStamp {
        FileStamp(bytes: bytes, modifiedNanoseconds: time)
    }

    private func missing(_ name: Pathname, _ stage: Stages) -> OutputDamage {
        OutputDamage(name: name, kind: .missing, stage: stage)
    }

    private func altered(_ name: Pathname, _ stage: Stages) -> OutputDamage {
        OutputDamage(name: name, kind: .altered, stage: stage)
    }

    @Test func missingAndAlteredOutputsAreReported() {
        let waveform = stamp(100)
        let copy = stamp(2_000)
        #expect(damage(waveform: waveform, copy: copy) == [])
        #expect(damage(waveform: nil, copy: copy) == [missing("a.wav.dat", .waveform)])
        #expect(damage(waveform: waveform, copy: nil) == [missing("a.wav", .trim)])
        #expect(damage(waveform: stamp(99), copy: copy) == [altered("a.wav.dat", .waveform)])
        #expect(
            damage(waveform: waveform, copy: stamp(2_000, 4 * Self.second + 1))
                == [OutputDamage(name: "a.wav", kind: .retimed, stage: .trim)])
        #expect(
            damage(waveform: nil, copy: stamp(1))
                == [missing("a.wav.dat", .waveform), altered("a.wav", .trim)])
    }

    @Test func damagedWaveformOfTheCopyIsForTrimming() {
        var entry = doneEntry
        let drawn = Example.waveform("a.wav.trimmed.dat")
        entry.trimmed?.waveforms = [drawn]
        let whole: [Pathname: FileStamp] = [
            "a.wav.dat": stamp(100), "a.wav": stamp(2_000), "a.wav.trimmed.dat": stamp(100),
        ]
        entry.source?.modifiedNanoseconds = 4 * Self.second
        #expect(EarlierResults.damage(to: SettledEntry(entry)) { whole[$0] } == [])
        let found = EarlierResults.damage(to: SettledEntry(entry)) {
            $0 == drawn.path ? nil : whole[$0]
        }
        #expect(found == [missing("a.wav.trimmed.dat", .trim)])
    }

    @Test func timestampsRoundedToTwoSecondsAreAccepted() {
        let table: [(source: Int64, output: Int64, isWhole: Bool)] = [
            (5 * Self.second, 4 * Self.second, true), (5 * Self.second, 6 * Self.second, true),
            (5 * Self.second, 5 * Self.second + 1, false),
            (7 * Self.second, 4 * Self.second, false), (6 * Self.second, 4 * Self.second, false),
            (-Self.second, 0, true), (-Self.second, -2 * Self.second, true),
            (.max, .max, true), (.max, 0, false), (.min, .max, false), (.min, 0, false),
        ]
        for (source, output, isWhole) in table {
            let found = damage(
                source: source, waveform: stamp(100, output), copy: stamp(2_000, source))
            #expect(found.isEmpty == isWhole, "\(source) \(output)")
        }
    }

    @Test func recordingWithoutOutputsHasNoDamage() {
        var failed = ManifestEntry(name: "a.wav", status: .failed, source: Example.stamp)
        #expect(EarlierResults.damage(to: SettledEntry(failed)) { _ in nil } == [])
        failed.source = nil
        #expect(EarlierResults.damage(to: SettledEntry(failed)) { _ in nil } == [])
    }

    @Test func entryOwnsOnlyOutputsNamedAfterIt() {
        for path in ["a.wav", "a.wav.2.flac", "a.wav.dat"] as [Pathname] {
            var entry = doneEntry
            entry.trimmed?.path = path
            #expect(entry.ownsItsOutputs, "\(path)")
        }
        for path in ["b.wav", "../a.wav", "a.wav/x", "", "/a.wav", ".."] as [Pathname] {
            var entry = doneEntry
            entry.trimmed?.path = path
            #expect(!entry.ownsItsOutputs, "\(path)")
            var left = ManifestEntry(name: "a.wav", status: .failed, source: nil)
            left.leftBehind = [path]
            #expect(!left.ownsItsOutputs, "\(path)")
            left.leftBehind = ["a.wav"]
            left.earlier = entry.generations
            #expect(!left.ownsItsOutputs, "\(path)")
        }
    }
}
