import Jobs
import Recordings
import Reports
import Testing

@Suite struct SummaryViewTests {
    private func lines(
        _ phase: JobStore.Phase = .finished(nil), output: String? = "/a/tapedeck",
        _ change: (inout Summary) -> Void
    ) -> [String] {
        var summary = Summary()
        change(&summary)
        return SummaryView.lines(summary, phase: phase, output: output)
    }

    @Test func summaryShowsCountsAndAudio() {
        let lines = lines {
            $0.recordings = 47
            $0.done = 30
            $0.upToDate = 9
            $0.failed = 8
            $0.audioSeconds = 8040
            $0.trimmed = 20
            $0.removedSeconds = 185
            $0.silent = 2
        }
        #expect(
            lines == [
                "47 recordings: 30 done, 9 up to date, 8 failed",
                "2 h 14 min of audio, 3 min 05 s of silence cut from 20 recordings,"
                    + " 2 silent",
                "results are in /a/tapedeck",
                "what failed, and why: tapedeck status /a/tapedeck",
            ])
    }

    @Test(arguments: [StopReason.interrupt, .terminate, .hangUp])
    func runThatWasCutShortSaysHowToContinue(reason: StopReason) {
        let hint = "finished work is kept; to continue, run the same command again"
        func last(_ done: Int, output: String? = "/a/tapedeck") -> String? {
            lines(.finished(reason), output: output) { ($0.recordings, $0.done) = (3, done) }.last
        }
        #expect(last(1) == hint)
        #expect(last(3) == "results are in /a/tapedeck")
        #expect(last(1, output: nil) == "nothing was written")
        let whole = lines { ($0.recordings, $0.done) = (3, 1) }
        #expect(!whole.contains(hint))
    }

    @Test func runWithPagesSaysWhereTheyBegin() {
        var summary = Summary()
        (summary.recordings, summary.done) = (1, 1)
        let lines = SummaryView.lines(
            summary, phase: .finished(nil), output: "out", page: "out/index.html")
        summary.exportsWritten = 7
        let written = SummaryView.lines(
            summary, phase: .finished(nil), output: "out", page: "out/index.html")
        #expect(written.contains("7 files written for pages and other programs"))
        #expect(lines.suffix(2) == ["results are in out", "look and listen: out/index.html"])
    }

    @Test func upToDateRunOmitsOtherCounts() {
        let lines = lines {
            $0.recordings = 3
            $0.upToDate = 3
            $0.audioSeconds = 12
        }
        #expect(
            lines == [
                "3 recordings: 3 up to date", "12 s of audio", "results are in /a/tapedeck",
            ])
    }

    @Test func countsOfOneUseSingular() {
        let lines = lines {
            $0.recordings = 1
            $0.done = 1
            $0.audioSeconds = 3
            $0.trimmed = 1
            $0.removedSeconds = 0.5
            $0.foldersFailed = 1
            $0.manifestsFailed = 1
        }
        #expect(
            lines == [
                "1 recording: 1 done", "3.0 s of audio, 0.5 s of silence cut from 1 recording",
                "1 manifest could not be written", "1 folder could not be read",
                "results are in /a/tapedeck",
            ])
    }

    @Test func missingRecordingsAreReportedWithKeptOutputs() {
        let several = lines {
            $0.recordings = 2
            $0.done = 2
            $0.audioSeconds = 12
            $0.missing = 3
        }
        #expect(
            several == [
                "2 recordings: 2 done", "12 s of audio",
                "3 recordings are gone; what was made of them is still there",
                "results are in /a/tapedeck",
            ])
        let alone = lines { $0.missing = 1 }
        #expect(
            alone == [
                "0 recordings", "1 recording is gone; what was made of it is still there",
                "results are in /a/tapedeck",
            ])
    }

    @Test func prunedRecordingsAreReported() {
        let fill: (inout Summary) -> Void = {
            $0.missing = 1
            $0.pruned = 2
        }
        #expect(
            lines(.finished(nil), fill) == [
                "0 recordings", "1 recording is gone; what was made of it is still there",
                "2 recordings are gone; what was made of them is removed",
                "results are in /a/tapedeck",
            ])
        #expect(lines { $0.pruned = 1 }.last == "results are in /a/tapedeck")
        let dry = lines(output: nil) { $0.pruned = 1 }
        #expect(
            dry == [
                "0 recordings", "1 recording is gone; what was made of it would be removed",
                "nothing was written",
            ])
        #expect(
            SummaryView.pruning("A", "b\n.wav")
                == "A/b\\n.wav: gone; what was made of it would be removed")
    }

    @Test func missingRecordingsAreNotCountedAsLeft() {
        let lines = lines(.finished(.interrupt)) {
            $0.recordings = 3
            $0.done = 1
            $0.missing = 4
        }
        #expect(lines.first == "3 recordings: 1 done, 2 left (interrupted)")
    }

    @Test func leftOutRecordingsAreReported() {
        #expect(lines { $0.leftOut = 1 }.contains("1 recording left out by filters"))
        #expect(lines { $0.leftOut = 1200 }.contains("1,200 recordings left out by filters"))
    }

    @Test func emptyRunShowsZeroRecordings() {
        #expect(lines { _ in } == ["0 recordings"])
    }

    @Test func interruptedRunShowsRecordingsLeft() {
        let fill: (inout Summary) -> Void = {
            $0.recordings = 5
            $0.done = 2
        }
        #expect(
            lines(.finished(.interrupt), fill).first
                == "5 recordings: 2 done, 3 left (interrupted)")
        #expect(
            lines(.finished(.terminate), fill).first == "5 recordings: 2 done, 3 left (terminated)")
        #expect(lines(.finished(.hangUp), fill).first == "5 recordings: 2 done, 3 left (hung up)")
        #expect(
            lines(.finished(.interrupt)) {
                $0.recordings = 2
                $0.done = 2
            }.first == "2 recordings: 2 done (interrupted)")
    }

    @Test func newAndOldFailuresAreCountedSeparately() {
        #expect(
            lines {
                $0.recordings = 10
                $0.done = 1
                $0.upToDate = 2
                $0.failed = 3
                $0.stillFailed = 4
            }.first == "10 recordings: 1 done, 2 up to date, 3 failed, 4 still failed")
    }

    @Test func stoppedRunShowsRecordingsLeft() {
        let full = RecordingFailure(stage: .waveform, reason: .noSpace)
        let stopped = lines(.finished(.trouble(full))) {
            $0.recordings = 5
            $0.done = 1
            $0.stillFailed = 1
            $0.manifestsFailed = 1
        }
        #expect(
            stopped == [
                "5 recordings: 1 done, 1 still failed, 3 left (stopped)",
                "1 manifest could not be written", "results are in /a/tapedeck",
                "what failed, and why: tapedeck status /a/tapedeck",
            ])
    }

    @Test func dryRunReportsNothingWritten() {
        let lines = lines(output: nil) {
            $0.recordings = 3
            $0.planned = 2
            $0.upToDate = 1
        }
        #expect(lines == ["3 recordings: 1 up to date, 2 to be done", "nothing was written"])
    }

    @Test func planListsStages() {
        #expect(
            SummaryView.plan("A", "b\n.wav", .all)
                == "A/b\\n.wav: waveform, levels, silence, trim")
        #expect(SummaryView.plan(.empty, "b.wav", [.waveform]) == "b.wav: waveform")
    }
}
