import Recordings
import ReducerKit
import TestSupport
import Testing

@testable import Jobs

@Suite struct SettledEntryTests {
    @Test(arguments: 0..<200 as Range<UInt64>)
    func packedEntryRoundTrips(seed: UInt64) {
        for entry in RandomManifest.manifest(seed: seed).recordings {
            var plain = entry
            plain.failure = nil
            plain.leaveBehind(only: [])
            plain.recipe = nil
            plain.decoderMessage = nil
            plain.levels?.nonFiniteSamples = nil
            #expect(SettledEntry(plain).packedBytes != nil)
            for entry in [entry, plain] {
                let settled = SettledEntry(entry)
                #expect(settled.value == entry)
                #expect(settled.name == entry.name)
                #expect(settled.decoding == entry.decoding)
                #expect(settled.leavesBehind == (entry.leftBehind != nil))
                #expect(SettledEntry(Boxed(entry)) == settled)
            }
        }
    }

    @Test func packedEntryTakesUnder250Bytes() {
        let settled = SettledEntry(Example.doneEntry("a.wav"))
        #expect(settled.packedBytes.map { $0 < 250 } == true)
    }

    @Test func entriesDifferWhenAnyFieldDiffers() {
        let entry = Example.doneEntry("a.wav")
        let changes: [(inout ManifestEntry) -> Void] = [
            { $0.name = "b.wav" }, { $0.status = .sourceMissing }, { $0.source = nil },
            { $0.source?.bytes += 1 }, { $0.source?.modifiedNanoseconds *= -1 },
            { $0.sourceSHA256 = String(repeating: "e", count: 64) },
            { $0.sourceSHA256 = "no digest" }, { $0.format = nil }, { $0.format?.frames += 1 },
            { $0.format?.durationSeconds += 1e-6 }, { $0.format?.encoding = .opus },
            { $0.levels = nil }, { $0.levels?.peakDBFS[0] = nil },
            { $0.levels?.clippedSamples[0] = .max }, { $0.silence = nil },
            { $0.silence?.thresholdDecibels = 1.5 }, { $0.silence?.silent.toggle() },
            { $0.silence?.intervalsSeconds.append([1e9, 2e9]) }, { $0.waveforms = nil },
            { $0.waveforms = [] }, { $0.waveforms?[0].sha256 = "" },
            { $0.waveforms?[0].path = Pathname(bytes: [0xFF, 0x80]) },
            { $0.trimmed = nil }, { $0.trimmed?.edits = [] }, { $0.notTrimmed = .silent },
            { $0.trimmed?.edits = [Edit(sourceFrames: .min..<(.max), trimmedFrame: .min)] },
            { $0.levels?.nonFiniteSamples = [3] }, { $0.decoderMessage = "Error A : 00" },
            { $0.failure = RecordingFailure(stage: .trim, reason: .noSpace) },
            { $0.leftBehind = ["a.wav.json"] }, { $0.recipe = Recipe() },
            { $0.earlier = entry.generations },
        ]
        var seen: Set<SettledEntry> = [SettledEntry(entry)]
        for (number, change) in changes.enumerated() {
            var other = entry
            change(&other)
            #expect(SettledEntry(other).value == other, "change \(number)")
            // Those that change nothing of the example.
            let isNew = other != entry
            #expect(seen.insert(SettledEntry(other)).inserted == isNew, "change \(number)")
        }
        #expect(seen.count > changes.count - 5)
    }

    @Test func entryCanBeModifiedInPlace() {
        var settled = SettledEntry(Example.doneEntry("a.wav"))
        settled.value.leftBehind = ["a.wav.json"]
        #expect(settled.value.leftBehind == ["a.wav.json"] && settled.leavesBehind)
        settled.value.leftBehind = nil
        #expect(settled == SettledEntry(Example.doneEntry("a.wav")))
    }
}
