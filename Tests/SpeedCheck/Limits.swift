import CLanes

/// How much CPU time each part of listening may take.
///
/// What was measured, and a quarter more: what becomes 1.5 times as slow is seen, and what differs
/// from one round to the next is not. Whoever makes a part faster lowers its limits to a quarter
/// above what `speed-check` then tells, for each width of vectors.
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
    static let here = lanes_width() < 512 ? narrow : wide

    /// For processors on which `CLanes` uses AVX-512: a quarter above the greater of what was
    /// measured on the fifth generations of AMD's EPYC and Intel's Xeon.
    private static let wide = Limits(
        listen: Limit(decodings: 2.14), waveform: Limit(decodings: 0.0165, copies: 1.14),
        levels: Limit(decodings: 0.031, copies: 2.2), silence: Limit(decodings: 0.74))
    /// For those with AVX2, a third above the least, since there rounds differ by more; with less
    /// nobody has measured.
    private static let narrow = Limits(
        listen: Limit(decodings: 2.09), waveform: Limit(decodings: 0.028),
        levels: Limit(decodings: 0.039), silence: Limit(decodings: 0.66))
}
