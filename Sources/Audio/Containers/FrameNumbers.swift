/// The numbers that the frames of a FLAC stream bear, and the one that comes next.
struct FrameNumbers {
    /// Whether they say where the sound of their frames belongs, so that frames can be found by
    /// them.
    ///
    /// So they do where all blocks have one size by the header, or each frame says that it has its
    /// own. Encoders that count the last block too, or leave the sizes out, are misread.
    var areTelling = false
    /// The next frame of sound's, where they tell.
    private var next: Int64 = 0
    /// The first one's, once it is known: where the header says no length, the stream may be a part
    /// that was taken as it was out of something longer.
    private(set) var first: Int64?

    /// The first one's is known to be zero.
    mutating func beginWithZero() { first = 0 }

    /// Takes a frame of the stream, with so many of sound; whether its number is that of its place.
    ///
    /// Those that follow it are held against its own number.
    mutating func take(_ number: Int64, frames: Int) -> Bool {
        if first == nil {
            next = areTelling ? number : 0
            first = next
        }
        let isInPlace = !areTelling || number == next
        next = (areTelling ? number : next) + Int64(frames)
        return isInPlace
    }

    /// Goes on with a frame of sound, counted from the first; its number.
    mutating func goOn(with frame: Int64) -> UInt64 {
        next = (first ?? 0) + frame
        return UInt64(next)
    }
}
