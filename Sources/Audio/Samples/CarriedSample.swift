/// The numbers in which the libraries hand samples over exactly, integers left-aligned.
enum SampleCarrier {
    case int16, int32, float32, float64
}

/// A number of one of these kinds.
protocol CarriedSample {
    static var zero: Self { get }
    static var carrier: SampleCarrier { get }

    /// The sample at `gain` (0…1), rounded to the nearest multiple of `step` where it is an
    /// integer.
    func faded(by gain: Double, step: Double) -> Self
}

extension CarriedSample where Self: FixedWidthInteger {
    func faded(by gain: Double, step: Double) -> Self {
        Self((Double(self) * gain / step).rounded() * step)
    }
}

extension CarriedSample where Self: BinaryFloatingPoint {
    func faded(by gain: Double, step: Double) -> Self { Self(Double(self) * gain) }
}

extension Int16: CarriedSample {
    static var carrier: SampleCarrier { .int16 }
}

extension Int32: CarriedSample {
    static var carrier: SampleCarrier { .int32 }
}

extension Float: CarriedSample {
    static var carrier: SampleCarrier { .float32 }
}

extension Double: CarriedSample {
    static var carrier: SampleCarrier { .float64 }
}
