import Dispatch

/// Says things one after the other, off the queue that decides.
///
/// A reader that takes its time, such as a pager, keeps nobody from working; not before so much is
/// waiting to be said that it would take the memory of the recordings it is about.
final class SerialOutput: Sendable {
    private static let mostWaiting = 1 << 14

    private let queue = DispatchQueue(label: "tapedeck.output")
    private let room = DispatchSemaphore(value: mostWaiting)

    /// Says something when its turn comes; waits only where `mostWaiting` are before it.
    func callAsFunction(_ say: @escaping @Sendable () -> Void) {
        room.wait()
        queue.async { [room] in
            say()
            room.signal()
        }
    }

    /// Waits until all is said.
    func finish() {
        queue.sync {}
    }
}
