import CLanes

/// Converts powers to decibels and back, by polynomials that give the same bits on every machine.
enum Decibels {
    /// 10 log₁₀ of a power, to 0.00001 dB; `power` must be a normal number above zero.
    static func ofPower(_ power: Float) -> Float {
        var value = power
        lanes_decibels(&value, 1)
        return value
    }

    /// The power of a level between -360 and 360 dB, to 0.0003 %.
    static func power(_ decibels: Float) -> Float {
        var value = decibels * octavesPerDecibel
        lanes_exponentials(&value, 1)
        return value
    }

    /// Replaces each number x by eˣ; beyond 10³⁶ or its inverse, the result is only known to be
    /// that large or small.
    static func exponentiate(_ numbers: inout [Float]) {
        for place in numbers.indices {
            numbers[place] = max(-120, min(120, numbers[place] * octavesPerE))
        }
        lanes_exponentials(&numbers, numbers.count)
    }

    /// The powers of levels in decibels.
    static func powers(_ decibels: [Float]) -> [Float] {
        var powers = decibels.map { $0 * octavesPerDecibel }
        lanes_exponentials(&powers, powers.count)
        return powers
    }

    /// The powers of all lanes.
    static func power(_ decibels: BandRow) -> BandRow {
        var row = octavesPerDecibel * decibels
        row.withUnsafeMutableLanes { lanes_exponentials($0, BandRow.count) }
        return row
    }

    /// The nearest integer, for numbers up to 2²².
    ///
    /// Ties round to even. Avoids the system function, which checks the rounding mode.
    @inline(__always)
    static func rounded(_ number: Float) -> Float { (number + whole) - whole }

    /// Adding this to a number of up to 22 bits rounds away its fraction.
    private static let whole: Float = 12_582_912

    static let octavesPerDecibel: Float = 0.33219281
    private static let octavesPerE: Float = 1.442695
}
