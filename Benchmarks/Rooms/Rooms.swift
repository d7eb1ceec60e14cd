import Benchmark

/// What is measured, each group with its floor: what nothing that does this work can get below.
let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = .init(
        metrics: [.wallClock, .throughput, .cpuTotal], warmupIterations: 1,
        maxDuration: .seconds(2), maxIterations: 1_000)
    measureDecoding()
    measureLanes()
    measureConsumers()
    measureListening()
    measureTrimming()
    measureStore()
}
