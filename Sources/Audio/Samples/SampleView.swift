import CLanes
import Recordings

/// How the samples of an encoding are converted to the 16 bits that waveform data prescribes.
enum SampleView: String {
    /// 16 bits or fewer, or companded to that: taken as libsndfile returns them.
    case short
    /// Integers of more than 16 bits: shifted right.
    case wide
    /// Lossy encodings without a sample width: rounded.
    case lossy
    /// Floating point: truncated.
    case floating

    init(of encoding: SampleEncoding) {
        self =
            switch encoding {
            case .pcmU8, .pcmS8, .pcm16, .aLaw, .muLaw, .alac16, .gsm610, .imaADPCM, .msADPCM,
                .g722, .g726, .voxADPCM:
                .short
            case .pcm24, .pcm32, .alac20, .alac24, .alac32: .wide
            case .vorbis, .opus, .mp3, .aac, .amrNB, .amrWB, .wma, .speex: .lossy
            case .float32, .float64: .floating
            // The rarer differential encodings hold 16 bits at most, except DWVW with 24.
            case .other: .wide
            }
    }

    /// The number type that decoders return for this view.
    var carrier: SampleType {
        switch self {
        case .short: .int16
        case .wide: .int32
        case .lossy, .floating: .float32
        }
    }

    /// Reads up to `frames` frames into both buffers, which must have room for them.
    ///
    /// - Returns: the frames read, and NaN or infinite samples by channel (zeroed); `[]` if none.
    func read(
        _ frames: Int, of channels: Int, from decoder: any Decoder,
        into samples: UnsafeMutablePointer<Float>, _ int16: UnsafeMutablePointer<Int16>,
        by wide: inout [Int32]
    ) -> (frames: Int, nonFinite: [Int]) {
        switch self {
        case .short:
            let received = decoder.read(frames, into: int16)
            lanes_widen(int16, received * channels, samples)
            return (received, [])
        case .wide:
            let lacking = frames * channels - wide.count
            if lacking > 0 { wide += repeatElement(0, count: lacking) }
            let received = decoder.read(frames, into: &wide)
            lanes_narrow(wide, received * channels, samples, int16)
            return (received, [])
        case .lossy, .floating:
            let received = decoder.read(frames, into: samples)
            let count = received * channels
            let own = UnsafeBufferPointer(start: samples, count: count)
            let nonFinite = SampleView.nonFinite(own, of: channels)
            let convert = self == .lossy ? lanes_round : lanes_truncate
            convert(samples, count, AudioBlock.largestSample, int16)
            return (received, nonFinite)
        }
    }

    private static func nonFinite(
        _ samples: UnsafeBufferPointer<Float>, of channels: Int
    ) -> [Int] {
        // Such samples are rare, so one fast integer comparison covers them all: only NaN and
        // infinity have all exponent bits set.
        let largest = samples.reduce(Int32.zero) {
            max($0, Int32(bitPattern: $1.bitPattern & 0x7fff_ffff))
        }
        guard largest >= Int32(bitPattern: Float.infinity.bitPattern) else { return [] }
        var counts = [Int](repeating: 0, count: channels)
        for (place, sample) in samples.enumerated() where !sample.isFinite {
            counts[place % channels] += 1
        }
        return counts
    }
}
