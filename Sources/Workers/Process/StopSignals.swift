import CSync
@preconcurrency import Dispatch
import Glibc
import Jobs
import Synchronization

/// Control-C, termination and the loss of the terminal, as actions.
///
/// A thread of its own waits for them, which does nothing else and waits for nobody: so a second
/// signal ends the process whatever hangs, a pager that reads no further or a queue that gets no
/// thread. It ends at once then, as by `kill -9`, which loses nothing.
package final class StopSignals: Sendable {
    private static let signals: [(number: Int32, meaning: StopSignal)] = [
        (SIGINT, .interrupt), (SIGTERM, .terminate), (SIGHUP, .hangUp),
    ]

    /// What has come and was not taken yet.
    private let arrived = Mutex<[StopSignal]>([])
    /// Says that something has arrived to a queue that watches it (eventfd(2)).
    private let bell: Int32
    /// Whether a first signal is enough, as nobody listens any more.
    private let isOver = Atomic(false)

    /// The signals that mean something to this process.
    static var heeded: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        // A shell has those it runs in the background ignore Control-C, which is not for them, and
        // `nohup` the loss of the terminal.
        for (number, _) in signals where !isIgnored(number) { sigaddset(&set, number) }
        return set
    }

    /// What a signal means; `nil` where it is no such signal.
    static func meaning(of number: Int32) -> StopSignal? {
        signals.first { $0.number == number }?.meaning
    }

    /// Takes over the signals from now on.
    ///
    /// To be called before any other thread is there, as threads take over from the one that makes
    /// them which signals they leave alone.
    /// - Returns: `nil` where no thread can be made.
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

    /// Sends what arrives as actions; the closure it returns ends that, and from then on the first
    /// signal ends the process.
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

    /// What the thread does.
    private func wait(for set: sigset_t) {
        var set = set
        var patience = Patience()
        while true {
            let number = StopSignals.next(
                of: &set, within: patience.secondsLeft(nowSeconds: ActionSources.nowSeconds))
            if let signal = StopSignals.meaning(of: number) {
                // Before it is handed over: the run may end for it before this thread goes on.
                if isOver.load(ordering: .relaxed) { _exit(128 + number) }
                arrived.withLock { $0.append(signal) }
                eventfd_write(bell, 1)
                patience.note(signal, nowSeconds: ActionSources.nowSeconds)
            }
            if let last = patience.isOver(nowSeconds: ActionSources.nowSeconds) {
                _exit(128 + StopSignals.number(of: last))
            }
        }
    }

    /// Waits for a signal, for ever or so long; a number below zero where none has come.
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
        // Proof: both are addresses, or the small numbers that stand for what the system does.
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}

/// How long somebody who asks to stop, and asks again, is kept waiting.
struct Patience {
    /// A second press of the key within this time may be no more than a nervous one.
    static let momentSeconds = 1.0
    /// After that the process ends at once; after one, so long after the first.
    static let longestSeconds = 4.0

    private var firstSeconds: Double?
    /// When it is over.
    private var endSeconds: Double?
    private var last = StopSignal.terminate

    /// Takes in a signal.
    ///
    /// That a terminal is gone is told by the shell and again by the system, and nobody means more
    /// by it: it never counts.
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

    /// How long until it is over; `nil` where that is not foreseen.
    func secondsLeft(nowSeconds: Double) -> Double? { endSeconds.map { $0 - nowSeconds } }

    /// The signal that the process is to end with, once patience is over.
    func isOver(nowSeconds: Double) -> StopSignal? {
        endSeconds.map { nowSeconds >= $0 } ?? false ? last : nil
    }
}
