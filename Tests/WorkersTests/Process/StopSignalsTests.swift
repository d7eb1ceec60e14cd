import Jobs
import Testing

@testable import Workers

@Suite struct PatienceWithStoppingTests {
    private static func end(of signals: [(StopSignal, Double)]) -> (StopSignal, Double)? {
        var patience = Patience()
        for (signal, seconds) in signals {
            if patience.isOver(nowSeconds: seconds) != nil { break }
            patience.note(signal, nowSeconds: seconds)
        }
        guard let left = patience.secondsLeft(nowSeconds: 0),
            let signal = patience.isOver(nowSeconds: left)
        else { return nil }
        return (signal, left)
    }

    @Test func oneSignalDoesNotForceStop() {
        #expect(Self.end(of: [(.terminate, 0)]) == nil)
        #expect(Self.end(of: [(.interrupt, 0)]) == nil)
    }

    /// The shell and the system tell of the same terminal.
    @Test func repeatedHangUpsDoNotForceStop() {
        #expect(Self.end(of: [(.hangUp, 0), (.hangUp, 3), (.interrupt, 5), (.hangUp, 7)]) == nil)
    }

    @Test func laterSecondSignalForcesStopAtOnce() throws {
        let end = try #require(Self.end(of: [(.interrupt, 10), (.terminate, 11.5)]))
        #expect(end == (.terminate, 11.5))
    }

    /// A key that is pressed twice is let go of; but what hangs is ended all the same.
    @Test func quickSecondSignalForcesDelayedStop() throws {
        let end = try #require(Self.end(of: [(.interrupt, 10), (.interrupt, 10.2)]))
        #expect(end == (.interrupt, 14))
        let third = try #require(
            Self.end(of: [(.interrupt, 10), (.interrupt, 10.2), (.interrupt, 12)]))
        #expect(third == (.interrupt, 12))
    }
}
