import Recordings
import TestSupport
import Testing

@testable import Jobs

@Suite struct SettledEntryTests {
    @Test(arguments: 0..<50 as Range<UInt64>)
    func settledEntryAgreesWithWholeEntry(seed: UInt64) {
        for entry in RandomManifest.manifest(seed: seed).recordings {
            let settled = SettledEntry(entry)
            #expect(settled.name == entry.name && settled.status == entry.status)
            #expect(settled.isMeasured == entry.hasAllMeasurements)
            #expect(Set(settled.made) == Set(entry.made))
            #expect(Set(settled.outputs) == Set(entry.outputs))
            #expect(settled.ownsItsOutputs || !entry.ownsItsOutputs)
        }
    }

    @Test func incompleteMeasurementsAreNotedByPart() {
        let lacking: [(inout ManifestEntry) -> Void] = [
            { $0.format = nil }, { $0.levels = nil }, { $0.silence = nil }, { $0.waveforms = nil },
        ]
        #expect(SettledEntry(Example.doneEntry("a.wav")).isMeasured)
        for change in lacking {
            var entry = Example.doneEntry("a.wav")
            change(&entry)
            #expect(!SettledEntry(entry).isMeasured)
        }
    }

    @Test func confirmedMessageBecomesWarning() {
        var entry = Example.doneEntry("a.wav")
        entry.decoderMessage = "Error A : 00"
        var settled = SettledEntry(entry)
        settled.confirm(Decoding(by: .libsndfile))
        #expect(settled.warnings?.map(\.kind) == [.decoderMessage])
        let change = RecordChange.updated(.done, Decoding(by: .libsndfile))
        let changed = change.applied(to: entry, named: "a.wav")
        #expect(changed.map { SettledEntry($0) } == settled)
    }
}
