import Glibc
import Jobs
import Recordings

/// This program once more, as a process of its own: what it costs is then not mixed with anything.
struct ChildRun {
    /// The program's file: this one, also where it was replaced or renamed since.
    var program: Pathname = "/proc/self/exe"
    let arguments: [Pathname]
    /// Gets what it says on standard error; the rest goes nowhere.
    let errors: Pathname
    /// What it may end with.
    var goodStatuses: Set<Int32> = [0]

    /// What is waited for while it runs: to be blocked by whoever runs one.
    static var signals: sigset_t {
        var set = StopSignals.heeded
        sigaddset(&set, SIGCHLD)
        return set
    }

    /// Runs to the end, and throws unless that was a good one.
    ///
    /// A signal to stop is handed on, and the end waited for all the same. The memory that this
    /// process has had counts as the child's (getrusage(2)), which needs no less.
    func run() throws(BenchRefusal) -> BenchCost {
        let start = ActionSources.nowSeconds
        let child = try spawn()
        var signals = ChildRun.signals
        var stopped: StopSignal?
        var status: Int32 = 0
        var usage = rusage()
        while wait4(child, &status, WNOHANG, &usage) == 0 {
            // Its end is a signal too; where another thread takes that, it is looked for again.
            var patience = timespec(tv_sec: 1, tv_nsec: 0)
            if let signal = StopSignals.meaning(of: sigtimedwait(&signals, nil, &patience)) {
                stopped = stopped ?? signal
                kill(child, SIGTERM)
            }
        }
        let seconds = ActionSources.nowSeconds - start
        if let stopped { throw .stopped(stopped) }
        // The low bits tell of a signal, the ones above of the status.
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
        // Signals that are waited for here are to reach it.
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

    /// The last line that it said.
    private var lastWords: String {
        let bytes = (try? FileSystem.contents(of: errors)) ?? []
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").last.map(String.init)
            ?? ""
    }
}

extension timeval {
    fileprivate var seconds: Double { Double(tv_sec) + Double(tv_usec) / 1e6 }
}
