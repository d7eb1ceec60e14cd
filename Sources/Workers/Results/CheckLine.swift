import Jobs
import Recordings

/// A file to check, or a read error.
enum VerificationStep {
    case check(FileCheck)
    case trouble(ResultTree.Trouble)
    case finding(Discrepancy)

    /// The event to report; `nil` if there is none.
    func carryOut() -> Verification.Event? {
        switch self {
        case .finding(let finding): .discrepancy(finding)
        case .check(let check): check.carryOut()
        case .trouble(let trouble): .trouble(trouble)
        }
    }
}

/// A queue of steps that reports their outcomes in order.
struct CheckLine {
    var folders: ArraySlice<Pathname>
    var waiting: ArraySlice<VerificationStep>
    /// The number of the next step.
    private var number = 0
    /// The first number that is not reported yet.
    private var told = 0
    /// Outcomes waiting to be reported; the inner `nil` means nothing to report.
    private var outcomes: [Int: Verification.Event?] = [:]
    private(set) var summary = VerificationSummary()
    private var troubles: Set<ResultTree.Trouble> = []

    init(folders: ArraySlice<Pathname>, waiting: ArraySlice<VerificationStep>) {
        self.folders = folders
        self.waiting = waiting
    }

    mutating func take() -> (Int, VerificationStep)? {
        guard let step = waiting.popFirst() else { return nil }
        defer { number += 1 }
        return (number, step)
    }

    /// Records an outcome, and reports all whose predecessors are done.
    mutating func settle(
        _ number: Int, _ step: VerificationStep, _ event: Verification.Event?,
        _ tell: (Verification.Event) -> Void
    ) {
        outcomes.updateValue(count(step, event) ? event : nil, forKey: number)
        while let outcome = outcomes.removeValue(forKey: told) {
            if let event = outcome { tell(event) }
            told += 1
        }
    }

    /// Counts an outcome; returns whether its event, if any, is reported.
    private mutating func count(_ step: VerificationStep, _ event: Verification.Event?) -> Bool {
        if case .trouble(let trouble) = step, !troubles.insert(trouble).inserted {
            // All folders share one journal: report its error once.
            return false
        }
        if case .trouble = event {
            summary.unreadable += 1
        } else if case .finding = step {
            summary.discrepancies += 1
        } else if case .check(let check) = step {
            switch check.subject {
            case .output: summary.outputs += 1
            case .recording: summary.recordings += 1
            }
            if event != nil { summary.discrepancies += 1 }
        }
        return true
    }
}
