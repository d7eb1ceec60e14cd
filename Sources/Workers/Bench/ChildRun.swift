import Glibc
import Jobs
import Recordings

/// Runs this program as a child process, to measure its costs separately.
struct ChildRun {
    /// The executable: this one, even if it was replaced or renamed since.
    var program: Pathname = "/proc/self/exe"
    let arguments: [Pathname]
    /// Receives standard error; other output is discarded.
    let errors: Pathname
    /// The exit codes that mean success.
    var goodStatuses: Set<Int32> = [0]

    /// The signals to wait for during a run; the caller must block them.
    static var signals: sigset_t {
        var set = StopSignals.heeded
        sigaddset(&set, SIGCHLD)
        return set
    }

    /// Runs the child to its end; throws unless it succeeds.
    ///
    /// Forwards stop signals, and still waits for the end. This process's peak memory counts as the
    /// child's (getrusage(2)); the child needs no less.
    func run() throws(BenchRefusal) -> BenchCost {
        let start = ActionSources.nowSeconds
        let child = try spawn()
        var signals = ChildRun.signals
        var stopped: StopSignal?
        var status: Int32 = 0
        var usage = rusage()
        while wait4(child, &status, WNOHANG, &usage) == 0 {
            // SIGCHLD reports its end; poll in case another thread receives it.
            var patience = timespec(tv_sec: 1, tv_nsec: 0)
            if let signal = StopSignals.meaning(of: sigtimedwait(&signals, nil, &patience)) {
                stopped = stopped ?? signal
                kill(child, SIGTERM)
            }
        }
        let seconds = ActionSources.nowSeconds - start
        if let stopped { throw .stopped(stopped) }
        // The low bits are the signal, the next ones the exit code.
        let code = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
        guard goodStatuses.contains(code) else {
            throw .runFailed(status: code, detail: lastWords)
        }
        return BenchCost(
            wallSeconds: seconds, cpuSeconds: usage.ru_utime.seconds + usage.ru_stime.seconds,
            peakBytes: Int64(usage.ru_maxrss) * 1024)
    }

    private func spawn() throws(BenchRefusal) -> pid_t {
        var words = ([program] + arguments).map { word in word.withCString { strdup($0) } } + [nil]
        defer { for word in words { free(word) } }
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0)
        _ = errors.withCString {
            posix_spawn_file_actions_addopen(
                &files, 2, $0, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The child must not inherit the blocked signals.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var child: pid_t = 0
        let code = program.withCString {
            posix_spawn(&child, $0, &files, &attributes, &words, environ)
        }
        guard code == 0 else {
            throw .runFailed(status: 127, detail: FileSystemError(program, code: code).detail)
        }
        return child
    }

    /// The last line of its standard error.
    private var lastWords: String {
        let bytes = (try? FileSystem.contents(of: errors)) ?? []
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").last.map(String.init)
            ?? ""
    }
}

extension timeval {
    fileprivate var seconds: Double { Double(tv_sec) + Double(tv_usec) / 1e6 }
}
