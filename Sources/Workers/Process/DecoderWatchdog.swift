import Glibc
import Jobs
import Recordings
import Synchronization

/// Detects decoders that use CPU time without output, such as an endless loop on a damaged file.
///
/// Waiting for a slow disk uses no CPU time. A stuck thread ends only with the process: its
/// recording fails, and once the run is being stopped, all unanswered jobs are cancelled.
package final class DecoderWatchdog: Sendable {
    typealias Answer = @Sendable (RecordingID, Job.Action) -> Void

    /// The CPU time limit for decoding one block or opening a file, plus a second for each
    /// `bytesPerSecond` of the file: some files must be read from the start.
    package static let usualSeconds = 60.0
    private static let bytesPerSecond: Int64 = 5_000_000
    /// The number of checks, five a second, that other jobs may continue once one is stuck.
    private static let graceChecks = 25

    private struct State {
        var watched: [ObjectIdentifier: (id: RecordingID, watch: DecoderWatch)] = [:]
        /// The checks since the first stuck decoder; `nil` before.
        var checksSinceStuck: Int?
    }

    private let mostNanoseconds: Int64
    private let state = Mutex(State())

    package init(mostSeconds: Double = DecoderWatchdog.usualSeconds) {
        mostNanoseconds = Int64(mostSeconds * 1e9)
    }

    /// Runs a job for a recording of this size on this thread and returns its answer; `nil` if the
    /// watchdog has answered already.
    func watch(
        _ id: RecordingID, bytes: Int64, _ work: (DecoderWatch) -> Job.Action
    ) -> Job.Action? {
        let more = max(0, bytes) / DecoderWatchdog.bytesPerSecond * 1_000_000_000
        let watch = DecoderWatch(mostNanoseconds: mostNanoseconds + more)
        let key = ObjectIdentifier(watch)
        state.withLock { $0.watched[key] = (id, watch) }
        let answer = work(watch)
        return state.withLock { $0.watched.removeValue(forKey: key) == nil ? nil : answer }
    }

    /// Fails jobs whose decoder is stuck; call it several times a second while there is work.
    func check(_ send: Answer) {
        let answers = state.withLock { state in
            let stuck = take(from: &state.watched, where: \.isStuck)
            let failure = RecordingFailure(stage: .decode, reason: .decoderStuck)
            var answers = stuck.map { ($0, Job.Action.failed(failure, measured: nil)) }
            guard state.checksSinceStuck != nil || !stuck.isEmpty else { return answers }
            let checks = (state.checksSinceStuck ?? -1) + 1
            state.checksSinceStuck = checks
            if checks == DecoderWatchdog.graceChecks {
                answers += take(from: &state.watched) { _ in true }.map { ($0, .cancelled) }
            }
            return answers
        }
        for (id, answer) in answers { send(id, answer) }
    }

    /// Removes the jobs that match, and returns their recordings in order.
    private func take(
        from watched: inout [ObjectIdentifier: (id: RecordingID, watch: DecoderWatch)],
        where isSo: (DecoderWatch) -> Bool
    ) -> [RecordingID] {
        let found = watched.filter { isSo($0.value.watch) }
        for key in found.keys { watched[key] = nil }
        return found.values.map(\.id).sorted { $0.index < $1.index }
    }
}

/// Measures the CPU time of one thread's decoder calls.
final class DecoderWatch: Sendable {
    /// The CPU clock of the thread that created this.
    private let clock: clockid_t
    /// The thread's CPU time at the start of the decoder call; `idle` between calls.
    private let since = Atomic<Int64>(DecoderWatch.idle)
    private static let idle = Int64.max
    private let mostNanoseconds: Int64

    init(mostNanoseconds: Int64 = .max) {
        self.mostNanoseconds = mostNanoseconds
        var clock = clockid_t()
        // The thread outlives the watch, because it removes the watch itself.
        pthread_getcpuclockid(pthread_self(), &clock)
        self.clock = clock
    }

    /// Marks the start of a decoder call.
    func begin() { since.store(DecoderWatch.nanoseconds(of: clock), ordering: .relaxed) }

    /// Marks the end of a decoder call.
    func end() { since.store(DecoderWatch.idle, ordering: .relaxed) }

    /// Whether the current decoder call has exceeded its CPU time limit.
    var isStuck: Bool {
        let since = since.load(ordering: .relaxed)
        guard since != DecoderWatch.idle else { return false }
        return DecoderWatch.nanoseconds(of: clock) - since > mostNanoseconds
    }

    private static func nanoseconds(of clock: clockid_t) -> Int64 {
        var time = timespec()
        guard clock_gettime(clock, &time) == 0 else { return 0 }
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
