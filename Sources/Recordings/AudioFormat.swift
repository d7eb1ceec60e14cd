/// The file format around the samples.
package enum AudioContainer: String, Codable, Sendable, CaseIterable {
    case wav, rf64, w64, aiff, caf, au, flac, ogg, mp3
    /// Any other that the decoder reads (VOC, NIST, IRCAM, …).
    case other
}

/// How one sample is stored.
package enum SampleEncoding: String, Codable, Sendable, CaseIterable {
    case pcmU8, pcmS8, pcm16, pcm24, pcm32, float32, float64
    /// G.711: one byte a sample, on a logarithmic scale. Decoding and encoding again is exact.
    case aLaw, muLaw
    case alac16, alac20, alac24, alac32
    case gsm610, imaADPCM, msADPCM, vorbis, opus
    case mp3
    /// Any other; taken to be lossy.
    case other

    /// Whether a copy may keep the encoding: decoding and encoding again gives the same samples.
    ///
    /// ALAC would, too, but libsndfile (1.2) encodes it into a temporary file elsewhere, and writes
    /// beyond its memory where there is no room for that.
    package var isKeptInCopies: Bool {
        switch self {
        case .alac16, .alac20, .alac24, .alac32: false
        default: isLossless
        }
    }

    /// Whether decoding gives the samples that were encoded.
    package var isLossless: Bool {
        switch self {
        case .pcmU8, .pcmS8, .pcm16, .pcm24, .pcm32, .float32, .float64, .aLaw, .muLaw,
            .alac16, .alac20, .alac24, .alac32:
            true
        case .gsm610, .imaADPCM, .msADPCM, .vorbis, .opus, .mp3, .other:
            false
        }
    }
}

extension SampleEncoding {
    /// The largest sample that it holds, or that 16 bits do: what reaches it may have been cut off.
    package var fullScale: Float {
        switch self {
        case .pcmU8, .pcmS8: 127.0 / 128
        // The ends of the two curves of G.711.
        case .aLaw: 32256.0 / 32768
        case .muLaw: 32124.0 / 32768
        default: 32767.0 / 32768
        }
    }
}

/// What a recording is, as found by decoding it.
package struct AudioFormat: Hashable, Codable, Sendable {
    package var container: AudioContainer
    package var encoding: SampleEncoding
    package var sampleRateHertz: Int
    package var channels: Int
    /// Frames that were decoded, whatever the header says.
    package var frames: Int64
    /// `frames / sampleRateHertz`, to the microsecond.
    package var durationSeconds: Double

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
}

extension Double {
    /// This many frames as seconds, to the microsecond: fine enough to find the frame again.
    package func seconds(atRate sampleRateHertz: Int) -> Double {
        sampleRateHertz > 0 ? (self / Double(sampleRateHertz)).rounded(toDecimals: 6) : 0
    }

    /// The nearest number with so many decimals, never minus zero, so that it prints the same
    /// wherever it was computed.
    package func rounded(toDecimals decimals: Int) -> Double {
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        return (self * scale).rounded() / scale + 0
    }
}
