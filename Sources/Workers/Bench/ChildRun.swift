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

    /// Runs to the end, and throws unless that was a good one.
    func run(_ stop: BenchStop) throws(BenchRefusal) -> BenchCost {
        try stop.check()
        ChildRun.forgetPeak()
        let start = BenchCost.now
        let child = try spawn()
        stop.adopt(child)
        var ending = siginfo_t()
        // Leaves it to be reaped, so that nobody else gets its number before it is forgotten.
        while waitid(P_PID, id_t(child), &ending, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
        stop.forgetChild()
        let seconds = BenchCost.now.wallSeconds - start.wallSeconds
        var status: Int32 = 0
        var usage = rusage()
        while wait4(child, &status, 0, &usage) < 0 && errno == EINTR {}
        try stop.check()
        // The low bits tell of a signal, the ones above of the status.
        guard status == 0 else {
            throw .runFailed(
                status: status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F,
                detail: lastWords)
        }
        return BenchCost(
            wallSeconds: seconds, cpuSeconds: usage.ru_utime.seconds + usage.ru_stime.seconds,
            peakBytes: Int64(usage.ru_maxrss) * 1024)
    }

    private func spawn() throws(BenchRefusal) -> pid_t {
        var words = ([program] + arguments).map { word in word.withCString { strdup($0) } } + [nil]
        defer { for word in words { free(word) } }
        var files = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0)
        _ = errors.withCString {
            posix_spawn_file_actions_addopen(
                &files, 2, $0, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600)
        }
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

    /// Has the system count this process's most memory anew: a child takes that count over, and
    /// would be said to have had no less.
    private static func forgetPeak() {
        let file = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        // Documented in proc(5): five resets the peak of the resident memory.
        _ = write(file, "5", 1)
        close(file)
    }
}

extension BenchCost {
    /// The times at this moment, of which differences count.
    ///
    /// CPU time of this process, with all its threads: what others do meanwhile does not count.
    static var now: BenchCost {
        BenchCost(
            wallSeconds: seconds(of: CLOCK_MONOTONIC),
            cpuSeconds: seconds(of: CLOCK_PROCESS_CPUTIME_ID))
    }

    private static func seconds(of clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

extension timeval {
    fileprivate var seconds: Double { Double(tv_sec) + Double(tv_usec) / 1e6 }
}
