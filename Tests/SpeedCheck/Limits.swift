import CLanes

/// How many times the CPU time of decoding FLAC each part of listening may take.
///
/// What was measured, and a quarter more: what becomes 1.5 times as slow is seen, and what differs
/// from one round to the next is not. Whoever makes a part faster lowers its limit to a quarter
/// above what `speed-check` then tells, for both kinds of processors.
struct Limits {
    /// Decoding with all consumers, and what is concluded of what they heard.
    var listen: Double
    /// Drawing the waveform of decoded blocks.
    var waveform: Double
    /// Measuring the levels of decoded blocks.
    var levels: Double
    /// Finding the silence in decoded blocks.
    var silence: Double

    /// Those for the processor at hand.
    ///
    /// Decoding gains little from vectors twice as wide; the simple loops gain much.
    static let here = lanes_width() >= 512 ? wide : narrow

    /// For processors on which `CLanes` uses AVX-512.
    private static let wide = Limits(listen: 1.63, waveform: 0.0135, levels: 0.02, silence: 0.34)
    /// For those with AVX2, a third above the least, since there rounds differ by more; with less
    /// nobody has measured.
    private static let narrow = Limits(listen: 1.8, waveform: 0.021, levels: 0.026, silence: 0.52)
}
