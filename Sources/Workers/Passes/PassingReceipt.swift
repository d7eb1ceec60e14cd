import Dispatch
import Synchronization

/// What there is to know of a file's bytes, found out as they go by.
///
/// To take the digest of a long file takes as long as to read and write it. Where there is a worker
/// for it, it does so while the bytes that follow are read and written. Memory: none, or with such
/// a worker `chunksAhead` times what comes at once.
final class PassingReceipt: Sendable {
    private let running = Mutex(RunningReceipt())
    private let beside: Beside?

    private struct Beside {
        let queue = DispatchQueue(label: "tapedeck.receipt")
        // Made without any, as one that goes with fewer than it was made with is taken for in use.
        let room = DispatchSemaphore(value: 0)
    }

    private static let chunksAhead = 3

    /// - Parameter isShared: Whether another worker is to take the digest.
    init(isShared: Bool) {
        beside = isShared ? Beside() : nil
        for _ in 0..<PassingReceipt.chunksAhead { beside?.room.signal() }
    }

    /// Takes in the next bytes; waits, where the other worker is too far behind.
    func add(_ bytes: UnsafeRawBufferPointer) {
        guard let beside else { return running.withLock { $0.add(bytes) } }
        beside.room.wait()
        let chunk = [UInt8](bytes)
        beside.queue.async { [self] in
            chunk.withUnsafeBytes { bytes in running.withLock { $0.add(bytes) } }
            beside.room.signal()
        }
    }

    /// Of all bytes so far.
    var receipt: StagedOutput.Receipt {
        // Behind all that is under way.
        beside?.queue.sync {}
        return running.withLock { $0.receipt }
    }
}
