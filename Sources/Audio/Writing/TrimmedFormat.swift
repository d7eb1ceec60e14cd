import CSndfile
import Recordings

/// The file format of a trimmed copy, and the number type that carries its samples unchanged.
struct TrimmedFormat {
    /// libsndfile's code for container, encoding and byte order.
    let sndfileFormat: Int32
    let carrier: SampleType
    /// The distance between two neighbouring samples of the encoding, in the carrier's units.
    let step: Double

    /// Whether the header says what the channels are.
    let tellsSpeakers: Bool

    /// The format for a copy of `input`; `nil` if the container has no such format.
    /// - Parameter metadata: the bytes that are in the header besides.
    init?(
        copying input: DecodableFile, as container: TrimmedContainer, frames: Int64,
        besides metadata: Int, speakers: SpeakerLayout?
    ) {
        let source = input.format.encoding
        let stored: SampleEncoding
        switch container {
        case .same:
            guard source.isKeptInCopies, let format = input.sndfileFormat else { return nil }
            stored = source
            let written = TrimmedFormat.inWhatOthersRead(format, source)
            let isExtensible = Int(written) & SF_FORMAT_TYPEMASK == SF_FORMAT_WAVEX
            sndfileFormat =
                isExtensible && speakers == .speakers(0)
                ? written & ~Int32(SF_FORMAT_TYPEMASK) | Int32(SF_FORMAT_WAV) : written
        case .wav:
            stored = source.inWAV
            let frameBytes = Int64(input.format.channels) * Int64(stored.bytesPerSample ?? 1)
            // Leaves room for the header in the 32 bits of a WAV file's size.
            let mostBytes = Int64(UInt32.max) - 0x10000 - 2 * Int64(metadata)
            let isExtensible = TrimmedFormat.isExtensible(speakers, input.format.channels)
            let plain = isExtensible ? SF_FORMAT_WAVEX : SF_FORMAT_WAV
            let type = frames > mostBytes / max(1, frameBytes) ? SF_FORMAT_RF64 : plain
            sndfileFormat = Int32(type | stored.sndfileSubtype)
        case .flac:
            guard let encoding = source.inFLAC else { return nil }
            stored = encoding
            sndfileFormat = Int32(SF_FORMAT_FLAC | stored.sndfileSubtype)
        }
        (carrier, step) = stored.carriage
        tellsSpeakers = [SF_FORMAT_WAVEX, SF_FORMAT_RF64].contains(
            Int(sndfileFormat) & SF_FORMAT_TYPEMASK)
    }

    /// Whether a WAV file has to say what its channels are.
    private static func isExtensible(_ speakers: SpeakerLayout?, _ channels: Int) -> Bool {
        // Channels that are no loudspeakers; of an extensible header libsndfile makes them some.
        guard let speakers, speakers != .speakers(0) else { return false }
        return channels > 2 || speakers.mask(of: channels) != SpeakerLayout.usualBits[channels]
    }

    /// Little-endian AIFF becomes big-endian if samples have more than 16 bits: libsndfile would
    /// give it a compression type (`42n1`) that no other program knows.
    private static func inWhatOthersRead(_ format: Int32, _ encoding: SampleEncoding) -> Int32 {
        let isAIFF = Int(format) & SF_FORMAT_TYPEMASK == SF_FORMAT_AIFF
        guard isAIFF, [.pcm24, .pcm32].contains(encoding) else { return format }
        return format & ~Int32(SF_FORMAT_ENDMASK)
    }

    /// What libsndfile is told to write a copy of a recording in `source`; `nil` if it cannot.
    func info(copying source: AudioFormat, channels: Int) -> SF_INFO? {
        var info = SF_INFO()
        info.samplerate = Int32(clamping: source.sampleRateHertz)
        info.channels = Int32(clamping: channels)
        info.format = sndfileFormat
        return sf_format_check(&info) != 0 ? info : nil
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
        default: .pcm16
        }
    }

    /// The encoding that holds the same samples in a FLAC file; `nil` if there is none.
    fileprivate var inFLAC: SampleEncoding? {
        switch self {
        case .pcmU8, .pcmS8: .pcmS8
        case .pcm24, .alac20, .alac24: .pcm24
        case .pcm32, .alac32, .float32, .float64: nil
        default: .pcm16
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
