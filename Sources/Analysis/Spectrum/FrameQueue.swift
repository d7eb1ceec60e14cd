/// A queue of interleaved frames, addressed by their position in the recording.
struct FrameQueue {
    let channels: Int
    /// The position of the oldest frame held; negative in the padding before the recording.
    private(set) var start: Int
    /// A buffer just large enough for the frames held and the next ones, to stay in the cache; when
    /// full, the frames held are moved to its beginning.
    private var room: [Float] = []
    /// The range of the buffer that is in use.
    private var held = 0..<0

    /// An empty queue whose first frame will have position `start`.
    init(start: Int, channels: Int) {
        self.start = start
        self.channels = channels
    }

    /// The position after the newest frame.
    var end: Int { start + held.count / channels }

    /// Appends complete frames.
    mutating func append(_ frames: some Collection<Float>) {
        precondition(frames.count.isMultiple(of: channels), "frames are whole")
        append(count: frames.count / channels) {
            _ = UnsafeMutableBufferPointer(start: $0, count: frames.count).initialize(from: frames)
        }
    }

    /// Appends one frame `count` times.
    mutating func append(repeating frame: some Collection<Float>, count: Int) {
        makeRoom(for: count * channels)
        for _ in 0..<count { append(frame) }
    }

    /// Appends `count` frames that `write` stores at its argument; it may also overwrite `spare`
    /// samples after them, which are ignored.
    mutating func append(
        count: Int, spare: Int = 0, write: (UnsafeMutablePointer<Float>) -> Void
    ) {
        makeRoom(for: count * channels + spare)
        let end = held.upperBound
        room.withUnsafeMutableBufferPointer { room in
            // The address is nil only if there is nothing to write.
            if let base = room.baseAddress { write(base + end) }
        }
        held = held.lowerBound..<end + count * channels
    }

    /// Discards the frames before a position.
    mutating func drop(before place: Int) {
        let count = max(0, min(place, end) - start)
        start += count
        held = held.lowerBound + count * channels..<held.upperBound
    }

    /// Passes `body` a pointer to `count` frames from `place` on, all of which must be held.
    func withFrames<Result>(
        from place: Int, count: Int, _ body: (UnsafePointer<Float>) -> Result
    ) -> Result {
        precondition(start <= place && place + count <= end, "only what is there is lent")
        return room.withUnsafeBufferPointer { room in
            // The buffer is not empty, since it holds the requested frames.
            guard let base = room.baseAddress else { preconditionFailure("no frames") }
            return body(base + held.lowerBound + (place - start) * channels)
        }
    }

    /// Makes room for `count` samples after those held.
    private mutating func makeRoom(for count: Int) {
        guard held.upperBound + count > room.count else { return }
        let (from, kept) = (held.lowerBound, held.count)
        room.withUnsafeMutableBufferPointer {
            // Both ranges lie within the buffer.
            if let base = $0.baseAddress { base.update(from: base + from, count: kept) }
        }
        held = 0..<kept
        let lacking = kept + count - room.count
        if lacking > 0 { room.append(contentsOf: repeatElement(0, count: lacking)) }
    }
}
