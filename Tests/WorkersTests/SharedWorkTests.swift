import Dispatch
import Synchronization
import Testing

@testable import Workers

@Suite struct SharedWorkTests {
    private struct Trouble: Error {}

    /// Has some workers bring numbers, and gives those that were joined.
    private func joined(
        _ count: Int, workers: Int, ahead: Int, refusing refused: Int? = nil,
        failingAt failed: Int? = nil
    ) -> (isThrough: Bool, numbers: [Int]) {
        let work = SharedWork<Int>(ahead: ahead)
        let next = Atomic(0)
        let numbers = Mutex<[Int]>([])
        let isThrough = work.run(by: workers) {
            while work.waitForRoom() {
                let number = next.add(1, ordering: .relaxed).oldValue
                guard number < count else { return }
                do {
                    try work.deliver(10 * number, as: number) { piece in
                        // Whoever joins it, who need not be the one that brought it.
                        if piece == failed.map({ 10 * $0 }) { throw Trouble() }
                        if piece == refused.map({ 10 * $0 }) { return false }
                        numbers.withLock { $0.append(piece) }
                        return true
                    }
                } catch {
                    work.giveUp()
                }
            }
        }
        return (isThrough, numbers.withLock { $0 })
    }

    @Test(arguments: [(1, 1), (2, 1), (2, 6), (7, 3), (4, 40)])
    func piecesAreJoinedInTheirOrder(workers: Int, ahead: Int) {
        for count in [0, 1, 2, 500] {
            let (isThrough, numbers) = joined(count, workers: workers, ahead: ahead)
            #expect(isThrough && numbers == (0..<count).map { 10 * $0 })
        }
    }

    @Test func whereOneCannotBeJoinedAllStop() {
        let (isThrough, numbers) = joined(500, workers: 3, ahead: 4, refusing: 20)
        #expect(!isThrough && numbers == (0..<20).map { 10 * $0 })
    }

    /// Of long digital silence one worker fills all the room while another hears the section before
    /// it, which is then refused.
    @Test func whereOneCannotBeJoinedBehindWhichAllRoomIsTakenAllStop() {
        let work = SharedWork<Int>(ahead: 4)
        let next = Atomic(0)
        let isFull = DispatchSemaphore(value: 0)
        let isThrough = work.run(by: 2) {
            while work.waitForRoom() {
                let number = next.add(1, ordering: .relaxed).oldValue
                if number == 0 { isFull.wait() }
                work.deliver(number, as: number) { _ in false }
                if number == 3 { isFull.signal() }
            }
        }
        #expect(!isThrough)
    }

    @Test func piecesAreJoinedInTheirOrderHoweverTheyCome() {
        let work = SharedWork<Int>(ahead: 5)
        let joined = Mutex<[Int]>([])
        for number in [2, 1, 4, 0, 3] {
            work.deliver(number, as: number) { piece in
                joined.withLock { $0.append(piece) }
                return true
            }
            #expect(
                joined.withLock { $0 }
                    == (number == 0 ? [0, 1, 2] : number == 3 ? Array(0...4) : []))
        }
    }

    @Test func whereOneFailsAllStop() {
        let (isThrough, numbers) = joined(500, workers: 3, ahead: 4, failingAt: 20)
        #expect(!isThrough && numbers == (0..<20).map { 10 * $0 })
    }

    /// What is not joined takes up room, so that nobody can be further ahead.
    @Test func whoIsTooFarAheadWaits() {
        let work = SharedWork<Int>(ahead: 3)
        let taken = Atomic(0)
        let most = Mutex(0)
        let isThrough = work.run(by: 3) {
            while work.waitForRoom() {
                let number = taken.add(1, ordering: .sequentiallyConsistent).oldValue
                guard number < 300 else { return }
                work.deliver(number, as: number) { piece in
                    let ahead = min(300, taken.load(ordering: .sequentiallyConsistent)) - piece
                    most.withLock { $0 = max($0, ahead) }
                    return true
                }
            }
        }
        #expect(isThrough && most.withLock { $0 } <= 3)
    }
}
