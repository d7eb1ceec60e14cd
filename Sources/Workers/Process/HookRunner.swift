import CDescriptors
import Dispatch
import Glibc
import Recordings
import Synchronization

/// What became of a call of a hook.
package enum HookOutcome: Hashable, Sendable {
    case done
    /// With its exit status, and the first line of its standard error.
    case failed(status: Int32, detail: String)
    /// It took longer than it may, and was killed.
    case tookTooLong(seconds: Int)
    /// It could not be started.
    case notStarted(detail: String)
}

/// Tells events to a command of the user, on its standard input, one JSON object per line.
///
/// The command is text for the shell; nothing else gets into it. One call at a time: what happens
/// meanwhile is told by the next. Nobody waits for it but `finish`.
package final class HookRunner: Sendable {
    package struct Limits: Sendable {
        /// How long the first event of a call waits for others.
        package var gatherSeconds = 0.2
        /// The least time from the start of one call to that of the next.
        package var pauseSeconds: Double
        /// How long a call may take.
        package var mostSeconds = 60
        /// How long calls may take once the run ends: the one that is running half of it, and one
        /// that tells what is left the rest.
        package var lastSeconds = 10
        /// How many events a call tells; what else happened is a number.
        package var mostEvents = 1000

        package init(pauseSeconds: Double) { self.pauseSeconds = pauseSeconds }
    }

    private struct State {
        var events: [String] = []
        var omitted = 0
        var isDue = false
        /// When `finish` was called.
        var overSeconds: Double?
        var lastStartSeconds = -Double.infinity
    }

    private let command: String
    private let limits: Limits
    private let omission: @Sendable (Int) -> String
    private let tell: @Sendable (HookOutcome) -> Void
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "tapedeck.hook")

    /// - Parameters:
    ///   - omission: a line that says how many events a call leaves out.
    ///   - tell: called after each call, on a queue of this runner.
    package init(
        _ command: String, _ limits: Limits, omission: @escaping @Sendable (Int) -> String,
        tell: @escaping @Sendable (HookOutcome) -> Void
    ) {
        (self.command, self.limits, self.omission, self.tell) = (command, limits, omission, tell)
    }

    /// Queues an event, and a call unless one is due.
    package func add(_ event: String) {
        let delay = state.withLock { state -> Double? in
            guard state.overSeconds == nil else { return nil }
            if state.events.count < limits.mostEvents {
                state.events.append(event)
            } else {
                state.omitted += 1
            }
            guard !state.isDue else { return nil }
            state.isDue = true
            let wait = state.lastStartSeconds + limits.pauseSeconds - ActionSources.nowSeconds
            return max(limits.gatherSeconds, wait)
        }
        guard let delay else { return }
        queue.asyncAfter(deadline: .now() + delay) { [self] in call() }
    }

    /// Tells what is left, and leaves the group once no call is running, after `lastSeconds` at
    /// most.
    package func finish(in group: DispatchGroup) {
        state.withLock { $0.overSeconds = ActionSources.nowSeconds }
        queue.async(group: group) { [self] in call() }
    }

    /// Kills the calls of this process that are running, which is about to end.
    static func killAll() {
        for child in HookCall.running.withLock(\.self) { kill(-child, SIGKILL) }
    }

    private func call() {
        let events = state.withLock { state -> [String] in
            state.isDue = false
            defer { (state.events, state.omitted) = ([], 0) }
            guard !state.events.isEmpty else { return [] }
            state.lastStartSeconds = ActionSources.nowSeconds
            return state.events + (state.omitted > 0 ? [omission(state.omitted)] : [])
        }
        guard !events.isEmpty else { return }
        let input = events.map { $0 + "\n" }.joined()
        let call = HookCall(command: command, input: Array(input.utf8)) { [self] in
            mostSeconds(of: $0)
        }
        tell(call.run())
    }

    /// How long a call may take that began at that time.
    private func mostSeconds(of start: Double) -> Int {
        guard let over = state.withLock(\.overSeconds) else { return limits.mostSeconds }
        let isLast = start >= over
        let end = over + Double(isLast ? limits.lastSeconds : limits.lastSeconds / 2)
        return min(limits.mostSeconds, max(1, Int(end - start)))
    }
}

