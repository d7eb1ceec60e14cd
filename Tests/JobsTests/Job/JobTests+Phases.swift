import Jobs
import Recordings
import ReducerKit
import TestSupport
import Testing

/// Every phase, every action.
extension JobTests {
    enum PhaseKind: CaseIterable {
        case waiting, recalling, finding, listening, trimming, identifying, adopting, ended
        case committing, settled
    }

    enum ActionKind: CaseIterable {
        case recalled, found, listened, trimmed, identified, adopted
        case sourceChanged, failed, cancelled
    }

    /// What means something to whom; all else is late, doubled or lost.
    static let expected: [PhaseKind: Set<ActionKind>] = [
        .recalling: [.recalled, .sourceChanged, .failed, .cancelled],
        .finding: [.found, .sourceChanged, .failed, .cancelled],
        .listening: [.listened, .sourceChanged, .failed, .cancelled],
        .trimming: [.trimmed, .sourceChanged, .failed, .cancelled],
        .identifying: [.identified, .sourceChanged, .failed, .cancelled],
        .adopting: [.adopted, .sourceChanged, .failed, .cancelled],
    ]

    private var staged: [StagedFile] { Example.staged(for: listening(order())) }

    private func phase(_ kind: PhaseKind) -> Job.Phase {
        let entry = measuredEntry(Example.measurements(for: listening(order())))
        return switch kind {
        case .waiting: .waiting(.all)
        case .recalling: .recalling(.all)
        case .finding: .finding(.all)
        case .listening: .listening(.all, previous: nil)
        case .trimming: .trimming(.all, Boxed(entry), staged: staged)
        case .identifying: .identifying(.all)
        case .adopting: .adopting(Boxed(entry))
        case .ended: .ended
        case .committing: .committing
        case .settled: .settled
        }
    }

    private func action(_ kind: ActionKind) -> Job.Action {
        switch kind {
        case .recalled: .recalled(nil)
        case .found: .found(nil)
        case .identified: .identified("d")
        case .adopted: .adopted(staged)
        case .sourceChanged: .sourceChanged(nil)
        case .listened:
            .listened(Example.measurements(for: listening(order())), staged: staged)
        case .trimmed:
            .trimmed(Example.trimmedFile(for: trimming), staged: Example.staged(for: trimming))
        case .failed: .failed(Example.failure(), measured: nil)
        case .cancelled: .cancelled
        }
    }

    @Test(arguments: PhaseKind.allCases, ActionKind.allCases)
    func lateAndDuplicateAnswersAreIgnored(_ phaseKind: PhaseKind, _ actionKind: ActionKind) {
        let before = state(phase(phaseKind), order())
        let isExpected = Self.expected[phaseKind, default: []].contains(actionKind)
        #expect(before.expects(action(actionKind)) == isExpected)
        let active: Set<PhaseKind> = [
            .recalling, .finding, .listening, .trimming, .identifying, .adopting,
        ]
        #expect(before.isActive == active.contains(phaseKind))
        var after = before
        let next = after.handle(action(actionKind))
        #expect((after != before) == isExpected)
        #expect((next != nil) == isExpected)
        if actionKind == .cancelled, isExpected {
            let left = phaseKind == .trimming ? staged : []
            #expect(after.phase == .ended)
            #expect(next == .ended(Job.Ending(.cancelled, staged: left)))
        }
    }
}
