import Jobs
import Recordings
import ReducerKit
import TestSupport
import Testing

/// Results that an earlier version decoded, after a scan has checked them against the files.
@Suite struct EarlierDecodingTests {
    private let decoding = Decoding(by: .libsndfile)

    private func work(
        _ check: DecodingCheck?, of name: Pathname = "a.wav",
        _ change: (inout ManifestEntry) -> Void = { _ in }
    ) -> PreviousWork {
        var entry = Example.doneEntry(name)
        change(&entry)
        var work = Example.previousWork(entry)
        work.check = check
        return work
    }

    private func staleness(_ work: PreviousWork, raw: RawFormat? = nil) -> Staleness {
        var policy = Staleness.RebuildPolicy(recipe: Boxed(Recipe()))
        policy.raw = raw
        return Staleness(
            stamp: Example.stamp, previous: work, names: OutputNames(), policy: policy)
    }

    @Test func onlyMisreadRecordingIsStale() {
        #expect(staleness(work(nil)) == .upToDate)
        #expect(staleness(work(.same(decoding))) == .upToDate)
        #expect(staleness(work(.misread)) == .stale(.all, [.misread]))
    }

    @Test func anotherRawFormatMakesHeaderlessRecordingStale() {
        let narrow = RawFormat(.pcm16, sampleRateHertz: 8000)
        let wide = RawFormat(.pcm16, sampleRateHertz: 16_000)
        let read = work(nil) {
            $0.decoding = Decoding(by: .libsndfile, because: .noHeader, raw: narrow.text)
        }
        #expect(staleness(read, raw: narrow) == .upToDate)
        // A rule that somebody forgot changes nothing.
        #expect(staleness(read, raw: nil) == .upToDate)
        #expect(
            staleness(read, raw: wide)
                == .stale(.all, [.rawFormat(before: narrow.text, now: wide.text)]))
        // It has a header, whatever the rule says.
        #expect(staleness(work(nil), raw: wide) == .upToDate)
    }

    @Test(arguments: [RecordingFailure.Reason.unrecognisedFormat, .unfinished])
    func unrecognisedRecordingIsRetriedWithRawFormat(reason: RecordingFailure.Reason) {
        let failure = Example.failure(reason)
        let failed = work(nil) {
            $0.status = .failed
            $0.failure = failure
        }
        #expect(staleness(failed) == .stillFailed)
        #expect(
            staleness(failed, raw: RawFormat(.pcm16, sampleRateHertz: 8000))
                == .stale(.all, [.failedBefore(failure)]))
    }

    @Test func confirmedResultIsMarkedInManifestAndNotRedone() {
        let run = ScriptedRun(JobStore.Configuration())
        run.listings[""] = FolderListing(
            recordings: ["a.wav", "b.wav", "c.wav"].map {
                Example.scanned($0, previous: Example.previousWork(Example.doneEntry($0)))
            })
        run.listings[""]?.recordings[0].previous?.check = .same(decoding)
        run.listings[""]?.recordings[1].previous = work(.same(decoding), of: "b.wav") {
            $0.decoderMessage = "error: dequantization failed!"
        }
        run.listings[""]?.recordings[2].previous?.check = .misread
        let summary = run.run()
        #expect(run.listened.map(\.source.name) == ["c.wav"])
        #expect(summary.upToDate == 2 && summary.done == 1)
        let entries = run.manifests.first?.entries ?? []
        #expect(entries.prefix(2).map(\.decoding) == [decoding, decoding])
        // Such a message is a warning by now.
        #expect(entries.map(\.warnings?.first?.kind) == [nil, .decoderMessage, nil])
    }
}
