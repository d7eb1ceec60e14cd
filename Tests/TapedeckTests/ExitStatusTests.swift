import Jobs
import Recordings
import Testing

@testable import tapedeck

/// The testing library has a type of the same name.
typealias Status = tapedeck.ExitStatus

@Suite struct ExitStatusTests {
    struct Ending: Sendable {
        var phase = JobStore.Phase.finished(nil)
        var failed = 0
        var stillFailed = 0
        var foldersFailed = 0
        var manifestsFailed = 0
        var status: Status
    }

    private static let full = RecordingFailure(stage: .waveform, reason: .noSpace)

    private static let endings = [
        Ending(status: .allWell),
        Ending(failed: 1, status: .someFailed),
        Ending(stillFailed: 1, status: .someFailed),
        Ending(phase: .finished(.trouble(full)), status: .couldNotRun),
        Ending(phase: .finished(.trouble(full)), failed: 1, status: .couldNotRun),
        Ending(foldersFailed: 1, status: .someFailed),
        Ending(manifestsFailed: 1, status: .couldNotRun),
        Ending(failed: 1, foldersFailed: 1, manifestsFailed: 1, status: .couldNotRun),
        Ending(phase: .finished(.interrupt), status: .interrupted),
        Ending(phase: .finished(.terminate), status: .terminated),
        Ending(phase: .finished(.hangUp), status: .hungUp),
        Ending(
            phase: .finished(.interrupt), failed: 1, foldersFailed: 1, manifestsFailed: 1,
            status: .interrupted),
    ]

    @Test(arguments: endings.indices)
    func exitStatusReflectsRunOutcome(index: Int) {
        let ending = Self.endings[index]
        var summary = Summary()
        summary.failed = ending.failed
        summary.stillFailed = ending.stillFailed
        summary.foldersFailed = ending.foldersFailed
        summary.manifestsFailed = ending.manifestsFailed
        #expect(Status(phase: ending.phase, summary: summary) == ending.status)
    }

    @Test(arguments: [(0, 0, 0), (1, 0, 3), (0, 1, 1), (5, 1, 1)] as [(Int, Int, Int32)])
    func exitStatusReflectsVerification(discrepancies: Int, unreadable: Int, status: Int32) {
        var summary = VerificationSummary()
        summary.discrepancies = discrepancies
        summary.unreadable = unreadable
        summary.outputs = 3
        #expect(Status(summary).rawValue == status)
        #expect(Status(VerificationSummary()) == .couldNotRun)
    }

    @Test func lostOutputTurnsSuccessIntoFailure() {
        for status: Status in [.allWell, .someFailed] {
            #expect(status.whereOutputIsLost(true) == .couldNotRun)
            #expect(status.whereOutputIsLost(false) == status)
        }
        for status: Status in [.couldNotRun, .usage, .hungUp, .interrupted, .terminated] {
            #expect(status.whereOutputIsLost(true) == status)
        }
    }

    @Test func exitCodesKeepTheirNumbers() {
        let statuses: [Status] = [
            .allWell, .couldNotRun, .someFailed, .usage, .hungUp, .interrupted, .terminated,
        ]
        #expect(statuses.map(\.rawValue) == [0, 1, 3, 64, 129, 130, 143])
    }
}
