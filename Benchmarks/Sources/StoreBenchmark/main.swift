import Dispatch

#if canImport(Glibc)
    import Glibc
#endif

func cpuSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

for jobs in [100_000, 100_000] {
    var best = Double.infinity
    var actions = 0
    for _ in 0..<3 {
        var run = JobStoreRun(jobs: jobs)
        let start = cpuSeconds()
        run.run()
        best = min(best, cpuSeconds() - start)
        actions = run.actions
    }
    print(jobs, actions, best, Double(actions) / best, best / Double(actions) * 1e9, "ns")
}
