import ArgumentParser
import Jobs

/// The exit codes of the process.
enum ExitStatus: Int32 {
    case allWell = 0
    /// The run could not start, or could not write its record or manifests.
    case couldNotRun = 1
    /// Some recordings failed and all others are done; or verification found a mismatch.
    case someFailed = 3
    /// The command line is invalid.
    case usage = 64
    /// The terminal was closed (SIGHUP).
    case hungUp = 129
    /// Control-C.
    case interrupted = 130
    case terminated = 143

    /// The exit status of what was stopped.
    init(_ signal: StopSignal) {
        switch signal {
        case .interrupt: self = .interrupted
        case .terminate: self = .terminated
        case .hangUp: self = .hungUp
        }
    }

    /// The exit status of a finished run.
    /// - Parameter isWatch: whether recordings may still come.
    init(phase: JobStore.Phase, summary: Summary, isWatch: Bool = false) {
        switch phase {
        case .finished(.interrupt?): self = .init(.interrupt)
        case .finished(.terminate?): self = .init(.terminate)
        case .finished(.hangUp?): self = .init(.hangUp)
        default:
            if summary.manifestsFailed > 0 || phase.isTrouble {
                self = .couldNotRun
            } else if summary.failed + summary.stillFailed + summary.exportTroubles > 0
                || summary.foldersFailed > 0
            {
                self = .someFailed
            } else if summary.hasNothingUsable, !isWatch {
                // Nothing at all was done, for want of an option or a format.
                self = .couldNotRun
            } else {
                self = .allWell
            }
        }
    }
}

extension ExitStatus {
    /// Runs `work` and exits with its status; if it is refused, prints why.
    /// - Parameter unlessWell: whether it returns if all is well.
    static func end<Refusal>(
        saying sentence: (Refusal) -> String, unlessWell: Bool = false,
        _ work: () throws(Refusal) -> ExitStatus
    ) throws {
        let status: ExitStatus
        do throws(Refusal) {
            status = try work()
        } catch {
            StandardStream.complain(sentence(error))
            status = .couldNotRun
        }
        if unlessWell, status == .allWell { return }
        throw status.exitCode
    }

    /// The exit code, which also reflects lost output.
    var exitCode: ExitCode {
        ExitCode(whereOutputIsLost(StandardStream.hasLostOutput).rawValue)
    }

    /// A success, or a partial one, becomes a failure if its output was lost.
    func whereOutputIsLost(_ isLost: Bool) -> ExitStatus {
        isLost && (self == .allWell || self == .someFailed) ? .couldNotRun : self
    }
}

extension JobStore.Phase {
    fileprivate var isTrouble: Bool {
        if case .finished(let reason?) = self { reason.isTrouble } else { false }
    }
}
