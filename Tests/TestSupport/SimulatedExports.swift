import Jobs
import Recordings

extension SimulatedWorld {
    mutating func export() -> JobStore.Action {
        var report = ExportReport()
        report.seconds = random.pick([0, 0.01, 1])
        exported = record
        if goesWrong() {
            happened(.exportFailed)
            exported = nil
            let failure = Example.failure(.other, in: .manifest)
            report.troubles = [
                ExportTrouble(format: "csv", path: "segments.csv", obstacle: .failed(failure))
            ]
        }
        return .exported(report)
    }

    /// Whether exports lack what the record has at the end of a run.
    func violationOfExports() -> String? {
        guard state.exports != nil, case .finished(let reason) = state.phase,
            reason?.isTrouble != true, state.summary.exportTroubles == 0
        else { return nil }
        return exported?.listed == record.listed ? nil : "exports lack what is recorded"
    }
}

extension SimulatedRecord {
    /// What an export lists.
    fileprivate var listed: [Pathname: [Pathname: Entry]] {
        folders.mapValues(\.entries).filter { !$0.value.isEmpty }
    }
}
