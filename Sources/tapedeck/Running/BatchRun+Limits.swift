import Jobs
import Recordings
import Reports
import Workers

extension BatchRun {
    /// The number of recordings to process at once, limited by open files and available threads.
    func possibleJobs(_ signals: StopSignals?) throws(RunRefusal) -> Int {
        let wanted = options.jobs ?? BatchRun.cores
        var free = OpenFileLimit.raise()
        if server != nil {
            free -= OpenFileLimit.connections(free: free) * OpenFileLimit.filesOfConnection
        }
        let possible = OpenFileLimit.jobs(wanted: wanted, free: free)
        guard possible > 0 else {
            throw .tooFewOpenFiles(
                free: free, needed: OpenFileLimit.filesOfRun + OpenFileLimit.filesOfJob)
        }
        let threads =
            signals == nil ? 0 : SystemThread.available(upTo: BatchRun.threadsOfRun + possible)
        guard threads > BatchRun.threadsOfRun else {
            throw .tooFewThreads(free: threads, needed: BatchRun.threadsOfRun + 1)
        }
        return min(possible, threads - BatchRun.threadsOfRun)
    }

    /// The maximum number of busy queues of a run besides those for recordings.
    private static let threadsOfRun = 9

    /// The streams of a watch that are logs for people, so that their lines need times; the system
    /// journal has times of its own.
    func logStreams(_ configuration: JobStore.Configuration) -> Set<StandardStream> {
        guard configuration.watch != nil else { return [] }
        let texts: [StandardStream] = options.json ? [.error] : [.error, .output]
        return Set(texts.filter { !$0.isTerminal && !$0.isJournal })
    }
}
