import Benchmark
import Recordings
import StoreRuns

/// Spelling and reading a manifest of ten thousand recordings; the floor is to go over its bytes.
func measureManifests() {
    let count = 10_000
    func entries() -> [ManifestEntry] {
        (0..<count).map { number in
            var entry = ManifestEntry(
                name: Pathname("recording \(number).wav"), status: .done,
                source: FileStamp(bytes: 960_044, modifiedNanoseconds: Int64(number)))
            entry.format = AudioFormat(
                container: .wav, encoding: .pcm16, sampleRateHertz: 48_000, channels: 1,
                frames: 480_000)
            entry.levels = Levels(
                peakDBFS: [-3.25], rmsDBFS: [-20.5], dcOffset: [0.000_1], clippedSamples: [0],
                samplesBeyondFullScale: [0])
            entry.silence = SilenceMap(
                noiseFloorDBFS: -60.5, signalToNoiseDecibels: 40.25, confidence: 0.97,
                separable: true, silent: false,
                intervalsSeconds: [[0, 1.52], [4.03, 5.11], [9.2, 10]])
            return entry
        }
    }
    func spelled(_ entries: [ManifestEntry]) -> [UInt8] {
        var json = JSONWriter()
        json.array(entries) { $0.put($1) }
        return json.bytes
    }
    Benchmark("Manifest: spelling") { benchmark in
        let entries = entries()
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations { blackHole(spelled(entries)) }
    }
    Benchmark("Manifest: reading") { benchmark in
        let text = spelled(entries())
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations {
            let read = try JSONCursor.read(text) { (json) throws(JSONCursor.Malformed) in
                try json.array { (json) throws(JSONCursor.Malformed) in
                    try ManifestEntry(&json)
                }
            }
            precondition(read.count == count)
            blackHole(read)
        }
    }
    Benchmark("Manifest: floor, going over its bytes") { benchmark in
        let text = spelled(entries())
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations {
            var lines = 0
            for byte in text where byte == UInt8(ascii: "\n") { lines += 1 }
            blackHole(lines)
        }
    }
}

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
