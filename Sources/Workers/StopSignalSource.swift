@preconcurrency import Dispatch
import Jobs
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Control-C, termination and the loss of the terminal, as actions.
///
/// Whoever says so again after a moment means it: then the process ends at once, as by `kill -9`,
/// which loses nothing. That is for when something hangs that cannot be waited for, such as a pager
/// that reads no further.
enum StopSignalSource {
    private static let signals: [(number: Int32, meaning: StopSignal)] = [
        (SIGINT, .interrupt), (SIGTERM, .terminate), (SIGHUP, .hangUp),
    ]
    /// Returns once no signal can be missed any more.
    static func start(
        send: @escaping @Sendable (JobStore.Action) -> Void
    ) -> @Sendable () -> Void {
        let queue = DispatchQueue(label: "tapedeck.signals")
        let patience = Patience()
        // A shell has those it runs in the background ignore Control-C, which is not for them, and
        // `nohup` the loss of the terminal.
        let heeded = signals.filter { !isIgnored($0.number) }
        let sources = heeded.map { number, meaning in
            #if !canImport(Glibc)
                // Otherwise the signal would end the process before the source sees it. On Linux
                // the source handles the signal itself; ignored, it would be lost until then.
                signal(number, SIG_IGN)
            #endif
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            let isListening = DispatchSemaphore(value: 0)
            source.setEventHandler {
                if patience.isOver(meaning, nowSeconds: ActionSources.nowSeconds) {
                    _exit(128 + number)
                }
                send(.stopRequested(meaning))
            }
            source.setRegistrationHandler { isListening.signal() }
            source.resume()
            isListening.wait()
            return source
        }
        return {
            for source in sources { source.cancel() }
            for (number, _) in heeded { signal(number, SIG_DFL) }
        }
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        #if canImport(Glibc)
            let handler = action.__sigaction_handler.sa_handler
        #else
            let handler = action.__sigaction_u.__sa_handler
        #endif
        // Proof: both are addresses, or the small numbers that stand for what the system does.
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}

/// How long somebody who asks to stop waits before asking again and meaning it.
final class Patience: Sendable {
    /// A second press of the key within this time is no more than a nervous one.
    private static let momentSeconds = 1.0

    private let firstSeconds = Mutex<Double?>(nil)

    /// Called each time; true from the first that comes more than a moment after the first of all.
    ///
    /// That a terminal is gone is told by the shell and again by the system, and nobody means more
    /// by it: it never counts.
    func isOver(_ signal: StopSignal, nowSeconds: Double) -> Bool {
        if signal == .hangUp { return false }
        return firstSeconds.withLock { first in
            guard let before = first else {
                first = nowSeconds
                return false
            }
            return nowSeconds - before > Patience.momentSeconds
        }
    }
}
