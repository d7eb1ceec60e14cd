import Dispatch
import NIOCore
import Recordings
import Reports
import Synchronization
import Workers

/// Sends open pages what has changed, several times a second while there are any.
///
/// A client that does not take its messages is left after a few: it will ask again for what it has
/// missed. So what is held for all of them is bounded, and nobody waits for anybody.
final class EventHub: Sendable {
    typealias Stream = AsyncStream<ByteBuffer>

    private struct Listener {
        var folder: Pathname
        var stream: Stream.Continuation
    }

    private struct State {
        var listeners: [Int: Listener] = [:]
        var next = 0
        var isTicking = false
        var isOver = false
    }

    let feed: ServedFeed
    private let state = Mutex(State())
    /// What is sent is made here, in order.
    private let queue = DispatchQueue(label: "tapedeck.pages.events")

    private static let pause = Duration.milliseconds(250)
    /// The share of time that is spent on looking for changes, at most.
    private static let share = 0.05
    private static let mostWaiting = 16
    /// The silence after which a client is sent a sign of life.
    private static let pingPause = Duration.seconds(15)

    init(_ feed: ServedFeed) { self.feed = feed }

    /// The messages for a page of a folder that knows what changed before a time; they end when the
    /// client is too slow, or the server stops.
    func listen(to folder: Pathname, since seconds: Int64) async -> (id: Int, messages: Stream) {
        let (messages, stream) = Stream.makeStream(
            bufferingPolicy: .bufferingOldest(EventHub.mostWaiting))
        let id = await queue.answer { [self] in
            stream.yield(EventHub.message(feed.welcome(to: folder, since: seconds)))
            return state.withLock { state in
                if state.isOver { stream.finish() }
                state.next += 1
                state.listeners[state.next] = Listener(folder: folder, stream: stream)
                if !state.isTicking {
                    state.isTicking = true
                    Task { await tick() }
                }
                return state.next
            }
        }
        return (id, messages)
    }

    func leave(_ id: Int) { state.withLock { $0.listeners[id] = nil } }

    func finish() {
        state.withLock { state in
            state.isOver = true
            for listener in state.listeners.values { listener.stream.finish() }
            state.listeners = [:]
        }
    }

    /// Looks for changes until nobody listens.
    private func tick() async {
        var pause = EventHub.pause
        var silence = Duration.zero
        while isWanted {
            try? await Task.sleep(for: pause)
            silence += pause
            let isQuiet = silence + pause > EventHub.pingPause
            if isQuiet { silence = .zero }
            let taken = await queue.answer { [self] in
                // Neither is part of the share: a run may be busy, and the list has its own.
                let (facts, list) = (feed.facts(), feed.folders())
                return ContinuousClock().measure { send(facts, list, pinging: isQuiet) }
            }
            pause = min(EventHub.pingPause, max(EventHub.pause, taken / EventHub.share))
        }
    }

    /// Whether anybody listens; if not, the next one has it begin again.
    private var isWanted: Bool {
        state.withLock { state in
            state.isTicking = !state.listeners.isEmpty
            return state.isTicking
        }
    }

    private func send(_ facts: WatchFacts?, _ list: String?, pinging: Bool) {
        let folders = Set(state.withLock { $0.listeners.values.map(\.folder) })
        let news = feed.news(for: folders, facts, list).mapValues(EventHub.message)
        let ping = ByteBuffer(string: ":\n\n")
        state.withLock { state in
            for (id, listener) in state.listeners {
                guard let message = news[listener.folder] ?? (pinging ? ping : nil) else {
                    continue
                }
                if case .enqueued = listener.stream.yield(message) { continue }
                listener.stream.finish()
                state.listeners[id] = nil
            }
        }
    }

    private static func message(_ text: String) -> ByteBuffer {
        ByteBuffer(string: "data: \(text)\n\n")
    }
}

extension DispatchQueue {
    /// The result of work that may block, done on this queue.
    func answer<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            async { continuation.resume(returning: work()) }
        }
    }
}
