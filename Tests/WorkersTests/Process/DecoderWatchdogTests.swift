import Dispatch
import Glibc
import Jobs
import Recordings
import Synchronization
import TestSupport
import Testing

@testable import Workers

@Suite struct DecoderWatchdogTests {
    private static let stuck = Job.Action.failed(
        RecordingFailure(stage: .decode, reason: .decoderStuck), measured: nil)

    /// What this process has used of processors.
    private var cpuSeconds: Double { Double(clock()) / 1e6 }

    /// Answers by recording, in order.
    private final class Answers: Sendable {
        private let all = Mutex<[(RecordingID, Job.Action)]>([])

        func send(_ id: RecordingID, _ action: Job.Action) {
            all.withLock { $0.append((id, action)) }
        }

        func of(_ id: Int) -> [Job.Action] {
            all.withLock { $0.filter { $0.0 == RecordingID(id) }.map(\.1) }
        }
    }

    @Test func busyDecoderWithoutOutputIsReportedAsStuck() {
        let watchdog = DecoderWatchdog(mostSeconds: 0.02)
        let answers = Answers()
        let own = watchdog.watch(RecordingID(0), bytes: 0) { watch in
            watch.begin()
            while answers.of(0).isEmpty { watchdog.check(answers.send) }
            return .cancelled
        }
        // It is answered once: what the decoder says later is not sent.
        #expect(own == nil)
        #expect(answers.of(0) == [Self.stuck])
    }

    @Test func progressingDecoderIsNotReported() {
        let watchdog = DecoderWatchdog(mostSeconds: 0.02)
        let answers = Answers()
        let own = watchdog.watch(RecordingID(0), bytes: 0) { watch in
            let start = cpuSeconds
            while cpuSeconds - start < 0.1 {
                watch.begin()
                watchdog.check(answers.send)
            }
            return .cancelled
        }
        #expect(own == .cancelled && answers.of(0).isEmpty)
    }

    /// Some have to be read from their beginning to come to a place in them.
    @Test func largeFileGetsMoreTime() {
        let watchdog = DecoderWatchdog(mostSeconds: 0.02)
        let answers = Answers()
        let own = watchdog.watch(RecordingID(0), bytes: 5_000_000_000) { watch in
            watch.begin()
            let start = cpuSeconds
            while cpuSeconds - start < 0.1 { watchdog.check(answers.send) }
            return .cancelled
        }
        #expect(own == .cancelled && answers.of(0).isEmpty)
    }

    /// As on a share that does not answer; and what is worked out afterwards is not the decoder's.
    @Test func waitingOrFinishedDecoderIsNotReported() {
        let watchdog = DecoderWatchdog(mostSeconds: 0.02)
        let answers = Answers()
        let (isWaiting, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let ended = DispatchSemaphore(value: 0)
        SystemThread.start {
            let own = watchdog.watch(RecordingID(1), bytes: 0) { watch in
                watch.begin()
                isWaiting.signal()
                mayGoOn.wait()
                return .cancelled
            }
            #expect(own == .cancelled)
            ended.signal()
        }
        isWaiting.wait()
        let own = watchdog.watch(RecordingID(0), bytes: 0) { watch in
            watch.begin()
            watch.end()
            let start = cpuSeconds
            while cpuSeconds - start < 0.1 { watchdog.check(answers.send) }
            return .cancelled
        }
        mayGoOn.signal()
        ended.wait()
        #expect(own == .cancelled && answers.of(0).isEmpty && answers.of(1).isEmpty)
    }

    /// Others may wait for a lock that the one which hangs holds.
    @Test func otherJobsAreCancelledAfterStuckDecoder() {
        let watchdog = DecoderWatchdog(mostSeconds: 0.02)
        let answers = Answers()
        let (isWaiting, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let ended = DispatchSemaphore(value: 0)
        SystemThread.start {
            let own = watchdog.watch(RecordingID(1), bytes: 0) { watch in
                isWaiting.signal()
                mayGoOn.wait()
                return .cancelled
            }
            #expect(own == nil)
            ended.signal()
        }
        isWaiting.wait()
        var checks = 0
        _ = watchdog.watch(RecordingID(0), bytes: 0) { watch in
            watch.begin()
            while answers.of(0).isEmpty { watchdog.check(answers.send) }
            while answers.of(1).isEmpty {
                checks += 1
                watchdog.check(answers.send)
            }
            return .cancelled
        }
        mayGoOn.signal()
        ended.wait()
        #expect(answers.of(0) == [Self.stuck] && answers.of(1) == [.cancelled])
        // Five a second: they get some seconds.
        #expect(checks == 25)
    }
}

@Suite struct LengthLimitTests {
    private func reason(
        _ seconds: Double, bytes: Int64, rate: Int = 8000, hours: Double = 48
    ) -> RecordingFailure.Reason? {
        let format = AudioFormat(
            container: .flac, encoding: .pcm16, sampleRateHertz: rate, channels: 1, frames: 0)
        do throws(RecordingFailure) {
            try LengthLimit(hours: hours).check(
                frames: Int64(seconds * Double(rate)), format, bytes: bytes)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test func hourOfAudioIsPlausibleForAnyFile() {
        #expect(reason(3600, bytes: 822) == nil)
        #expect(reason(3601, bytes: 822) == .implausibleLength)
        #expect(reason(3601, bytes: 822, rate: 44_100) == .implausibleLength)
        #expect(reason(1e6, bytes: 300, rate: 10) == .implausibleLength)
    }

    /// The longest blocks of FLAC, 65,535 samples, of digital silence, take 14 bytes.
    @Test(arguments: [1, 10, 1000, 8000, 44_100, 192_000])
    func silentFLACOfManyHoursIsPlausible(rate: Int) {
        let seconds = 65_535 / Double(rate)
        for hours in [1.0, 5, 40] {
            let blocks = (3600 * hours / seconds).rounded(.up)
            #expect(reason(3600 * hours, bytes: Int64(14 * blocks) + 42, rate: rate) == nil)
        }
    }

    @Test func recordingOverHourLimitIsTooLong() {
        let bytes: Int64 = 1 << 40
        #expect(reason(48 * 3600, bytes: bytes) == nil)
        #expect(reason(48 * 3600 + 1, bytes: bytes) == .tooLong)
        #expect(reason(48 * 3600 + 1, bytes: bytes, hours: 49) == nil)
        #expect(reason(3600, bytes: bytes, hours: 0.5) == .tooLong)
    }
}
