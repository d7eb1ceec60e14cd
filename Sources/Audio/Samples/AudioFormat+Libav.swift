import DecoderMessages
import Recordings

extension AudioContainer {
    /// The container with this name in libavformat, which may be a list.
    init(libav name: String) {
        let containers: [String: AudioContainer] = [
            "mov": .mp4, "aac": .adts, "amr": .amr, "asf": .asf, "matroska": .matroska,
            "wv": .wavPack, "ape": .ape, "wav": .wav, "w64": .w64, "aiff": .aiff, "caf": .caf,
            "au": .au, "flac": .flac, "ogg": .ogg, "mp3": .mp3,
        ]
        let first = name.split(separator: ",").first.map(String.init) ?? name
        self = containers[first] ?? .foreign
    }
}

extension SampleEncoding {
    /// The encoding of a codec with this name in libavcodec, which decodes to `carrier`.
    init(libav name: String, _ carrier: DecoderReply.Carrier, bits: Int) {
        switch name {
        case "aac", "aac_latm": self = .aac
        case "amr_nb": self = .amrNB
        case "amr_wb": self = .amrWB
        case "wmav1", "wmav2", "wmapro", "wmavoice": self = .wma
        case "speex": self = .speex
        case "adpcm_g722": self = .g722
        case "adpcm_g726", "adpcm_g726le": self = .g726
        case "mp1", "mp2", "mp3": self = .mp3
        case "vorbis": self = .vorbis
        case "opus": self = .opus
        case "gsm", "gsm_ms": self = .gsm610
        case "adpcm_ima_wav", "adpcm_ima_qt": self = .imaADPCM
        case "adpcm_ms": self = .msADPCM
        case "pcm_alaw": self = .aLaw
        case "pcm_mulaw": self = .muLaw
        case "alac":
            self =
                carrier == .int16 ? .alac16 : bits == 20 ? .alac20 : bits == 32 ? .alac32 : .alac24
        case _ where SampleEncoding.isLossless(libav: name):
            switch carrier {
            case .int16: self = .pcm16
            case .int32: self = (1...24).contains(bits) ? .pcm24 : .pcm32
            case .float32, .float64: self = .float32
            }
        default: self = .other
        }
    }

    private static func isLossless(libav name: String) -> Bool {
        name.hasPrefix("pcm_") || ["flac", "wavpack", "ape", "tta", "tak"].contains(name)
    }
}
