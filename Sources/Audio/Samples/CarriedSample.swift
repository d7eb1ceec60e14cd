import CSndfile

/// A number in which the libraries hand samples over exactly, integers left-aligned.
protocol CarriedSample {
    static var zero: Self { get }

    /// Reads up to `frames` frames to where there is room for them; how many came.
    static func read(
        _ frames: Int, from decoder: FrameDecoder, into samples: UnsafeMutablePointer<Self>?
    ) -> Int

    /// Writes so many frames; how many were taken.
    static func write(_ handle: OpaquePointer, _ samples: [Self], frames: Int) -> Int

    /// The sample at `gain` (0…1), rounded to the nearest multiple of `step` where it is an
    /// integer.
    func faded(by gain: Double, step: Double) -> Self
}

extension CarriedSample where Self: FixedWidthInteger {
    func faded(by gain: Double, step: Double) -> Self {
        Self((Double(self) * gain / step).rounded() * step)
    }
}

extension Int16: CarriedSample {
    static func read(
        _ frames: Int, from decoder: FrameDecoder, into samples: UnsafeMutablePointer<Int16>?
    ) -> Int { decoder.read(frames, into: samples) }

    static func write(_ handle: OpaquePointer, _ samples: [Int16], frames: Int) -> Int {
        Int(sf_writef_short(handle, samples, Int64(frames)))
    }
}

extension Int32: CarriedSample {
    static func read(
        _ frames: Int, from decoder: FrameDecoder, into samples: UnsafeMutablePointer<Int32>?
    ) -> Int { decoder.read(frames, into: samples) }

    static func write(_ handle: OpaquePointer, _ samples: [Int32], frames: Int) -> Int {
        Int(sf_writef_int(handle, samples, Int64(frames)))
    }
}

extension Float: CarriedSample {
    static func read(
        _ frames: Int, from decoder: FrameDecoder, into samples: UnsafeMutablePointer<Float>?
    ) -> Int { decoder.read(frames, into: samples) }

    static func write(_ handle: OpaquePointer, _ samples: [Float], frames: Int) -> Int {
        Int(sf_writef_float(handle, samples, Int64(frames)))
    }

    func faded(by gain: Double, step: Double) -> Float { Float(Double(self) * gain) }
}

extension Double: CarriedSample {
    static func read(
        _ frames: Int, from decoder: FrameDecoder, into samples: UnsafeMutablePointer<Double>?
    ) -> Int { decoder.read(frames, into: samples) }

    static func write(_ handle: OpaquePointer, _ samples: [Double], frames: Int) -> Int {
        Int(sf_writef_double(handle, samples, Int64(frames)))
    }

    func faded(by gain: Double, step: Double) -> Double { self * gain }
}
