import Recordings

/// Keeps exports and split files up to date with the record.
///
/// They list many recordings, so that they are written all at once: at the end of a run, and in a
/// watch now and then.
package struct ExportUpkeep: Hashable, Codable, Sendable {
    /// Whether results may have changed since exports were ordered last.
    package private(set) var isDue = true
    package private(set) var isInFlight = false
    /// Whether they were ordered for the last time.
    fileprivate var wasLast = false
    /// When they may be written again.
    fileprivate var earliestSeconds = 0.0
    /// What was already announced.
    fileprivate var told: Set<ExportTrouble> = []

    /// In a watch, exports take at most this share of the time.
    private static let shareOfTime = 0.05
    private static let leastPauseSeconds = 1.0
    /// The pause after something could not be written.
    private static let retrySeconds = 60.0

    mutating func resultsChanged() { isDue = true }

    fileprivate mutating func begin(isLast: Bool) {
        (isDue, isInFlight) = (false, true)
        wasLast = isLast
    }

    /// - Parameter retries: whether what could not be written is tried again later.
    fileprivate mutating func end(_ report: ExportReport, nowSeconds: Double, retries: Bool) {
        isInFlight = false
        let pause = max(ExportUpkeep.leastPauseSeconds, report.seconds / ExportUpkeep.shareOfTime)
        let isRetry = retries && report.troubles.contains(where: \.mayPass)
        if isRetry { isDue = true }
        earliestSeconds = nowSeconds + max(pause, isRetry ? ExportUpkeep.retrySeconds : 0)
    }
}

extension ExportTrouble {
    /// Whether it may be gone without a change of the recording.
    fileprivate var mayPass: Bool {
        switch obstacle {
        case .failed, .taken: true
        case .name, .tooManyStretches: false
        }
    }
}

extension JobStore.State {
    /// Whether exports are still to be written.
    var hasExportsToWrite: Bool { exports.map { $0.isDue || $0.isInFlight } ?? false }

    /// Whether the run waits for nothing but the time to write exports again.
    var awaitsExports: Bool { watch != nil && exports?.isDue == true }

    /// Orders exports if they are due: in a run when all else is done, in a watch when the pause is
    /// over, or nothing else keeps it from ending.
    mutating func writeExportsIfDue(_ order: Order) {
        guard let upkeep = exports, upkeep.isDue, !upkeep.isInFlight else { return }
        let isLast = isIdle && mayEnd
        guard isLast || (watch != nil && pace.nowSeconds >= upkeep.earliestSeconds) else { return }
        beginExports(isLast: false, order)
    }

    /// Orders exports once more before the run ends; `false` if there is nothing to wait for.
    mutating func writeLastExports(_ reason: StopReason?, _ order: Order) -> Bool {
        guard let upkeep = exports else { return false }
        if upkeep.isInFlight { return true }
        guard upkeep.isDue, reason?.isTrouble != true, !upkeep.wasLast else { return false }
        beginExports(isLast: true, order)
        return true
    }

    private mutating func beginExports(isLast: Bool, _ order: Order) {
        exports?.begin(isLast: isLast)
        order(.export(configuration.exports ?? ExportChoice()))
    }

    /// Takes what became of the exports.
    mutating func handle(_ report: ExportReport, _ order: Order) {
        let retries = watch != nil && watch?.policy.endsWhenIdle != true
        exports?.end(report, nowSeconds: pace.nowSeconds, retries: retries)
        summary.exportsWritten += report.written
        for trouble in report.troubles where exports?.told.insert(trouble).inserted == true {
            summary.exportTroubles += 1
            order(.announce(.exportTrouble(trouble)))
        }
    }
}
