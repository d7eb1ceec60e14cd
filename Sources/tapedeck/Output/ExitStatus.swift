import ArgumentParser
import Jobs

/// What the process tells its caller.
enum ExitStatus: Int32 {
    case allWell = 0
    /// The run could not begin, or not keep its books.
    case couldNotRun = 1
    /// Some recordings failed, and all others are done; or something is not as it was.
    case someFailed = 3
    /// The command line makes no sense.
    case usage = 64
    /// The terminal is gone.
    case hungUp = 129
    /// Control-C.
    case interrupted = 130
    case terminated = 143

    /// The status of a run that has ended.
    init(phase: JobStore.Phase, summary: Summary) {
        switch phase {
        case .finished(.interrupt?): self = .interrupted
        case .finished(.terminate?): self = .terminated
        case .finished(.hangUp?): self = .hungUp
        default:
            if summary.manifestsFailed > 0 || summary.journalFailed || phase.isTrouble {
                self = .couldNotRun
            } else if summary.failed + summary.stillFailed > 0 || summary.foldersFailed > 0 {
                self = .someFailed
            } else {
                self = .allWell
            }
        }
    }
}

extension ExitStatus {
    /// Does some work and ends with the status it comes to; where it is refused, says why.
    static func end<Refusal>(
        saying sentence: (Refusal) -> String, _ work: () throws(Refusal) -> ExitStatus
    ) throws {
        let status: ExitStatus
        do throws(Refusal) {
            status = try work()
        } catch {
            StandardStream.complain(sentence(error))
            status = .couldNotRun
        }
        throw status.exitCode
    }

    /// What the process ends with.
    var exitCode: ExitCode {
        ExitCode(whereOutputIsLost(StandardStream.hasLostOutput).rawValue)
    }

    /// Nothing ends well, or well but for some recordings, that went unheard.
    func whereOutputIsLost(_ isLost: Bool) -> ExitStatus {
        isLost && (self == .allWell || self == .someFailed) ? .couldNotRun : self
    }
}

extension JobStore.Phase {
    fileprivate var isTrouble: Bool {
        if case .finished(let reason?) = self { reason.isTrouble } else { false }
    }
}
