import CLanes
import Glibc

/// How much CPU time each part of listening may take.
///
/// What was measured, and a quarter more: what becomes 1.5 times as slow is seen, and what differs
/// from one round to the next is not. Whoever makes a part faster lowers its limits to a quarter
/// above what `speed-check` then tells, for each kind of processor.
struct Limits {
    /// Of one part.
    struct Limit {
        /// How many times that of decoding FLAC.
        var decodings: Double
        /// How many times that of copying the samples, where somebody measured it.
        ///
        /// How much sooner than decoding wide vectors are done differs by half between processors
        /// that have them: so a part is too slow that is beyond both.
        var copies: Double?
    }

    /// Decoding with all consumers, and what is concluded of what they heard.
    var listen: Limit
    /// Drawing the waveform of decoded blocks.
    var waveform: Limit
    /// Measuring the levels of decoded blocks.
    var levels: Limit
    /// Finding the silence in decoded blocks.
    var silence: Limit

    /// Those for the processor at hand.
    ///
    /// Decoding gains little from vectors twice as wide; the simple loops gain much.
    static let here = lanes_width() < 512 ? narrow : isOfAMD ? wideOfAMD : wide

    /// Whether Linux says that AMD has made the processor.
    private static var isOfAMD: Bool {
        guard let file = fopen("/proc/cpuinfo", "r") else { return false }
        defer { fclose(file) }
        var start = [UInt8](repeating: 0, count: 200)
        let count = fread(&start, 1, start.count, file)
        return String(decoding: start.prefix(count), as: UTF8.self).contains("AuthenticAMD")
    }

    /// For processors of AMD on which `CLanes` uses AVX-512: a quarter above the least on one of
    /// its fifth generation, where copies are quicker than wide loops by more than elsewhere.
    private static let wideOfAMD = Limits(
        listen: Limit(decodings: 2.0), waveform: Limit(decodings: 0.0165, copies: 1.14),
        levels: Limit(decodings: 0.031, copies: 2.2),
        silence: Limit(decodings: 0.7, copies: 49))
    /// For others on which `CLanes` uses AVX-512.
    ///
    /// Since transforms are FFTW's, nobody has measured there: of what they are part of, the limit
    /// is what it was and as much more as a trial took.
    private static let wide = Limits(
        listen: Limit(decodings: 1.7), waveform: Limit(decodings: 0.0135, copies: 0.98),
        levels: Limit(decodings: 0.02, copies: 1.2),
        silence: Limit(decodings: 0.42, copies: 26))
    /// For those with AVX2, a third above the least, since there rounds differ by more; with less
    /// nobody has measured.
    private static let narrow = Limits(
        listen: Limit(decodings: 2.09), waveform: Limit(decodings: 0.028),
        levels: Limit(decodings: 0.039), silence: Limit(decodings: 0.66))
}
