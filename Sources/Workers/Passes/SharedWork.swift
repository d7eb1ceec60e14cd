import Dispatch
import Synchronization

/// What workers have in common who make the pieces of one thing in any order, and join them in
/// theirs.
///
/// Whoever brings a piece joins what there is to join, one at a time. So nobody waits for the
/// joining, and no piece is left. What is made ahead is bounded: for who is too far ahead there is
/// no room. As long as nobody has given up, whoever has the first piece that is not joined does not
/// wait, however few of them really run at once; once somebody has, nobody waits any more, and each
/// who comes back wakes another.
final class SharedWork<Piece: Sendable>: Sendable {
    private let joints = Mutex(Joints<Piece>())
    private let room: DispatchSemaphore
    private let trouble = Cancellation()

    /// - Parameter ahead: Pieces that may be under way, or wait to be joined.
    init(ahead: Int) {
        // Made without any, as one that goes with fewer than it was made with is taken for in use.
        room = DispatchSemaphore(value: 0)
        for _ in 0..<ahead { room.signal() }
    }

    /// Whether somebody has given up.
    var isTroubled: Bool { trouble.isCancelled }

    /// Has so many workers do the same, and returns when all are done: whether none has given up.
    func run(by workers: Int, _ work: @Sendable () -> Void) -> Bool {
        DispatchQueue.concurrentPerform(iterations: workers) { _ in
            work()
            // Those who still wait for room are to see that nothing is left to take.
            room.signal()
        }
        return !isTroubled
    }

    /// Waits for room for another piece; whether it is still wanted.
    func waitForRoom() -> Bool {
        // The room that the refused piece and those behind it take up is never given back.
        if isTroubled { return false }
        room.wait()
        return !isTroubled
    }

    /// Nothing will come of it: all are to stop.
    func giveUp() { trouble.cancel() }

    /// Takes in a piece, and has those joined whose turn it is; gives up where one cannot be.
    func deliver<Failure>(
        _ piece: Piece, as number: Int, join: (Piece) throws(Failure) -> Bool
    ) throws(Failure) {
        joints.withLock { $0.deliver(piece, as: number) }
        while let next = joints.withLock({ $0.begin() }) {
            guard try join(next) else { return giveUp() }
            joints.withLock { $0.end() }
            room.signal()
        }
    }
}

/// Pieces in their order.
private struct Joints<Piece> {
    /// Those that wait for one before them, or for who joins them.
    private var waiting: [Int: Piece] = [:]
    private var isJoining = false
    private var joined = 0

    mutating func deliver(_ piece: Piece, as number: Int) { waiting[number] = piece }

    /// The next piece to be joined; `nil` where it has not come, or where somebody joins, who will
    /// ask for it.
    mutating func begin() -> Piece? {
        guard !isJoining, let next = waiting.removeValue(forKey: joined) else { return nil }
        isJoining = true
        return next
    }

    mutating func end() {
        isJoining = false
        joined += 1
    }
}