/// One call of a hook.
private struct HookCall {
    let command: String
    let input: [UInt8]
    /// How long it may take, by its start.
    let mostSeconds: (Double) -> Int

    /// How much of standard error is kept.
    private static let mostBytes = 4096
    /// The process groups of commands that are running.
    static let running = Mutex<Set<pid_t>>([])
    /// How often the end of the command is looked for.
    private static let lookMilliseconds: Int32 = 50

    func run() -> HookOutcome {
        // The input is whole before the command starts, so that nothing waits for its reader.
        let document = memfd_create("events", MFD_CLOEXEC)
        var ends: [Int32] = [-1, -1]
        guard document >= 0, pipe2(&ends, O_CLOEXEC | O_NONBLOCK) == 0 else {
            let detail = String(cString: strerror(errno))
            close(document)
            return .notStarted(detail: detail)
        }
        defer {
            close(document)
            close(ends[0])
        }
        do throws(FileSystemError) {
            try FileSystem.write(input, to: document, of: "events")
        } catch {
            close(ends[1])
            return .notStarted(detail: error.detail)
        }
        lseek(document, 0, SEEK_SET)
        let (child, code) = spawn(document, ends[1])
        close(ends[1])
        guard code == 0 else { return .notStarted(detail: String(cString: strerror(code))) }
        HookCall.running.withLock { _ = $0.insert(child) }
        defer { HookCall.running.withLock { _ = $0.remove(child) } }
        return wait(for: child, reading: ends[0])
    }

    private func spawn(_ document: Int32, _ errors: Int32) -> (child: pid_t, code: Int32) {
        var files = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&files)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&files)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_adddup2(&files, document, STDIN_FILENO)
        posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_adddup2(&files, errors, STDERR_FILENO)
        posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1)
        // No blocked signals are inherited, nor that broken pipes are ignored; a group of its own
        // can be killed.
        var none = sigset_t()
        sigemptyset(&none)
        var broken = sigset_t()
        sigemptyset(&broken)
        sigaddset(&broken, SIGPIPE)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &broken)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes,
            Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
        // Proof: copies of these words, which end with `nil`, and are freed once the child has its.
        let texts: [String] = ["/bin/sh", "-c", command]
        var words: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) }
        words.append(nil)
        defer { for word in words { free(word) } }
        var child: pid_t = 0
        let code = posix_spawn(&child, "/bin/sh", &files, &attributes, &words, environ)
        return (child, code)
    }

    /// Waits for the end, and kills the command and what it started once its time is over.
    private func wait(for child: pid_t, reading errors: Int32) -> HookOutcome {
        let start = ActionSources.nowSeconds
        var words: [UInt8] = []
        var status: Int32 = 0
        while true {
            let isClosed = drain(errors, into: &words)
            let ended = waitpid(child, &status, WNOHANG)
            if ended == child || ended < 0 && errno != EINTR { break }
            let most = mostSeconds(start)
            guard ActionSources.nowSeconds < start + Double(most) else {
                kill(-child, SIGKILL)
                while waitpid(child, &status, 0) < 0, errno == EINTR {}
                return .tookTooLong(seconds: most)
            }
            var look = pollfd(fd: isClosed ? -1 : errors, events: Int16(POLLIN), revents: 0)
            poll(&look, 1, HookCall.lookMilliseconds)
        }
        _ = drain(errors, into: &words)
        // The low bits are the signal, the next ones the exit status.
        let code = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
        guard code != 0 else { return .done }
        let line = words.split(separator: UInt8(ascii: "\n")).first ?? []
        // Its control characters must not reach a terminal.
        let detail = line.isEmpty ? "" : Pathname(bytes: Array(line)).displayText
        return .failed(status: code, detail: detail)
    }

    /// Reads what there is, and keeps the beginning.
    /// - Returns: whether nothing more can come.
    private func drain(_ errors: Int32, into words: inout [UInt8]) -> Bool {
        var part = [UInt8](repeating: 0, count: HookCall.mostBytes)
        // Bounded, for a command that writes faster than this reads.
        for _ in 0..<256 {
            let count = read(errors, &part, part.count)
            if count <= 0 { return count == 0 }
            words += part[..<min(count, HookCall.mostBytes - words.count)]
        }
        return false
    }
}
