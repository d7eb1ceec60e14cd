import Glibc
import Jobs
import Recordings
import Synchronization

/// What ends a measuring before its time: a flag for passes here, and a signal for the process that
/// is waited for.
package final class BenchStop: Sendable {
    private struct State {
        var signal: StopSignal?
        var child: pid_t?
    }

    let cancellation = Cancellation()
    private let state = Mutex(State())

    package init() {}

    /// Ends it, from any thread.
    package func stop(_ signal: StopSignal) {
        cancellation.cancel()
        state.withLock { state in
            state.signal = state.signal ?? signal
            // Not reaped before it is forgotten here, so that the number is still its own.
            if let child = state.child { kill(child, SIGTERM) }
        }
    }

    /// Throws once it was told to end.
    func check() throws(BenchRefusal) {
        if let signal = state.withLock(\.signal) { throw .stopped(signal) }
    }

    /// Has a process ended too when this is, also where it was before.
    func adopt(_ child: pid_t) {
        state.withLock { state in
            state.child = child
            if state.signal != nil { kill(child, SIGTERM) }
        }
    }

    func forgetChild() { state.withLock { $0.child = nil } }
}
