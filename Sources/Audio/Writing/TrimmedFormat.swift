import CSndfile
import Recordings

/// The file format of a trimmed copy, and the number type that carries its samples unchanged.
struct TrimmedFormat {
    /// libsndfile's code for container, encoding and byte order.
    let sndfileFormat: Int32
    let carrier: SampleType
    /// The distance between two neighbouring samples of the encoding, in the carrier's units.
    let step: Double

    /// The format for a copy of a file with `info`; `nil` if the container has no such format.
    init?(copying info: SF_INFO, as container: TrimmedContainer, frames: Int64) {
        let source = SampleEncoding(sndfileFormat: info.format)
        let stored: SampleEncoding
        switch container {
        case .same:
            guard source.isKeptInCopies else { return nil }
            stored = source
            sndfileFormat = info.format
        case .wav:
            stored = source.inWAV
            let frameBytes = Int64(info.channels) * Int64(stored.bytesPerSample ?? 1)
            // Leaves room for the header in the 32 bits of a WAV file's size.
            let mostFrames = (Int64(UInt32.max) - 0x10000) / max(1, frameBytes)
            let type = frames > mostFrames ? SF_FORMAT_RF64 : SF_FORMAT_WAV
            sndfileFormat = Int32(type | stored.sndfileSubtype)
        case .flac:
            guard let encoding = source.inFLAC else { return nil }
            stored = encoding
            sndfileFormat = Int32(SF_FORMAT_FLAC | stored.sndfileSubtype)
        }
        (carrier, step) = stored.carriage
    }

    /// Whether libsndfile can write this format with the rate and channels of `info`; sets
    /// `info.format`.
    func isWritable(_ info: inout SF_INFO) -> Bool {
        info.format = sndfileFormat
        return sf_format_check(&info) != 0
    }
}

extension SampleEncoding {
    /// The encoding that holds the same samples in a WAV file.
    fileprivate var inWAV: SampleEncoding {
        switch self {
        case .pcmU8, .pcmS8: .pcmU8
        case .pcm16, .pcm24, .pcm32, .float32, .float64, .aLaw, .muLaw: self
        case .alac20, .alac24: .pcm24
        case .alac32: .pcm32
        case .alac16, .gsm610, .imaADPCM, .msADPCM, .vorbis, .opus, .mp3, .other: .pcm16
        }
    }

    /// The encoding that holds the same samples in a FLAC file; `nil` if there is none.
    fileprivate var inFLAC: SampleEncoding? {
        switch self {
        case .pcmU8, .pcmS8: .pcmS8
        case .pcm24, .alac20, .alac24: .pcm24
        case .pcm32, .alac32, .float32, .float64: nil
        case .pcm16, .aLaw, .muLaw, .alac16, .gsm610, .imaADPCM, .msADPCM, .vorbis, .opus, .mp3,
            .other:
            .pcm16
        }
    }

    /// The number type and step of this encoding's samples; integers are left-aligned.
    fileprivate var carriage: (SampleType, Double) {
        switch self {
        case .pcmU8, .pcmS8: (.int16, 0x1p8)
        case .pcm24: (.int32, 0x1p8)
        case .pcm32: (.int32, 1)
        case .float32: (.float32, 1)
        case .float64: (.float64, 1)
        default: (.int16, 1)
        }
    }
}
