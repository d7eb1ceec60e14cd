/// Powers to decibels and back, eight at a time.
///
/// Polynomials of least error over an octave (Remez, 1934) instead of the system's functions: an
/// eighth of the time, and the same bits on every machine. Where bits are cast, eight lanes of 32
/// bits become eight lanes of 32 bits, so each cast is one of equal sizes without padding.
enum Decibels {
    /// Ten times the decimal logarithm of powers, to 0.00001 dB; of normal numbers above zero.
    @inline(__always)
    static func ofPower(_ power: SIMD8<Float>) -> SIMD8<Float> {
        let bits = unsafeBitCast(power, to: SIMD8<Int32>.self)
        // The octave goes from the root of a half to that of two, so that one is exact.
        let exponent = (bits &- SIMD8(repeating: 0x3f35_04f3)) &>> 23
        let mantissa = unsafeBitCast(bits &- (exponent &<< 23), to: SIMD8<Float>.self)
        let x = mantissa - 1
        var sum = SIMD8<Float>(repeating: -0.6219028)
        sum = sum * x + 0.969782506
        sum = sum * x - 1.10625511
        sum = sum * x + 1.44298133
        sum = sum * x - 2.1708232
        sum = sum * x + 4.34300033
        return sum * x + (unsafeBitCast(exponent &+ wholeBits, to: SIMD8<Float>.self) - whole)
            * decibelsPerOctave
    }

    /// Two to the power of numbers between -120 and 120, to 0.0003 %.
    @inline(__always)
    static func exponential2(_ numbers: SIMD8<Float>) -> SIMD8<Float> {
        let shifted = numbers + whole
        let x = numbers - (shifted - whole)
        var sum = SIMD8<Float>(repeating: 0.00968571096)
        sum = sum * x + 0.0559220257
        sum = sum * x + 0.240218655
        sum = sum * x + 0.693121036
        sum = sum * x + 1
        let exponent = (unsafeBitCast(shifted, to: SIMD8<Int32>.self) &- wholeBits) &<< 23
        let bits = unsafeBitCast(sum, to: SIMD8<Int32>.self) &+ exponent
        return unsafeBitCast(bits, to: SIMD8<Float>.self)
    }

    /// Powers of decibels.
    @inline(__always)
    static func power(_ decibels: SIMD8<Float>) -> SIMD8<Float> {
        exponential2(decibels * octavesPerDecibel)
    }

    /// The nearest whole numbers, of numbers up to 2²².
    @inline(__always)
    static func nearest(_ numbers: SIMD8<Float>) -> SIMD8<Int32> {
        unsafeBitCast(numbers + whole, to: SIMD8<Int32>.self) &- wholeBits
    }

    /// The same as numbers.
    @inline(__always)
    static func rounded(_ numbers: SIMD8<Float>) -> SIMD8<Float> { (numbers + whole) - whole }

    /// Halves to the even one; without a call to the system, which asks how it should round.
    @inline(__always)
    static func rounded(_ number: Float) -> Float { (number + whole) - whole }

    /// Added to a number of up to 22 bits, it leaves a whole number in the low bits.
    private static let whole: Float = 12_582_912
    private static var wholeBits: SIMD8<Int32> { SIMD8(repeating: 0x4b40_0000) }

    /// Ten times the decimal logarithm of two.
    static let decibelsPerOctave: Float = 3.0103
    static let octavesPerDecibel: Float = 0.33219281
}
