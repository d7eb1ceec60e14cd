import CLanes

/// Powers to decibels and back, by polynomials that are the same on every machine.
enum Decibels {
    /// Ten times the decimal logarithm of a power, to 0.00001 dB; of a normal number above zero.
    static func ofPower(_ power: Float) -> Float {
        var value = power
        lanes_decibels(&value, 1)
        return value
    }

    /// The power of decibels between -360 and 360, to 0.0003 %.
    static func power(_ decibels: Float) -> Float {
        var value = decibels * octavesPerDecibel
        lanes_exponentials(&value, 1)
        return value
    }

    /// Brings numbers to e to their power, of which no more is told than that it is more than
    /// 10³⁶ or less than its inverse.
    static func exponentiate(_ numbers: inout [Float]) {
        for place in numbers.indices {
            numbers[place] = max(-120, min(120, numbers[place] * octavesPerE))
        }
        lanes_exponentials(&numbers, numbers.count)
    }

    /// The powers of levels.
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

    /// The nearest whole number, of numbers up to 2²².
    ///
    /// Halves to the even one; without a call to the system, which asks how it should round.
    @inline(__always)
    static func rounded(_ number: Float) -> Float { (number + whole) - whole }

    /// Added to a number of up to 22 bits, it leaves no room for a fraction.
    private static let whole: Float = 12_582_912

    static let octavesPerDecibel: Float = 0.33219281
    private static let octavesPerE: Float = 1.442695
}
