/// The file format around the samples.
package enum AudioContainer: String, Codable, Sendable, CaseIterable {
    case wav, rf64, w64, aiff, caf, au, flac, ogg, mp3
    /// MPEG-4 and QuickTime (`.m4a`, `.mp4`, `.mov`), and 3GP.
    case mp4
    /// AAC without a container around it (`.aac`).
    case adts
    case amr
    /// Microsoft's container for WMA.
    case asf
    /// Matroska and WebM.
    case matroska
    case wavPack, ape
    /// No container: samples from the first byte to the last.
    case raw
    /// Any other that libav alone reads (TTA, MPEG-TS, AVI, …).
    case foreign
    /// Any other format that the decoder reads (VOC, NIST, IRCAM, …).
    case other

    /// Whether lossless copies of recordings in this container can be written in it too.
    package var isWritable: Bool {
        switch self {
        case .ogg, .mp3, .mp4, .adts, .amr, .asf, .matroska, .wavPack, .ape, .foreign: false
        default: true
        }
    }
}

/// How one sample is stored.
package enum SampleEncoding: String, Codable, Sendable, CaseIterable {
    case pcmU8, pcmS8, pcm16, pcm24, pcm32, float32, float64
    /// G.711: one byte per sample on a logarithmic scale; re-encoding decoded samples is exact.
    case aLaw, muLaw
    case alac16, alac20, alac24, alac32
    case gsm610, imaADPCM, msADPCM, vorbis, opus
    case mp3
    case aac, amrNB, amrWB, wma, speex, g722, g726
    /// Dialogic's ADPCM.
    case voxADPCM
    /// Any other; assumed lossy.
    case other

    /// Whether copies keep the encoding, because decoding and re-encoding gives the same samples.
    ///
    /// ALAC would qualify, but libsndfile 1.2 encodes it through a temporary file elsewhere, and
    /// writes out of bounds if that file does not fit.
    package var isKeptInCopies: Bool {
        switch self {
        case .alac16, .alac20, .alac24, .alac32: false
        default: isLossless
        }
    }

    /// Whether decoding reproduces the encoded samples exactly.
    package var isLossless: Bool {
        switch self {
        case .pcmU8, .pcmS8, .pcm16, .pcm24, .pcm32, .float32, .float64, .aLaw, .muLaw,
            .alac16, .alac20, .alac24, .alac32:
            true
        case .gsm610, .imaADPCM, .msADPCM, .vorbis, .opus, .mp3, .aac, .amrNB, .amrWB, .wma,
            .speex, .g722, .g726, .voxADPCM, .other:
            false
        }
    }
}

extension SampleEncoding {
    /// The largest sample of the encoding, or of 16 bits; samples that reach it may be clipped.
    package var fullScale: Float {
        switch self {
        case .pcmU8, .pcmS8: 127.0 / 128
        // The largest values of the two G.711 curves.
        case .aLaw: 32256.0 / 32768
        case .muLaw: 32124.0 / 32768
        default: 32767.0 / 32768
        }
    }
}

/// A recording's format, determined by decoding it.
package struct AudioFormat: Hashable, Codable, Sendable {
    package var container: AudioContainer
    package var encoding: SampleEncoding
    package var sampleRateHertz: Int
    package var channels: Int
    /// Decoded frames; the header may claim another number.
    package var frames: Int64
    /// `frames / sampleRateHertz`, to the microsecond.
    package var durationSeconds: Double
    /// Whether the channels are ambisonic B-format; `nil` if the recording does not say it.
    package var ambisonic: Bool?

    package init(
        container: AudioContainer, encoding: SampleEncoding, sampleRateHertz: Int, channels: Int,
        frames: Int64
    ) {
        self.container = container
        self.encoding = encoding
        self.sampleRateHertz = sampleRateHertz
        self.channels = channels
        self.frames = frames
        self.durationSeconds = Double(frames).seconds(atRate: sampleRateHertz)
    }

    /// A copy with another number of frames.
    package func with(frames: Int64) -> AudioFormat {
        var format = self
        format.frames = frames
        format.durationSeconds = Double(frames).seconds(atRate: sampleRateHertz)
        return format
    }
}

extension Double {
    /// This many frames in seconds, to the microsecond: precise enough to find the frame again.
    package func seconds(atRate sampleRateHertz: Int) -> Double {
        sampleRateHertz > 0 ? (self / Double(sampleRateHertz)).rounded(toDecimals: 6) : 0
    }

    /// The number rounded to so many decimals, never minus zero, so that it prints the same
    /// on every machine.
    package func rounded(toDecimals decimals: Int) -> Double {
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        return (self * scale).rounded() / scale + 0
    }
}
