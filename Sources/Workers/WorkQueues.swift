import Dispatch
import Synchronization

/// The queues on which commands run.
///
/// The queues limit nothing: the state decides how many passes run at once.
final class WorkQueues: Sendable {
    let scanning = DispatchQueue(label: "tapedeck.scanning")
    /// Serial: for all that changes the record, or names in the output.
    let keeping = DispatchQueue(label: "tapedeck.keeping")
    /// Serial: for exports and split files, which others do not wait for.
    let exporting = DispatchQueue(label: "tapedeck.exporting")
    /// The idle queues for passes, the most recently used one last.
    ///
    /// That queue's thread may still be handling its answer. It then runs the next pass right
    /// after, which is sooner than another thread would wake.
    private let idle = Mutex<[DispatchQueue]>([])

    /// A queue for one pass at a time; one concurrent queue would run only as many passes as there
    /// are cores, even if they wait for a disk or a share.
    func takeForSound() -> DispatchQueue {
        idle.withLock { $0.popLast() } ?? DispatchQueue(label: "tapedeck.sound")
    }

    func giveBack(_ queue: DispatchQueue) { idle.withLock { $0.append(queue) } }
}
