import CSync
@preconcurrency import Dispatch
import Glibc
import Jobs
import Synchronization

/// Turns Control-C, termination and loss of the terminal into actions.
///
/// A dedicated thread waits for the signals and for nothing else. So a second signal ends the
/// process even if it hangs, on a pager that stops reading or a queue that gets no thread. The
/// process then exits at once, as after `kill -9`, which loses nothing.
package final class StopSignals: Sendable {
    private static let signals: [(number: Int32, meaning: StopSignal)] = [
        (SIGINT, .interrupt), (SIGTERM, .terminate), (SIGHUP, .hangUp),
    ]

    /// Signals that have arrived but were not handled yet.
    private let arrived = Mutex<[StopSignal]>([])
    /// Wakes the queue when a signal arrives (eventfd(2)).
    private let bell: Int32
    /// Whether the first signal exits, as there is no listener any more.
    private let isOver = Atomic(false)

    /// The signals that this process handles.
    static var heeded: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        // Respect ignored signals: a shell makes background processes ignore Control-C, and `nohup`
        // the loss of the terminal.
        for (number, _) in signals where !isIgnored(number) { sigaddset(&set, number) }
        return set
    }

    /// The meaning of a signal; `nil` for any other number.
    static func meaning(of number: Int32) -> StopSignal? {
        signals.first { $0.number == number }?.meaning
    }

    /// Starts handling the signals.
    ///
    /// Call it before creating other threads: threads inherit the signal mask of their creator.
    /// - Returns: `nil` if no thread can be created.
    package static func begin() -> StopSignals? {
        var set = heeded
        pthread_sigmask(SIG_BLOCK, &set, nil)
        let new = StopSignals()
        let taken = set
        guard SystemThread.start({ new.wait(for: taken) }) else {
            pthread_sigmask(SIG_UNBLOCK, &set, nil)
            return nil
        }
        return new
    }

    private init() { bell = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK)) }

    /// The first signal that has arrived and was not sent yet.
    package var pending: StopSignal? { arrived.withLock(\.first) }

    /// Sends signals as actions; once the returned closure is called, the first signal ends the
    /// process.
    func start(
        send: @escaping @Sendable (JobStore.Action) -> Void
    ) -> @Sendable () -> Void {
        let queue = DispatchQueue(label: "tapedeck.signals")
        let source = DispatchSource.makeReadSource(fileDescriptor: bell, queue: queue)
        source.setEventHandler { [self] in
            var count: eventfd_t = 0
            eventfd_read(bell, &count)
            let signals = arrived.withLock { arrived in
                defer { arrived = [] }
                return arrived
            }
            for signal in signals { send(.stopRequested(signal)) }
        }
        source.resume()
        return { [self] in
            isOver.store(true, ordering: .relaxed)
            source.cancel()
        }
    }

    /// Waits for the first signal.
    package func next() -> StopSignal {
        let hasArrived = DispatchSemaphore(value: 0)
        let first = Mutex<StopSignal?>(nil)
        let stop = start { action in
            guard case .stopRequested(let signal) = action else { return }
            first.withLock { $0 = $0 ?? signal }
            hasArrived.signal()
        }
        hasArrived.wait()
        stop()
        return first.withLock { $0 } ?? .terminate
    }

    /// The thread's main loop.
    private func wait(for set: sigset_t) {
        var set = set
        var patience = Patience()
        while true {
            let number = StopSignals.next(
                of: &set, within: patience.secondsLeft(nowSeconds: ActionSources.nowSeconds))
            if let signal = StopSignals.meaning(of: number) {
                // Check before handing over: the run may end before this thread continues.
                if isOver.load(ordering: .relaxed) { StopSignals.end(128 + number) }
                arrived.withLock { $0.append(signal) }
                eventfd_write(bell, 1)
                patience.note(signal, nowSeconds: ActionSources.nowSeconds)
            }
            if let last = patience.isOver(nowSeconds: ActionSources.nowSeconds) {
                StopSignals.end(128 + StopSignals.number(of: last))
            }
        }
    }

    private static func end(_ status: Int32) -> Never {
        HookRunner.killAll()
        _exit(status)
    }

    /// Waits for a signal, at most `seconds` if given; negative if none arrived.
    private static func next(of set: inout sigset_t, within seconds: Double?) -> Int32 {
        guard let seconds else { return sigwaitinfo(&set, nil) }
        let nanoseconds = Int(max(0, seconds) * 1e9)
        var time = timespec(
            tv_sec: nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
        return sigtimedwait(&set, nil, &time)
    }

    private static func number(of signal: StopSignal) -> Int32 {
        signals.first { $0.meaning == signal }?.number ?? SIGTERM
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        let handler = action.__sigaction_handler.sa_handler
        // Proof: both are addresses, or the small integers SIG_DFL and SIG_IGN.
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}

/// Decides when repeated stop signals end the process at once.
struct Patience {
    /// A second signal within this time may be an accidental double press.
    static let momentSeconds = 1.0
    /// A later second signal exits at once; a double press exits this long after the first.
    static let longestSeconds = 4.0

    private var firstSeconds: Double?
    /// When the process exits.
    private var endSeconds: Double?
    private var last = StopSignal.terminate

    /// Records a signal.
    ///
    /// SIGHUP never counts: both the shell and the kernel send it when a terminal closes.
    mutating func note(_ signal: StopSignal, nowSeconds: Double) {
        if signal == .hangUp { return }
        last = signal
        guard let first = firstSeconds else {
            firstSeconds = nowSeconds
            return
        }
        let isNervous = nowSeconds - first <= Patience.momentSeconds
        let end = isNervous ? first + Patience.longestSeconds : nowSeconds
        endSeconds = min(endSeconds ?? end, end)
    }

    /// The seconds until exit; `nil` if none is scheduled.
    func secondsLeft(nowSeconds: Double) -> Double? { endSeconds.map { $0 - nowSeconds } }

    /// The signal to exit with, once the time is up.
    func isOver(nowSeconds: Double) -> StopSignal? {
        endSeconds.map { nowSeconds >= $0 } ?? false ? last : nil
    }
}
