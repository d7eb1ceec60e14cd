import Recordings

extension Example {
    /// Figures of which there is at least one.
    package static func spread(_ figures: Double...) -> Spread {
        guard let spread = Spread(of: figures) else {
            preconditionFailure("a spread of nothing")
        }
        return spread
    }

    /// Two recordings decoded and listened to, and whole runs with one and two workers.
    package static func benchReport() -> BenchReport {
        let decode = BenchLine(
            container: .wav, encoding: .pcm16, stage: .decode, recordings: 2, soundSeconds: 600,
            hoursPerMinute: spread(70, 80, 90), cpuSeconds: spread(0.1, 0.12, 0.14),
            ratioToDecoding: spread(1))
        var listen = decode
        listen.stage = .listen
        listen.hoursPerMinute = spread(9.5, 10, 10.5)
        listen.cpuSeconds = spread(0.9, 0.96, 1)
        listen.ratioToDecoding = spread(7.5, 8, 8.5)
        let run = BenchRun(
            jobs: 1, hoursPerMinute: spread(2, 2.1, 2.3), factor: spread(1),
            cpuSeconds: spread(5), peakBytes: 23_400_000)
        var two = run
        two.jobs = 2
        two.hoursPerMinute = spread(3.6, 3.78, 4)
        two.factor = spread(1.7, 1.8, 1.9)
        return BenchReport(
            version: "0.1.0",
            machine: BenchMachine(
                processor: "Abacus 3000", cores: 2, system: "Linux x86_64", isOptimized: true),
            sound: BenchSound(
                path: "memos", recordings: 2, seconds: 600, bytes: 100_000_000, found: 2,
                undecodable: 0, digest: "00ff"),
            repeats: 3, stages: [decode, listen], runs: [run, two])
    }
}
