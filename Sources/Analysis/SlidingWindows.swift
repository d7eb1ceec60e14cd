/// Half-overlapping windows over frames, the last one short.
struct SlidingWindows {
    let frames: Int
    /// Frames from one window to the next, half of its length.
    let hop: Int

    /// The windows, at least one.
    var ranges: [Range<Int>] {
        stride(from: 0, to: max(1, frames - hop), by: hop).map { start in
            start..<min(frames, start + 2 * hop)
        }
    }

    /// What a frame has of the values of all windows, which run straight from the middle of one
    /// window to that of the next.
    func interpolated(_ values: [Float], at frame: Int) -> Float {
        interpolated(values, at: place(of: frame))
    }

    /// Where a frame lies among the middles of the windows.
    func place(of frame: Int) -> Float { Float(frame - hop) / Float(hop) }

    /// What lies at a place among the values of all windows.
    func interpolated(_ values: [Float], at place: Float) -> Float {
        let inside = max(0, min(Float(values.count - 1), place))
        let left = Int(inside)
        let right = min(left + 1, values.count - 1)
        return values[left] + (inside - Float(left)) * (values[right] - values[left])
    }
}
