import Benchmark
import StoreRuns

/// Every decision of a run over ten thousand recordings; the floor is a dictionary in a loop.
func measureStore() {
    let jobs = 10_000
    Benchmark("Store: a whole run") { benchmark in
        let actions = JobStoreRun.actions(jobs: jobs)
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations { blackHole(JobStoreRun.replay(actions)) }
    }
    Benchmark("Store: the driver's loop, as many times") { benchmark in
        for _ in benchmark.scaledIterations { DriverLoop.run(trips: 3 * jobs) }
    }
    Benchmark("Store: floor, a dictionary in a loop") { benchmark in
        for _ in benchmark.scaledIterations {
            var loop = DictionaryLoop(jobs: jobs)
            loop.run()
            blackHole(loop.settled)
        }
    }
}
