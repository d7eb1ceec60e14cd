/// A block of frames to be copied from one file to another, in numbers that hold them exactly.
struct LosslessBlock<Sample: LosslessSample> {
    let channels: Int
    let capacityFrames: Int
    /// Frames in this block.
    private(set) var frames = 0
    /// Interleaved by channel; only the first `frames` belong to this block.
    private(set) var samples: [Sample]
    private let view: SampleView
    /// Buffers for converting other samples to 16 bits; empty if the view needs no conversion.
    private var floats: [Float]
    private var wide: [Int32] = []

    /// Allocates `capacityFrames` frames of an encoding that is converted as `view`.
    init(channels: Int, capacityFrames: Int, view: SampleView) {
        self.channels = channels
        self.capacityFrames = capacityFrames
        self.view = view
        let count = channels * capacityFrames
        samples = Array(repeating: .zero, count: count)
        let isMade = Sample.self == Int16.self && view != .short
        floats = Array(repeating: 0, count: isMade ? count : 0)
    }

    /// Fills the block with the next frames, at most `count`, which must not exceed the capacity.
    mutating func read(_ count: Int, from decoder: any Decoder) {
        precondition(count <= capacityFrames, "there is room for all")
        frames = samples.withUnsafeMutableBufferPointer { samples in
            guard let first = samples.baseAddress else { return 0 }
            guard !floats.isEmpty, let shorts = first as? UnsafeMutablePointer<Int16> else {
                return decoder.read(count, into: first)
            }
            return view.read(
                count, of: channels, from: decoder, into: &floats, shorts, by: &wide
            ).frames
        }
    }

    /// Gives each frame's channels another order: channel `i` becomes what `order[i]` was.
    mutating func reorder(channels order: [Int]) {
        var frame = [Sample](repeating: .zero, count: channels)
        for start in stride(from: 0, to: frames * channels, by: channels) {
            for (channel, other) in order.enumerated() { frame[channel] = samples[start + other] }
            samples.replaceSubrange(start..<start + channels, with: frame)
        }
    }

    /// The samples of one channel.
    func samples(ofChannel channel: Int) -> [Sample] {
        (0..<frames).map { samples[$0 * channels + channel] }
    }

    /// Multiplies one frame by `gain`.
    mutating func fade(frame: Int, by gain: Double, step: Double) {
        for index in frame * channels..<(frame + 1) * channels {
            samples[index] = samples[index].faded(by: gain, step: step)
        }
    }
}
