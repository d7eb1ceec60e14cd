/// The latest samples of one channel, known by their place in the recording.
struct SampleQueue {
    /// The place of the oldest sample held; negative in the padding before the recording.
    private(set) var start: Int
    private var samples: [Float] = []

    /// An empty queue whose first sample will have this place.
    init(start: Int) {
        self.start = start
    }

    /// The place behind the newest sample.
    var end: Int { start + samples.count }
    var first: Float? { samples.first }
    var last: Float? { samples.last }

    /// Appends so many samples, which `fill` writes.
    mutating func append(count: Int, _ fill: (UnsafeMutableBufferPointer<Float>) -> Void) {
        let old = samples.count
        samples.append(contentsOf: repeatElement(0, count: count))
        samples.withUnsafeMutableBufferPointer {
            fill(UnsafeMutableBufferPointer(rebasing: $0[old...]))
        }
    }

    mutating func append(repeating sample: Float, count: Int) {
        samples.append(contentsOf: repeatElement(sample, count: count))
    }

    /// Appends every `channels`th sample, beginning with the `channel`th.
    mutating func append(
        _ interleaved: UnsafeBufferPointer<Float>, channel: Int, channels: Int
    ) {
        let count = interleaved.count / channels
        append(count: count) { samples in
            for index in 0..<count {
                samples[index] = interleaved[index &* channels &+ channel].numberOrZero
            }
        }
    }

    /// Forgets what lies before a place, now and then, so that moving the rest costs little.
    mutating func drop(before place: Int) {
        let count = min(place - start, samples.count)
        guard count > 4096 else { return }
        samples.removeFirst(count)
        start += count
    }

    /// Lends the samples from `place` on.
    func withSamples<Result>(
        from place: Int, _ body: (UnsafeBufferPointer<Float>) -> Result
    ) -> Result {
        samples.withUnsafeBufferPointer {
            body(UnsafeBufferPointer(rebasing: $0[(place - start)...]))
        }
    }
}
