import Recordings

/// How an encoding is read so that it becomes the 16 bits which waveform data prescribes.
enum SampleView {
    /// 16 bits or fewer, or companded to that: as the library gives them.
    case short
    /// Integers of more than 16 bits: shifted right.
    case wide
    /// Lossy encodings without a sample width of their own: rounded.
    case lossy
    /// Floating point: truncated.
    case floating

    init(of encoding: SampleEncoding) {
        self =
            switch encoding {
            case .pcmU8, .pcmS8, .pcm16, .aLaw, .muLaw, .alac16, .gsm610, .imaADPCM, .msADPCM:
                .short
            case .pcm24, .pcm32, .alac20, .alac24, .alac32: .wide
            case .vorbis, .opus, .mp3: .lossy
            case .float32, .float64: .floating
            // The rarer differential encodings hold 16 bits at most, but for DWVW of 24.
            case .other: .wide
            }
    }

    /// Reads up to `frames` frames into both views, and returns how many came.
    ///
    /// `samples` and `int16` have room for exactly these frames, `wide` for as many where the view
    /// needs it. `nonFinite` becomes the samples of each channel that are no numbers or infinite,
    /// which are lent as zero; empty where there are none.
    func read(
        _ frames: Int, from decoder: FrameDecoder, samples: UnsafeMutableBufferPointer<Float>,
        int16: UnsafeMutableBufferPointer<Int16>, wide: UnsafeMutableBufferPointer<Int32>,
        nonFinite: inout [Int]
    ) -> Int {
        guard frames > 0 else { return 0 }
        let channels = samples.count / frames
        let received: Int
        switch self {
        case .short:
            received = decoder.read(frames, into: int16.baseAddress)
        case .wide:
            received = decoder.read(frames, into: wide.baseAddress)
        case .lossy, .floating:
            received = decoder.read(frames, into: samples.baseAddress)
        }
        let count = max(received, 0) * channels
        let samples = UnsafeMutableBufferPointer(rebasing: samples[..<count])
        let int16 = UnsafeMutableBufferPointer(rebasing: int16[..<count])
        switch self {
        case .short:
            SampleConversion.widen(UnsafeBufferPointer(int16), into: samples)
        case .wide:
            SampleConversion.narrow(
                UnsafeBufferPointer(rebasing: wide[..<count]), samples: samples, int16: int16)
        case .lossy, .floating:
            nonFinite = SampleConversion.nonFinite(
                in: UnsafeBufferPointer(samples), channels: channels)
        }
        switch self {
        case .short, .wide: break
        case .lossy:
            SampleConversion.round(samples, into: int16)
        case .floating:
            SampleConversion.truncate(samples, into: int16)
        }
        return max(received, 0)
    }
}
