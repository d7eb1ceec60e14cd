import Benchmark
import CLanes
import PlainLanes

/// The innermost loops of the analysis as wide as this processor can, each beside what every
/// processor can: only while that is slower has CLanes a reason to be.
func measureLanes() {
    let count = 22_050
    let samples = (0..<4 * count).map { Float($0 % 997) / 997 - 0.5 }
    let filter = lowPass()

    /// So many of all, in whole groups.
    func whole(_ group: Int32) -> Int { count / Int(group) * Int(group) }
    func measure(
        _ name: String, _ wide: @escaping (UnsafeMutablePointer<Float>) -> Void,
        _ plain: @escaping (UnsafeMutablePointer<Float>) -> Void
    ) {
        for (kind, run) in [("as wide as can be", wide), ("floor, as anywhere", plain)] {
            Benchmark("Lanes: \(name), \(kind)") { benchmark in
                var outputs = [Float](repeating: 0, count: 2 * count)
                benchmark.startMeasurement()
                for _ in benchmark.scaledIterations {
                    for _ in 0..<20 { run(&outputs) }
                    blackHole(outputs)
                }
            }
        }
    }

    measure("low-pass") {
        lanes_low_pass(samples, filter, 2, $0, whole(LANES_GROUP))
    } _: {
        plain_low_pass(samples, filter, 2, $0, whole(LANES_GROUP))
    }
    var levels = [LanesLevels](repeating: LanesLevels(), count: 2)
    measure("levels") { _ in
        lanes_level_sums(samples, whole(LANES_SUMS), 2, &levels)
    } _: { _ in
        plain_level_sums(samples, whole(LANES_SUMS), 2, &levels)
    }
    let pairs = samples.map { Int16($0 * 65_534) }
    /// A mix and its ranges, those of all pixels.
    func mixing(
        _ mix: @escaping (UnsafePointer<Int16>, Int, UnsafeMutablePointer<Int16>) -> Void,
        _ range: @escaping (UnsafePointer<Int16>, Int, Int, UnsafeMutablePointer<Int16>) -> Void
    ) -> (UnsafeMutablePointer<Float>) -> Void {
        { _ in
            var mixed = [Int16](repeating: 0, count: 2 * count)
            let pixels = mixed.count / 256
            var ends = [Int16](repeating: 0, count: 2 * pixels)
            mix(pairs, mixed.count, &mixed)
            range(mixed, 256, pixels, &ends)
            blackHole(ends)
        }
    }
    measure(
        "mix and range", mixing(lanes_mix_pairs, lanes_ranges),
        mixing(plain_mix_pairs, plain_ranges))
    /// A block of the speech network over some hundred steps.
    func separable(
        _ loop:
            @escaping (
                UnsafePointer<Int16>, Int, UnsafePointer<LanesLayer>, UnsafePointer<LanesLayer>,
                Int, UnsafeMutablePointer<Int16>
            )
            -> Void
    ) -> (UnsafeMutablePointer<Float>) -> Void {
        let channels = Int(LANES_NETWORK_CHANNELS)
        let rows = (0..<channels * 816).map { Int16($0 % 7 * 100) }
        let weights = (0..<channels * channels).map { Int16($0 % 13 * 50 - 300) }
        let offsets = [Int32](repeating: 4096, count: channels)
        var outputs = [Int16](repeating: 0, count: channels * 792)
        return { _ in
            weights.withUnsafeBufferPointer { weights in
                offsets.withUnsafeBufferPointer { offsets in
                    rows.withUnsafeBufferPointer { rows in
                        guard let first = rows.baseAddress, let weights = weights.baseAddress,
                            let offsets = offsets.baseAddress
                        else { return }
                        var layer = LanesLayer(weights: weights, offsets: offsets)
                        let across = layer
                        withUnsafePointer(to: across) {
                            loop(first + channels * 8, 4, &layer, $0, 792, &outputs)
                        }
                    }
                }
            }
            blackHole(outputs)
        }
    }
    measure("separable block", separable(lanes_separable_rows), separable(plain_separable_rows))
}

/// One as for two channels at 44.1 kHz, for as long as the process lives.
private func lowPass() -> UnsafePointer<LanesLowPass> {
    func kept<Value>(_ values: [Value]) -> UnsafeMutablePointer<Value> {
        let place = UnsafeMutablePointer<Value>.allocate(capacity: values.count)
        place.initialize(from: values, count: values.count)
        return place
    }
    let arms = kept([LanesArm(before: 48, after: 50)])
    let weights = kept([0.3, -0.1, 0.05, -0.02, 0.01] as [Float])
    return UnsafePointer(
        kept([
            LanesLowPass(
                arms: arms, armCount: 1, weights: weights, tapCount: 5, centre: 50,
                centreWeight: 0.5)
        ]))
}
