import Jobs
import Recordings
import TestSupport
import Testing

@Suite struct RetryPolicyTests {
    private static let passing: Set<RecordingFailure.Reason> = [
        .tooManyOpenFiles, .inputOutput, .unavailable,
    ]
    private static let blocking: Set<RecordingFailure.Reason> = [
        .noSpace, .readOnly, .outputGone, .takenOver, .damagedRecord,
    ]

    @Test(arguments: RecordingFailure.Reason.allCases)
    func failureReasonDecidesRetryOrStop(_ reason: RecordingFailure.Reason) {
        let failure = Example.failure(reason)
        let first: RetryPolicy.Verdict =
            if Self.passing.contains(reason) {
                .tryAgain(afterSeconds: 0.5)
            } else if Self.blocking.contains(reason) {
                .stopRun
            } else {
                .settle
            }
        #expect(RetryPolicy.verdict(on: failure, attempts: 0) == first)
        let last: RetryPolicy.Verdict = Self.blocking.contains(reason) ? .stopRun : .settle
        for attempts in [3, 4, .max] {
            #expect(RetryPolicy.verdict(on: failure, attempts: attempts) == last)
        }
    }

    @Test func retryDelayGrowsWithEachAttempt() {
        let pauses = (0...2).map {
            RetryPolicy.verdict(on: Example.failure(.inputOutput), attempts: $0)
        }
        #expect(
            pauses == [
                .tryAgain(afterSeconds: 0.5), .tryAgain(afterSeconds: 2),
                .tryAgain(afterSeconds: 8),
            ])
    }
}

/// The rests of a scheduler, by itself.
@Suite struct RestTests {
    private func scheduler(_ rests: [(index: Int, seconds: Double)]) -> Scheduler {
        var scheduler = Scheduler(limit: 1)
        for rest in rests { scheduler.rest(RecordingID(rest.index), seconds: rest.seconds) }
        return scheduler
    }

    @Test func restBeginsWithTheNextTick() {
        var scheduler = scheduler([(0, 1)])
        scheduler.tick(10)
        #expect(scheduler.rested.isEmpty)
        #expect(scheduler.resting.map(\.untilSeconds) == [11])
        scheduler.rest(RecordingID(1), seconds: 1)
        scheduler.tick(10.5)
        #expect(scheduler.resting.map(\.untilSeconds) == [11, 11.5])
        scheduler.tick(11)
        #expect(scheduler.rested == [RecordingID(0)])
        scheduler.tick(11.5)
        #expect(scheduler.rested == [RecordingID(0), RecordingID(1)])
        #expect(scheduler.resting.isEmpty)
    }

    @Test func expiredRestsKeepTheirOrder() {
        var scheduler = scheduler([(2, 1), (0, 1), (1, 5)])
        scheduler.tick(0)
        scheduler.tick(4)
        #expect(scheduler.rested == [RecordingID(2), RecordingID(0)])
        #expect(scheduler.resting.map(\.id) == [RecordingID(1)])
    }

    @Test func restedJobIsClaimedBeforeNewJobs() {
        var scheduler = scheduler([(0, 0)])
        var jobs = JobTable()
        for _ in 0..<2 {
            _ = jobs.append(
                Job.State(
                    folder: FolderID(0), name: "a.wav", stamp: Example.stamp,
                    phase: .waiting(.all)))
        }
        scheduler.cursor = 1
        scheduler.tick(0)
        #expect(scheduler.claim(from: jobs) == RecordingID(0))
        #expect(scheduler.claim(from: jobs) == nil)
        scheduler.running -= 1
        #expect(scheduler.claim(from: jobs) == RecordingID(1))
    }

    @Test func restingJobCountsAsWaiting() {
        let jobs = JobTable()
        var scheduler = scheduler([(0, 1)])
        #expect(scheduler.hasWaiting(in: jobs))
        scheduler.tick(0)
        scheduler.tick(1)
        #expect(scheduler.hasWaiting(in: jobs))
        _ = scheduler.claim(from: jobs)
        #expect(!scheduler.hasWaiting(in: jobs))
    }
}
