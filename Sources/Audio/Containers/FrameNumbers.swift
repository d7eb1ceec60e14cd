/// Tracks the numbers of FLAC frames, to detect missing or misplaced ones.
struct FrameNumbers {
    /// Whether frame numbers give the position of their sound, so that frames can be found by them.
    ///
    /// True if the header declares one block size, or each frame declares its own. Encoders that
    /// include the last block in the header's sizes, or omit the sizes, are misread.
    var areTelling = false
    /// The expected number of the next frame, if numbers give positions.
    private var next: Int64 = 0
    /// The number of the first frame, once known; above zero if a stream without a declared length
    /// was cut out of a longer one.
    private(set) var first: Int64?

    /// Sets the first number to zero.
    mutating func beginWithZero() { first = 0 }

    /// Records a block of `frames` frames; returns whether its number is the expected one.
    ///
    /// The expected numbers of later blocks continue from this one's number.
    mutating func take(_ number: Int64, frames: Int) -> Bool {
        if first == nil {
            next = areTelling ? number : 0
            first = next
        }
        let isInPlace = !areTelling || number == next
        next = (areTelling ? number : next) + Int64(frames)
        return isInPlace
    }

    /// Continues at a frame counted from the first; returns its number in the stream.
    mutating func goOn(with frame: Int64) -> UInt64 {
        next = (first ?? 0) + frame
        return UInt64(next)
    }
}
