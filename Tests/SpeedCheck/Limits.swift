/// How many times the CPU time of decoding FLAC each part of listening may take.
///
/// What was measured, and a quarter more: what becomes 1.5 times as slow is seen, and what differs
/// from one round to the next is not. Whoever makes a part faster lowers its limit to a quarter
/// above what `speed-check` then tells. The figures are those of a processor with AVX-512 (see
/// `CLanes`), of which one with AVX2 is little behind.
enum Limits {
    /// Decoding with all consumers, and what is concluded of what they heard.
    static let listen = 1.77
    /// Drawing the waveform of decoded blocks.
    static let waveform = 0.0135
    /// Measuring the levels of decoded blocks.
    static let levels = 0.022
    /// Finding the silence in decoded blocks.
    static let silence = 0.48
}
