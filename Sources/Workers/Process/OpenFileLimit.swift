import Glibc

/// How many files this process may have open at once, and how many jobs that is enough for.
///
/// A run stays below the limit rather than meet it: what waits for time and signals needs files of
/// its own, and ends the process, or waits for ever, where it gets none.
package enum OpenFileLimit {
    /// Files that a run opens besides those of its jobs, with some to spare.
    package static let filesOfRun = 22
    /// A recording, two folders of the output, one more on the way there, and an output.
    package static let filesOfJob = 5
    /// More than any run needs.
    private static let plenty = 4096

    /// Raises the limit as far as a run can use and the system lets us.
    /// - Returns: how many more files can be opened.
    package static func raise() -> Int {
        var limit = rlimit()
        guard getrlimit(openFiles, &limit) == 0 else { return plenty }
        if limit.rlim_cur < plenty {
            var raised = limit
            raised.rlim_cur = min(rlim_t(plenty), limit.rlim_max)
            if setrlimit(openFiles, &raised) == 0 { limit = raised }
        }
        guard limit.rlim_cur < plenty else { return plenty }
        return (0..<Int32(limit.rlim_cur)).count { fcntl($0, F_GETFD) < 0 }
    }

    /// So many of the wanted jobs can run at once where so many files can be opened; none where not
    /// even one can.
    package static func jobs(wanted: Int, free: Int) -> Int {
        max(0, min(wanted, (free - filesOfRun) / filesOfJob))
    }

    private static let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
}
