import Dispatch
import Synchronization

/// Tells somebody how things stand: only what is new, and not too often.
///
/// What comes too soon is told later, if it still holds then: so the last word is always told.
final class StatusThrottle: Sendable {
    private struct State {
        var latest: String?
        var told: String?
        /// Whether the latest is going to be told.
        var isDue = false
        var toldLast: DispatchTime?
    }

    private let queue: DispatchQueue
    private let pause: DispatchTimeInterval
    private let send: @Sendable (String) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - queue: where it is told; one that does one thing after the other.
    ///   - pause: how long it is silent at least between two times.
    ///   - send: tells it.
    init(
        on queue: DispatchQueue, pause: DispatchTimeInterval = .seconds(1),
        send: @escaping @Sendable (String) -> Void
    ) {
        self.queue = queue
        self.pause = pause
        self.send = send
    }

    /// Takes in how things stand.
    func take(_ text: String) {
        let time = state.withLock { state -> DispatchTime? in
            state.latest = text
            guard !state.isDue, text != state.told else { return nil }
            state.isDue = true
            return state.toldLast.map { $0 + pause } ?? .now()
        }
        guard let time else { return }
        queue.asyncAfter(deadline: time) { self.tell() }
    }

    private func tell() {
        let text = state.withLock { state -> String? in
            state.isDue = false
            // It may have become again what was told.
            guard let text = state.latest, text != state.told else { return nil }
            state.told = text
            state.toldLast = .now()
            return text
        }
        if let text { send(text) }
    }
}
