import CSndfile
import Recordings

extension AudioFormat {
    /// The format as libsndfile reports it.
    init(_ info: SF_INFO) {
        self.init(
            container: AudioContainer(sndfileFormat: info.format),
            encoding: SampleEncoding(sndfileFormat: info.format),
            sampleRateHertz: Int(info.samplerate), channels: Int(info.channels),
            // libsndfile reports `Int64.max` frames for an MP3 stream of unknown length.
            frames: info.frames == Int64.max ? 0 : info.frames)
    }

    /// libsndfile's code for container and encoding; `nil` for containers that it does not write.
    var sndfileFormat: Int32? {
        let types: [AudioContainer: Int] = [
            .wav: SF_FORMAT_WAV, .rf64: SF_FORMAT_RF64, .w64: SF_FORMAT_W64,
            .aiff: SF_FORMAT_AIFF, .caf: SF_FORMAT_CAF, .au: SF_FORMAT_AU, .flac: SF_FORMAT_FLAC,
            .raw: SF_FORMAT_RAW,
        ]
        return types[container].map { Int32($0 | encoding.sndfileSubtype) }
    }
}

extension AudioContainer {
    /// The container of a file that begins so.
    init(beginning start: [UInt8]) {
        let marks: [(String, AudioContainer)] = [
            ("RIFF", .wav), ("RIFX", .wav), ("RF64", .rf64), ("BW64", .rf64), ("riff", .w64),
            ("FORM", .aiff), ("caff", .caf), (".snd", .au), ("dns.", .au),
        ]
        self = marks.first { start.has($0.0) }?.1 ?? .other
    }

    init(sndfileFormat format: Int32) {
        self =
            switch Int(format) & SF_FORMAT_TYPEMASK {
            case SF_FORMAT_WAV, SF_FORMAT_WAVEX: .wav
            case SF_FORMAT_RF64: .rf64
            case SF_FORMAT_W64: .w64
            case SF_FORMAT_AIFF: .aiff
            case SF_FORMAT_CAF: .caf
            case SF_FORMAT_AU: .au
            case SF_FORMAT_FLAC: .flac
            case SF_FORMAT_OGG: .ogg
            case SF_FORMAT_MPEG: .mp3
            case SF_FORMAT_RAW: .raw
            default: .other
            }
    }
}

extension SampleEncoding {
    /// libsndfile's codes for encodings.
    private static let sndfileSubtypes: [(Int, SampleEncoding)] = [
        (SF_FORMAT_PCM_U8, .pcmU8), (SF_FORMAT_PCM_S8, .pcmS8), (SF_FORMAT_PCM_16, .pcm16),
        (SF_FORMAT_PCM_24, .pcm24), (SF_FORMAT_PCM_32, .pcm32), (SF_FORMAT_FLOAT, .float32),
        (SF_FORMAT_DOUBLE, .float64), (SF_FORMAT_ALAW, .aLaw), (SF_FORMAT_ULAW, .muLaw),
        (SF_FORMAT_ALAC_16, .alac16), (SF_FORMAT_ALAC_20, .alac20),
        (SF_FORMAT_ALAC_24, .alac24), (SF_FORMAT_ALAC_32, .alac32),
        (SF_FORMAT_GSM610, .gsm610), (SF_FORMAT_IMA_ADPCM, .imaADPCM),
        (SF_FORMAT_MS_ADPCM, .msADPCM), (SF_FORMAT_VORBIS, .vorbis), (SF_FORMAT_OPUS, .opus),
        (SF_FORMAT_MPEG_LAYER_I, .mp3), (SF_FORMAT_MPEG_LAYER_II, .mp3),
        (SF_FORMAT_MPEG_LAYER_III, .mp3), (SF_FORMAT_VOX_ADPCM, .voxADPCM),
    ]

    init(sndfileFormat format: Int32) {
        let subtype = Int(format) & SF_FORMAT_SUBMASK
        self = SampleEncoding.sndfileSubtypes.first { $0.0 == subtype }?.1 ?? .other
    }

    /// libsndfile's code for this encoding; the first one if there are several.
    var sndfileSubtype: Int {
        SampleEncoding.sndfileSubtypes.first { $0.1 == self }?.0 ?? SF_FORMAT_PCM_16
    }

    /// Bytes of one sample in the file; `nil` if they vary.
    var bytesPerSample: Int? {
        switch self {
        case .pcmU8, .pcmS8, .aLaw, .muLaw: 1
        case .pcm16: 2
        case .pcm24: 3
        case .pcm32, .float32: 4
        case .float64: 8
        default: nil
        }
    }
}
