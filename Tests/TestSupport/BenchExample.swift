import Jobs
import Recordings

extension Example {
    /// Two recordings in whole runs with one and two workers.
    package static func benchReport() -> BenchReport {
        var sound = BenchSound(path: "memos")
        sound.recordings = 2
        sound.seconds = 600
        sound.bytes = 100_000_000
        return BenchReport(
            version: "0.1.0", sound: sound, repeats: 3,
            runs: [
                BenchRun(jobs: 1, sound, costs: costs([4.8, 5, 4.4])),
                BenchRun(jobs: 2, sound, costs: costs([2.7, 2.5, 2.4])),
            ])
    }

    private static func costs(_ wallSeconds: [Double]) -> [BenchCost] {
        wallSeconds.map { BenchCost(wallSeconds: $0, cpuSeconds: 4, peakBytes: 23_400_000) }
    }
}
