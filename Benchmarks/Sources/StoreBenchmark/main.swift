import Glibc
import StoreRuns

// First of all, while no memory has been given back that could be used again.
let bytes = JobStoreRun.bytesPerWaitingJob(jobs: 1_000_000, resident: residentBytes)
print("A waiting job takes \(bytes) bytes beyond its path.\n")

print("| store | jobs | actions | actions/s | ns an action |")
print("|---|---|---|---|---|")

// One size alone, for a profiler.
let sizes =
    CommandLine.arguments.dropFirst().first.flatMap { Int($0) }.map { [$0] }
    ?? [1_000, 100_000, 1_000_000]
for jobs in sizes {
    report("job store", jobs) {
        let actions = JobStoreRun.actions(jobs: jobs)
        return {
            precondition(JobStoreRun.replay(actions) > jobs)
            return actions.count
        }
    }
}
if CommandLine.arguments.count > 1 { exit(0) }
for jobs in sizes {
    report("dictionary in a loop", jobs) {
        var loop = DictionaryLoop(jobs: jobs)
        return {
            loop.run()
            precondition(loop.settled == jobs)
            return loop.actions
        }
    }
}
for (jobs, actions) in [(1_000, 100_000), (20_000, 20_000)] {
    report("textbook store", jobs) {
        var seen = 0
        let store = TextbookStore(jobs: jobs) { seen += $0.settled - $1.settled }
        return {
            for number in 0..<actions { store.dispatch(.advanced(number % jobs)) }
            precondition(seen == store.state.settled)
            return store.actions
        }
    }
}

report("driver's whole loop", 0) {
    {
        DriverLoop.run(trips: 300_000)
        return 300_000
    }
}

/// As the system counts it; 0 where it does not say.
func residentBytes() -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    fgets(&line, Int32(line.count), file)
    let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return (Int(text.split(separator: " ").dropFirst().first ?? "0") ?? 0) * Int(getpagesize())
}

/// Prints the median of five runs, each made ready outside of the time that counts.
func report(_ store: String, _ jobs: Int, _ prepare: () -> () -> Int) {
    var actions = 0
    let seconds = (0..<5).map { _ in
        let run = prepare()
        let start = cpuSeconds()
        actions = run()
        return cpuSeconds() - start
    }
    let median = seconds.sorted()[2]
    let perSecond = Int(Double(actions) / median)
    let nanoseconds = Int((median / Double(actions) * 1e9).rounded())
    print("| \(store) | \(jobs) | \(actions) | \(perSecond) | \(nanoseconds) |")
}

/// Of this process: what others do meanwhile does not count.
func cpuSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
