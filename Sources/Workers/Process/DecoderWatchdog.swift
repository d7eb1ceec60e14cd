import Glibc
import Jobs
import Recordings
import Synchronization

/// Notices decoders that use CPU time and deliver nothing, such as one that loops on a damaged
/// file.
///
/// Waiting for a slow disk uses none. Only the end of the process frees such a thread: its
/// recording fails, and once the run is being stopped, all that do not answer are cancelled.
package final class DecoderWatchdog: Sendable {
    typealias Answer = @Sendable (RecordingID, Job.Action) -> Void

    /// Processor time that a decoder may take for one block of frames, or to open a file; a second
    /// more for each `bytesPerSecond` of it, as some files have to be read from their beginning.
    package static let usualSeconds = 60.0
    private static let bytesPerSecond: Int64 = 5_000_000
    /// Checks, five a second, for which others may answer for themselves once one is stuck.
    private static let graceChecks = 25

    private struct State {
        var watched: [ObjectIdentifier: (id: RecordingID, watch: DecoderWatch)] = [:]
        /// Checks since the first decoder was found to be stuck; `nil` before.
        var checksSinceStuck: Int?
    }

    private let mostNanoseconds: Int64
    private let state = Mutex(State())

    package init(mostSeconds: Double = DecoderWatchdog.usualSeconds) {
        mostNanoseconds = Int64(mostSeconds * 1e9)
    }

    /// Carries out the work on a recording of so many bytes, on this thread, and gives back its
    /// answer; `nil` where that was given already.
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

    /// Answers for decoders that are stuck; to be called some times a second while there is work.
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

    /// Takes those off of which something is so, in their order.
    private func take(
        from watched: inout [ObjectIdentifier: (id: RecordingID, watch: DecoderWatch)],
        where isSo: (DecoderWatch) -> Bool
    ) -> [RecordingID] {
        let found = watched.filter { isSo($0.value.watch) }
        for key in found.keys { watched[key] = nil }
        return found.values.map(\.id).sorted { $0.index < $1.index }
    }
}

/// One thread's progress in decoding.
final class DecoderWatch: Sendable {
    /// The processor time of the thread that made this.
    private let clock: clockid_t
    /// The thread's processor time when the decoder was last called; `idle` outside of it.
    private let since = Atomic<Int64>(DecoderWatch.idle)
    private static let idle = Int64.max
    private let mostNanoseconds: Int64

    init(mostNanoseconds: Int64 = .max) {
        self.mostNanoseconds = mostNanoseconds
        var clock = clockid_t()
        // The thread is there as long as this is watched: it takes it off itself.
        pthread_getcpuclockid(pthread_self(), &clock)
        self.clock = clock
    }

    /// Says that the decoder is being asked for the next block.
    func begin() { since.store(DecoderWatch.nanoseconds(of: clock), ordering: .relaxed) }

    /// Says that what follows is none of the decoder's.
    func end() { since.store(DecoderWatch.idle, ordering: .relaxed) }

    /// Whether the decoder was asked longer ago, in processor time, than it may take.
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
