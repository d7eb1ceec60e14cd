import Recordings

/// Frames on their way from one file to another, in numbers that hold them exactly.
struct CarriedBlock<Sample: CarriedSample> {
    let channels: Int
    let capacityFrames: Int
    /// Frames in this block.
    private(set) var frames = 0
    /// Interleaved by channel; only the first `frames` belong to this block.
    private(set) var samples: [Sample]
    private let view: SampleView
    /// Where 16-bit samples are made of others, as far as their view needs it; else empty.
    private var floats: [Float]
    private var wide: [Int32]

    /// Room for `capacityFrames` frames of an encoding that is seen as `view`.
    init(channels: Int, capacityFrames: Int, view: SampleView) {
        self.channels = channels
        self.capacityFrames = capacityFrames
        self.view = view
        let count = channels * capacityFrames
        samples = Array(repeating: .zero, count: count)
        let isMade = Sample.self == Int16.self && view != .short
        floats = Array(repeating: 0, count: isMade ? count : 0)
        wide = Array(repeating: 0, count: isMade && view == .wide ? count : 0)
    }

    /// Fills the block with the next frames, at most `count`, and returns how many came.
    mutating func read(_ count: Int, from decoder: FrameDecoder) -> Int {
        let (needed, view) = (count * channels, view)
        frames = samples.withUnsafeMutableBufferPointer { samples in
            let room = UnsafeMutableBufferPointer(rebasing: samples[..<needed])
            guard !floats.isEmpty, let shorts = room as? UnsafeMutableBufferPointer<Int16> else {
                return Sample.read(count, from: decoder, into: room.baseAddress)
            }
            return floats.withUnsafeMutableBufferPointer { floats in
                wide.withUnsafeMutableBufferPointer { wide in
                    var nonFinite: [Int] = []
                    return view.read(
                        count, from: decoder,
                        samples: UnsafeMutableBufferPointer(rebasing: floats[..<needed]),
                        int16: shorts, wide: wide, nonFinite: &nonFinite)
                }
            }
        }
        return frames
    }

    /// Hands the block over to be written, and returns how many frames were taken.
    func write(to output: borrowing SoundFile) -> Int {
        Sample.write(output.handle, samples, frames: frames)
    }

    /// Multiplies one frame by `gain`.
    mutating func fade(frame: Int, by gain: Double, step: Double) {
        for index in frame * channels..<(frame + 1) * channels {
            samples[index] = samples[index].faded(by: gain, step: step)
        }
    }
}
