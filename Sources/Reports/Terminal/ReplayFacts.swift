import Jobs

/// A replayed run in numbers, at the action it has come to.
package struct ReplayFacts: Hashable, Codable, Sendable {
    package var recordings: Int
    package var waiting: Int
    package var running: Int
    package var done: Int
    package var failed: Int
    package var upToDate: Int
    package var planned: Int
    /// Discovered so far.
    package var folders: Int
    package var foldersFailed: Int
    package var manifestsInFlight: Int
    package var ignoredAnswers: Int

    /// - Complexity: O(jobs).
    package init(_ state: JobStore.State) {
        let jobs = state.jobs
        recordings = state.summary.recordings
        waiting = jobs.ids.count { if case .waiting = jobs[$0].phase { true } else { false } }
        running = state.scheduler.running
        done = state.summary.done
        failed = state.summary.failed
        upToDate = state.summary.upToDate
        planned = state.summary.planned
        folders = state.scan.folders.count
        foldersFailed = state.summary.foldersFailed
        manifestsInFlight = state.manifestsInFlight.count
        ignoredAnswers = state.ignoredAnswers
    }
}
