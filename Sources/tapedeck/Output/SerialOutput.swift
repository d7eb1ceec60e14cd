import Dispatch

/// Prints in order on a queue of its own, off the queue that runs the reducer.
///
/// A slow reader, such as a pager, does not block the work until so much output is queued that it
/// would take as much memory as the recordings.
final class SerialOutput: Sendable {
    private static let mostWaiting = 1 << 14

    private let queue = DispatchQueue(label: "tapedeck.output")
    private let room = DispatchSemaphore(value: mostWaiting)

    /// Queues output; blocks only while `mostWaiting` are queued.
    func callAsFunction(_ say: @escaping @Sendable () -> Void) {
        room.wait()
        queue.async { [room] in
            say()
            room.signal()
        }
    }

    /// Waits until all queued output is printed.
    func finish() {
        queue.sync {}
    }
}
