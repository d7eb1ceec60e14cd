import CSndfile
import Recordings

/// How a trimmed copy is stored, and in which numbers its samples travel so that none is changed.
struct TrimmedFormat {
    /// The numbers in which the library hands samples over exactly.
    enum Carrier: Equatable {
        case int16, int32, float32, float64
    }

    /// The library's words for container, encoding and byte order.
    var sndfileFormat: Int32
    let carrier: Carrier
    /// The distance between two neighbouring samples of the encoding, as carried.
    let step: Double

    /// The format for a copy of what `info` describes; `nil` where there is no such format.
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

    /// The encoding that holds the same samples in a FLAC file; `nil` where there is none.
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

    fileprivate var sndfileSubtype: Int {
        switch self {
        case .pcmU8: SF_FORMAT_PCM_U8
        case .pcmS8: SF_FORMAT_PCM_S8
        case .pcm24: SF_FORMAT_PCM_24
        case .pcm32: SF_FORMAT_PCM_32
        case .float32: SF_FORMAT_FLOAT
        case .float64: SF_FORMAT_DOUBLE
        case .aLaw: SF_FORMAT_ALAW
        case .muLaw: SF_FORMAT_ULAW
        default: SF_FORMAT_PCM_16
        }
    }

    /// How samples of this encoding are carried, left-aligned where they are integers.
    fileprivate var carriage: (TrimmedFormat.Carrier, Double) {
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
