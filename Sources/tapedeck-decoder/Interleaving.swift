import CLibav
import DecoderMessages

extension DecoderReply.Carrier {
    /// The number type that holds the samples of a format of libav; `nil` for formats that no sound
    /// codec uses.
    init?(libav format: Int32) {
        switch AVSampleFormat(format) {
        case AV_SAMPLE_FMT_U8, AV_SAMPLE_FMT_U8P, AV_SAMPLE_FMT_S16, AV_SAMPLE_FMT_S16P:
            self = .int16
        case AV_SAMPLE_FMT_S32, AV_SAMPLE_FMT_S32P: self = .int32
        case AV_SAMPLE_FMT_FLT, AV_SAMPLE_FMT_FLTP, AV_SAMPLE_FMT_DBL, AV_SAMPLE_FMT_DBLP:
            self = .float32
        default: return nil
        }
    }
}

extension UnsafeMutablePointer<AVFrame> {
    /// Writes part of the decoded frames to `place`, interleaved, as the carrier of their format.
    ///
    /// If they have another number of channels, one is copied to all, or all are mixed to one and
    /// that is copied.
    func interleave(
        _ range: Range<Int>, _ channels: Int, into place: UnsafeMutableRawPointer
    ) {
        switch AVSampleFormat(pointee.format) {
        case AV_SAMPLE_FMT_U8, AV_SAMPLE_FMT_U8P:
            write(range, channels, to: place) { (byte: UInt8) in Int16(Int(byte) - 128) << 8 }
        case AV_SAMPLE_FMT_S16, AV_SAMPLE_FMT_S16P:
            write(range, channels, to: place) { (sample: Int16) in sample }
        case AV_SAMPLE_FMT_S32, AV_SAMPLE_FMT_S32P:
            write(range, channels, to: place) { (sample: Int32) in sample }
        case AV_SAMPLE_FMT_DBL, AV_SAMPLE_FMT_DBLP:
            write(range, channels, to: place) { (sample: Double) in Float(sample) }
        default: write(range, channels, to: place) { (sample: Float) in sample }
        }
    }

    private func write<Stored, Sample: MixableSample>(
        _ range: Range<Int>, _ channels: Int, to place: UnsafeMutableRawPointer,
        _ convert: (Stored) -> Sample
    ) {
        let own = Int(pointee.ch_layout.nb_channels)
        let isPlanar = av_sample_fmt_is_planar(AVSampleFormat(pointee.format)) != 0
        // The shared memory has room for the frames, aligned for any sample.
        let written = place.assumingMemoryBound(to: Sample.self)
        let planes = (0..<(isPlanar ? own : 1)).map {
            UnsafeRawPointer(pointee.extended_data[$0].unsafelyUnwrapped)
                .assumingMemoryBound(to: Stored.self)
        }
        func sample(_ frame: Int, _ channel: Int) -> Sample {
            convert(isPlanar ? planes[channel][frame] : planes[0][frame * own + channel])
        }
        if own == channels, isPlanar {
            for channel in 0..<channels {
                let plane = planes[channel]
                for (index, frame) in range.enumerated() {
                    written[index * channels + channel] = convert(plane[frame])
                }
            }
            return
        }
        for (index, frame) in range.enumerated() {
            if own == channels {
                for channel in 0..<channels {
                    written[index * channels + channel] = sample(frame, channel)
                }
            } else {
                let mixed = Sample.mean((0..<own).map { sample(frame, $0) })
                for channel in 0..<channels { written[index * channels + channel] = mixed }
            }
        }
    }
}

/// A sample that can be mixed with others.
private protocol MixableSample {
    static func mean(_ samples: [Self]) -> Self
}

extension Int16: MixableSample {
    static func mean(_ samples: [Int16]) -> Int16 {
        Int16(samples.reduce(0) { $0 + Int($1) } / samples.count)
    }
}

extension Int32: MixableSample {
    static func mean(_ samples: [Int32]) -> Int32 {
        Int32(samples.reduce(0) { $0 + Int($1) } / samples.count)
    }
}

extension Float: MixableSample {
    static func mean(_ samples: [Float]) -> Float { samples.reduce(0, +) / Float(samples.count) }
}
