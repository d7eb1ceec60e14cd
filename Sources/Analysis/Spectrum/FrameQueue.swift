/// The latest frames of a recording, interleaved and known by their place in it.
struct FrameQueue {
    let channels: Int
    /// The place of the oldest frame held; negative in the padding before the recording.
    private(set) var start: Int
    /// Room for what is held and for what comes next, and for no more, so that it stays in the
    /// cache: what is held is moved to its beginning whenever it is full.
    private var room: [Float] = []
    /// Where in the room the samples lie that are held.
    private var held = 0..<0

    /// An empty queue whose first frame will have this place.
    init(start: Int, channels: Int) {
        self.start = start
        self.channels = channels
    }

    /// The place behind the newest frame.
    var end: Int { start + held.count / channels }

    /// Appends whole frames.
    mutating func append(_ frames: some Collection<Float>) {
        precondition(frames.count.isMultiple(of: channels), "frames are whole")
        append(count: frames.count / channels) {
            _ = UnsafeMutableBufferPointer(start: $0, count: frames.count).initialize(from: frames)
        }
    }

    /// Appends one frame so many times.
    mutating func append(repeating frame: some Collection<Float>, count: Int) {
        makeRoom(for: count * channels)
        for _ in 0..<count { append(frame) }
    }

    /// Appends so many frames, which `write` puts where it is told to; so many samples behind them
    /// may be written too, and mean nothing.
    mutating func append(
        count: Int, spare: Int = 0, write: (UnsafeMutablePointer<Float>) -> Void
    ) {
        makeRoom(for: count * channels + spare)
        let end = held.upperBound
        room.withUnsafeMutableBufferPointer { room in
            // There is no address only where there is nothing to write.
            if let base = room.baseAddress { write(base + end) }
        }
        held = held.lowerBound..<end + count * channels
    }

    /// Forgets what lies before a place.
    mutating func drop(before place: Int) {
        let count = max(0, min(place, end) - start)
        start += count
        held = held.lowerBound + count * channels..<held.upperBound
    }

    /// Lends `count` frames from `place` on, all of which are there.
    func withFrames<Result>(
        from place: Int, count: Int, _ body: (UnsafePointer<Float>) -> Result
    ) -> Result {
        precondition(start <= place && place + count <= end, "only what is there is lent")
        return room.withUnsafeBufferPointer { room in
            // Not empty, since it holds what is asked for.
            guard let base = room.baseAddress else { preconditionFailure("no frames") }
            return body(base + held.lowerBound + (place - start) * channels)
        }
    }

    /// Makes room for so many samples behind those that are held.
    private mutating func makeRoom(for count: Int) {
        guard held.upperBound + count > room.count else { return }
        let (from, kept) = (held.lowerBound, held.count)
        room.withUnsafeMutableBufferPointer {
            // What is held lies within the room, which both stretches of it do.
            if let base = $0.baseAddress { base.update(from: base + from, count: kept) }
        }
        held = 0..<kept
        let lacking = kept + count - room.count
        if lacking > 0 { room.append(contentsOf: repeatElement(0, count: lacking)) }
    }
}
