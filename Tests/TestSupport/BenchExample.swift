import Jobs
import Recordings

extension Example {
    /// Two recordings decoded and listened to, and whole runs with one and two workers.
    package static func benchReport() -> BenchReport {
        let format = AudioFormat(
            container: .wav, encoding: .pcm16, sampleRateHertz: 8_000, channels: 1,
            frames: 2_400_000)
        var recording = BenchRecording(format: format)
        recording.costs[.decode] = costs([1 / 14, 1 / 16, 1 / 18], cpuSeconds: 0.06)
        recording.costs[.listen] = costs([0.5, 1 / 1.9, 1 / 2.1], cpuSeconds: 0.48)
        var sound = BenchSound(path: "memos")
        sound.recordings = 2
        sound.seconds = 600
        sound.bytes = 100_000_000
        sound.found = 2
        let (one, two) = (costs([4.8, 5, 4.4]), costs([2.7, 2.5, 2.4]))
        return BenchReport(
            version: "0.1.0", sound: sound, stages: BenchLine.lines(of: [recording, recording]),
            runs: [
                BenchRun(jobs: 1, soundSeconds: 600, costs: one, first: one),
                BenchRun(jobs: 2, soundSeconds: 600, costs: two, first: one),
            ], repeats: 3)
    }

    private static func costs(_ wallSeconds: [Double], cpuSeconds: Double = 4) -> [BenchCost] {
        wallSeconds.map {
            BenchCost(wallSeconds: $0, cpuSeconds: cpuSeconds, peakBytes: 23_400_000)
        }
    }
}
