import Glibc

/// The limit of open files, and the number of jobs it allows.
///
/// A run must stay below the limit: timers and signal handling need descriptors of their own, and
/// crash or block forever without them.
package enum OpenFileLimit {
    /// The descriptors that a run uses besides its jobs, with some to spare.
    package static let filesOfRun = 22
    /// The recording, two output folders, one more while opening them, and an output.
    package static let filesOfJob = 5
    /// More than any run needs.
    private static let plenty = 4096

    /// Raises the limit as far as useful and permitted.
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

    /// How many of the wanted jobs can run with this many free descriptors; 0 if not even one can.
    package static func jobs(wanted: Int, free: Int) -> Int {
        max(0, min(wanted, (free - filesOfRun) / filesOfJob))
    }

    /// How many connections a server may have with this many free descriptors, each with an open
    /// file: it leaves most of them to the run.
    package static func connections(free: Int) -> Int {
        max(8, min(mostConnections, free / 4 / filesOfConnection))
    }

    package static let filesOfConnection = 2
    private static let mostConnections = 256

    private static let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
}
