/// The latest frames of a recording, interleaved and known by their place in it.
struct FrameQueue {
    let channels: Int
    /// The place of the oldest frame held; negative in the padding before the recording.
    private(set) var start: Int
    private var samples: [Float] = []

    /// An empty queue whose first frame will have this place.
    init(start: Int, channels: Int) {
        self.start = start
        self.channels = channels
    }

    /// The place behind the newest frame.
    var end: Int { start + samples.count / channels }

    /// Appends whole frames.
    mutating func append(_ frames: some Collection<Float>) {
        samples.append(contentsOf: frames)
    }

    /// Appends one frame so many times.
    mutating func append(repeating frame: some Collection<Float>, count: Int) {
        for _ in 0..<count { samples.append(contentsOf: frame) }
    }

    /// Forgets what lies before a place, now and then, so that moving the rest costs little.
    mutating func drop(before place: Int) {
        let count = min(place - start, samples.count / channels)
        guard count * channels > 4096 else { return }
        samples.removeFirst(count * channels)
        start += count
    }

    /// Lends `count` frames from `place` on, all of which are there.
    func withFrames<Result>(
        from place: Int, count: Int, _ body: (UnsafePointer<Float>) -> Result
    ) -> Result {
        precondition(start <= place && place + count <= end, "only what is there is lent")
        return samples.withUnsafeBufferPointer { samples in
            // Not empty, since it holds what is asked for.
            guard let base = samples.baseAddress else { preconditionFailure("no frames") }
            return body(base + (place - start) * channels)
        }
    }
}
