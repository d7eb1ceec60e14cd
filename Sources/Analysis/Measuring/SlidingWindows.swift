/// Half-overlapping windows over frames; the last one may be shorter.
struct SlidingWindows {
    let frames: Int
    /// Frames from one window to the next, half the window's length.
    let hop: Int

    /// The number of windows, at least one.
    private let count: Int

    init(frames: Int, hop: Int) {
        self.frames = frames
        self.hop = hop
        count = max(1, (frames - 1) / hop)
    }

    /// The windows.
    var ranges: [Range<Int>] {
        stride(from: 0, to: max(1, frames - hop), by: hop).map { start in
            start..<min(frames, start + 2 * hop)
        }
    }

    /// The value at a frame, interpolated linearly between the centres of the windows.
    func interpolated(_ values: [Float], at frame: Int) -> Float {
        let last = count - 1
        let inside = max(0, min(Float(last), Float(frame - hop) / Float(hop)))
        let left = Int(inside)
        let share = inside - Float(left)
        return values[left] + share * (values[min(left + 1, last)] - values[left])
    }
}
