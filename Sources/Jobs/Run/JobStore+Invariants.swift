extension JobStore.State {
    /// The first violated invariant, as a sentence; `nil` if all hold.
    ///
    /// - Complexity: O(1), so that it can run after each action. `deepViolation` looks at all jobs.
    package var violation: String? {
        if scheduler.running > scheduler.limit { return "more jobs run than the limit allows" }
        if scheduler.running < 0 { return "a job has ended more often than it has begun" }
        if summary.settled > summary.recordings { return "more was settled than was found" }
        if summary.missing < 0 { return "more recordings are back than were gone" }
        if summary.failed < 0 { return "more failures were taken back than there were" }
        guard isFinished else { return nil }
        if scheduler.running > 0 { return "the run is over and a job still runs" }
        if commit.count > 0 { return "the run is over and an outcome is not safe" }
        return nil
    }

    /// Like `violation`, with every count recomputed.
    /// - Complexity: O(jobs + folders).
    package var deepViolation: String? {
        if let violation { return violation }
        let active = jobs.ids.count { jobs[$0].isActive }
        if active != scheduler.running {
            return "\(active) jobs are active and \(scheduler.running) are said to run"
        }
        let untaken = jobs.ids.count { jobs[$0].phase == .ended }
        if untaken > 0 { return "\(untaken) endings were not taken" }
        let committing = jobs.ids.count { jobs[$0].phase == .committing }
        if committing != commit.count {
            return "\(committing) jobs are committing, \(commit.count) outcomes are"
        }
        for id in scan.folders.ids where scan.folders[id].isKnown != folders.contains(id) {
            return "\(scan.folders[id].path) is said to be in mind, or not, and it is otherwise"
        }
        guard case .running = phase else { return nil }
        var open: [FolderID: Int] = [:]
        for id in jobs.ids where jobs[id].phase != .settled {
            open[jobs[id].folder, default: 0] += 1
        }
        for id in folders.ids {
            let expected = open[id, default: 0]
            guard folders[id].unsettled != expected else { continue }
            return "\(folders[id].path) waits for \(folders[id].unsettled) recordings,"
                + " \(expected) are open"
        }
        return nil
    }
}
