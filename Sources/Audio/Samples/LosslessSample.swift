/// The number types in which the decoders return samples exactly; integers are left-aligned.
enum SampleType {
    case int16, int32, float32, float64
}

/// A number of one of the types in `SampleType`.
protocol LosslessSample {
    static var zero: Self { get }
    static var carrier: SampleType { get }

    /// The sample times `gain` (0…1); integers are rounded to the nearest multiple of `step`.
    func faded(by gain: Double, step: Double) -> Self
}

extension LosslessSample where Self: FixedWidthInteger {
    func faded(by gain: Double, step: Double) -> Self {
        Self((Double(self) * gain / step).rounded() * step)
    }
}

extension LosslessSample where Self: BinaryFloatingPoint {
    func faded(by gain: Double, step: Double) -> Self { Self(Double(self) * gain) }
}

extension Int16: LosslessSample {
    static var carrier: SampleType { .int16 }
}

extension Int32: LosslessSample {
    static var carrier: SampleType { .int32 }
}

extension Float: LosslessSample {
    static var carrier: SampleType { .float32 }
}

extension Double: LosslessSample {
    static var carrier: SampleType { .float64 }
}
