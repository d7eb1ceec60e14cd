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
    /// Control-C.
    case interrupted = 130
    case terminated = 143

    /// The status of a run that has ended.
    init(phase: JobStore.Phase, summary: Summary) {
        switch phase {
        case .finished(.interrupt?): self = .interrupted
        case .finished(.terminate?): self = .terminated
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
    /// What the process ends with: not well where what it had to say went nowhere.
    var exitCode: ExitCode {
        let isUnheard = self == .allWell && StandardStream.hasLostOutput
        return ExitCode((isUnheard ? ExitStatus.couldNotRun : self).rawValue)
    }
}

extension JobStore.Phase {
    fileprivate var isTrouble: Bool {
        if case .finished(let reason?) = self { reason.isTrouble } else { false }
    }
}
