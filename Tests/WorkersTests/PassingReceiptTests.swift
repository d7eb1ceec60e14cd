import TestSupport
import Testing

@testable import Workers

@Suite struct PassingReceiptTests {
    @Test(arguments: [false, true]) func isThatOfAllBytesInTheirOrder(isShared: Bool) {
        var random = SeededGenerator(seed: 4)
        let passing = PassingReceipt(isShared: isShared)
        var all: [UInt8] = []
        for count in [0, 1, 100_000, 3, 65, 1_000_000, 0, 7] + Array(repeating: 5000, count: 40) {
            let chunk = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            all += chunk
            chunk.withUnsafeBytes { passing.add($0) }
        }
        let receipt = passing.receipt
        #expect(receipt.bytes == Int64(all.count))
        #expect(receipt.sha256 == SHA256.hexadecimal(of: all))
    }

    /// Somebody may stop in the middle, and want nothing of it: what is under way ends all
    /// the same.
    ///
    /// A process of its own, since Dispatch ends one that lets go of what is in use.
    @Test func mayBeLetGoOf() async {
        await #expect(processExitsWith: .success) {
            for _ in 0..<50 {
                let passing = PassingReceipt(isShared: true)
                for _ in 0..<5 { [UInt8](repeating: 1, count: 10_000).withUnsafeBytes(passing.add) }
            }
        }
    }
}
