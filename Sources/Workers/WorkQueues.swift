import Dispatch
import Synchronization

/// Where commands are carried out, but for manifests, which have a queue of their own.
///
/// None of them limits anything: how many passes run at once is decided in the state.
final class WorkQueues: Sendable {
    let scanning = DispatchQueue(label: "tapedeck.scanning")
    /// Serial: what is discarded is gone before the run ends, what is recorded was synced.
    let keeping = DispatchQueue(label: "tapedeck.keeping")
    /// Those for sound that have no pass, the one that was last given back at the end.
    ///
    /// Its thread may still be at what follows from its answer: a pass that is ordered meanwhile is
    /// taken up by the same thread right behind that, which is sooner than another would wake.
    private let idle = Mutex<[DispatchQueue]>([])

    /// A queue for a pass, which nobody else is given meanwhile: a concurrent one would run no more
    /// at once than there are cores, though what runs waits for a disk or a share.
    func takeForSound() -> DispatchQueue {
        idle.withLock { $0.popLast() } ?? DispatchQueue(label: "tapedeck.sound")
    }

    func giveBack(_ queue: DispatchQueue) { idle.withLock { $0.append(queue) } }
}
