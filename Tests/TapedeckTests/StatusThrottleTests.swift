import Dispatch
import Synchronization
import Testing

@testable import tapedeck

@Suite struct StatusThrottleTests {
    /// What was told, and somebody to wait for it.
    private final class Ear: Sendable {
        private let heard = Mutex<[(text: String, time: DispatchTime)]>([])
        private let something = DispatchSemaphore(value: 0)
        let queue = DispatchQueue(label: "tapedeck.test")

        func hear(_ text: String) {
            heard.withLock { $0.append((text, .now())) }
            something.signal()
        }

        /// Waits for one more.
        func wait() -> Bool { something.wait(timeout: .now() + 30) == .success }

        var texts: [String] { heard.withLock { $0.map(\.text) } }
        var times: [UInt64] { heard.withLock { $0.map(\.time.uptimeNanoseconds) } }
    }

    private func notice(_ ear: Ear, pause: DispatchTimeInterval) -> StatusThrottle {
        StatusThrottle(on: ear.queue, pause: pause) { ear.hear($0) }
    }

    @Test func tellsTheFirstAtOnce() {
        let ear = Ear()
        notice(ear, pause: .seconds(3600)).take("idle")
        #expect(ear.wait())
        #expect(ear.texts == ["idle"])
    }

    @Test func tellsNothingTwiceInARow() {
        let ear = Ear()
        let notice = notice(ear, pause: .nanoseconds(0))
        for text in ["idle", "1 running"] {
            notice.take(text)
            #expect(ear.wait())
            for _ in 0..<5 {
                notice.take(text)
                ear.queue.sync {}
            }
        }
        #expect(ear.texts == ["idle", "1 running"])
    }

    @Test func tellsTheLastOfWhatCameTooSoon() {
        let ear = Ear()
        let pauseNanoseconds = 50_000_000
        let notice = notice(ear, pause: .nanoseconds(pauseNanoseconds))
        notice.take("starting")
        #expect(ear.wait())
        ear.queue.suspend()
        for text in ["1 running", "2 running", "idle"] { notice.take(text) }
        ear.queue.resume()
        #expect(ear.wait())
        #expect(ear.texts == ["starting", "idle"])
        #expect(ear.times[1] - ear.times[0] >= UInt64(pauseNanoseconds))
    }
}
