import Jobs
import Recordings
import TestSupport
import Testing

@Suite struct ResultSummaryTests {
    private func done(
        _ name: Pathname, seconds: Double = 10, trimmed: Double? = nil, silent: Bool = false
    ) -> SettledEntry {
        var outcome = SettledEntry(name: name, status: .done)
        outcome.format = Example.format()
        outcome.format?.durationSeconds = seconds
        outcome.copySeconds = trimmed
        outcome.isSilent = silent
        return outcome
    }

    private func failed(
        _ name: Pathname, _ reason: RecordingFailure.Reason, detail: String? = nil,
        frame: Int64? = nil
    ) -> SettledEntry {
        var outcome = SettledEntry(name: name, status: .failed)
        outcome.format = Example.format(seconds: 99)
        outcome.failure = RecordingFailure(
            stage: .decode, reason: reason, detail: detail, frame: frame)
        return outcome
    }

    private func summary(
        _ outcomes: [SettledEntry], in folder: Pathname = "A", isStale: Bool = false
    ) -> ResultSummary {
        var summary = ResultSummary()
        summary.countFolder()
        for outcome in outcomes {
            summary.count(outcome, in: folder, isStale: isStale)
        }
        return summary
    }

    @Test func countsRecordingsByOutcome() {
        let summary = summary([
            done("a"), done("b", trimmed: 7.5), done("c", silent: true), failed("d", .corrupt),
        ])
        #expect(summary.recordings == 4 && summary.done == 3 && summary.failed == 1)
        #expect(summary.silent == 1 && summary.trimmed == 1 && summary.stale == 0)
        #expect(summary.audioSeconds == 30)
        #expect(summary.removedSeconds == 2.5)
        #expect(summary.keptSeconds == 27.5)
    }

    @Test func firstSilentRecordingIsTheExample() {
        var total = summary([done("a"), done("c", silent: true), done("b", silent: true)])
        #expect(total.silent == 2 && total.silentExample == "A/b")
        let other = summary([done("a", silent: true), done("z")])
        total.add(other)
        total.add(summary([done("0")]))
        #expect(total.silent == 3 && total.silentExample == "A/a")
    }

    @Test func missingRecordingsAreCountedSeparately() {
        var gone = done("a", trimmed: 7, silent: true)
        gone.status = .sourceMissing
        var goneAfterAFailure = failed("b", .corrupt)
        goneAfterAFailure.status = .sourceMissing
        var summary = summary([gone, goneAfterAFailure, done("c", seconds: 4)])
        #expect(summary.recordings == 3 && summary.done == 1 && summary.missing == 2)
        #expect(summary.failed == 0 && summary.failureGroups.isEmpty)
        #expect(summary.silent == 0 && summary.trimmed == 0 && summary.stale == 0)
        #expect(summary.audioSeconds == 4 && summary.keptSeconds == 4)
        summary.add(summary)
        #expect(summary.recordings == 6 && summary.missing == 4)
    }

    @Test func recordingsWithOutdatedSettingsAreStale() {
        #expect(summary([done("a"), failed("b", .corrupt)], isStale: true).stale == 1)
        #expect(summary([done("a")]).stale == 0)
    }

    @Test func failureGroupsAreSortedByFrequency() {
        let groups = summary([
            failed("z", .corrupt, detail: "lost sync", frame: 7), failed("e", .emptyFile),
            failed("c", .corrupt, detail: "bad header", frame: 9), failed("b", .permissionDenied),
        ]).failureGroups
        #expect(groups.map(\.count) == [2, 1, 1])
        #expect(groups.map(\.kind.reason) == [.corrupt, .permissionDenied, .emptyFile])
        #expect(groups.map(\.example) == ["A/c", "A/b", "A/e"])
    }

    @Test func failuresWithDifferentMessagesStaySeparate() {
        let outcomes = [
            failed("a", .other, detail: "x"), failed("b", .other, detail: "y"),
            failed("c.m4a", .needsLibav), failed("c.wav", .unrecognisedFormat),
        ]
        #expect(summary(outcomes).failureGroups.count == 4)
    }

    @Test func partialSummariesAddUpToTheWhole() {
        let outcomes = (0..<40).map { (number: Int) -> SettledEntry in
            let name = Pathname("\(number)")
            if number % 3 > 0 { return done(name, seconds: 0.1 * Double(number), trimmed: 0.1) }
            return failed(name, number % 2 == 0 ? .corrupt : .noAudio)
        }
        let whole = summary(outcomes)
        for place in [1, 13, 39] {
            var parts = ResultSummary()
            for part in [outcomes[place...], outcomes[..<place]] {
                for outcome in part {
                    parts.count(outcome, in: "A", isStale: false)
                }
            }
            parts.countFolder()
            #expect(parts == whole)
            var sum = summary(Array(outcomes[place...]))
            var rest = ResultSummary()
            for outcome in outcomes[..<place] {
                rest.count(outcome, in: "A", isStale: false)
            }
            sum.add(rest)
            #expect(sum == whole)
        }
    }

    @Test func invalidDurationsCountAsZero() {
        let summary = summary([
            done("a", seconds: .infinity), done("b", seconds: .nan), done("c", seconds: -1),
            done("d", seconds: 5, trimmed: 1e300),
        ])
        #expect(summary.audioSeconds == 5)
        #expect(summary.done == 4)
    }
}
