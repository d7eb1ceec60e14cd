import CSndfile

/// A number in which the library hands samples over exactly.
protocol CarriedSample {
    static var zero: Self { get }
    /// Whether samples of other widths are made into these.
    static var isSixteenBits: Bool { get }

    /// Reads up to `frames` frames, which fill `samples`; returns how many came.
    ///
    /// `view`, `floats` and `wide` are for the making of 16-bit samples; there are as many of these
    /// as `CarriedBlock` says.
    static func read(
        _ frames: Int, from decoder: FrameDecoder, into samples: UnsafeMutableBufferPointer<Self>,
        view: SampleView, floats: UnsafeMutableBufferPointer<Float>,
        wide: UnsafeMutableBufferPointer<Int32>
    ) -> Int

    /// Writes the first `frames` frames of `samples`; returns how many were taken.
    static func write(
        _ handle: OpaquePointer, _ samples: UnsafeBufferPointer<Self>, frames: Int
    ) -> Int

    /// The sample at `gain` (0…1), rounded to the nearest multiple of `step` where it is an
    /// integer.
    func faded(by gain: Double, step: Double) -> Self
}

extension CarriedSample {
    static var isSixteenBits: Bool { false }
}

extension CarriedSample where Self: FixedWidthInteger {
    func faded(by gain: Double, step: Double) -> Self {
        Self((Double(self) * gain / step).rounded() * step)
    }
}

extension Int16: CarriedSample {
    static var isSixteenBits: Bool { true }

    static func read(
        _ frames: Int, from decoder: FrameDecoder, into samples: UnsafeMutableBufferPointer<Int16>,
        view: SampleView, floats: UnsafeMutableBufferPointer<Float>,
        wide: UnsafeMutableBufferPointer<Int32>
    ) -> Int {
        // Nobody measures what is carried, so there need be no floats of it.
        if view == .short {
            return decoder.read(frames, into: samples.baseAddress)
        }
        var nonFinite: [Int] = []
        return view.read(
            frames, from: decoder,
            samples: UnsafeMutableBufferPointer(rebasing: floats[..<samples.count]),
            int16: samples, wide: wide, nonFinite: &nonFinite)
    }

    static func write(
        _ handle: OpaquePointer, _ samples: UnsafeBufferPointer<Int16>, frames: Int
    ) -> Int {
        Int(sf_writef_short(handle, samples.baseAddress, Int64(frames)))
    }
}

extension Int32: CarriedSample {
    static func read(
        _ frames: Int, from decoder: FrameDecoder, into samples: UnsafeMutableBufferPointer<Int32>,
        view: SampleView, floats: UnsafeMutableBufferPointer<Float>,
        wide: UnsafeMutableBufferPointer<Int32>
    ) -> Int {
        decoder.read(frames, into: samples.baseAddress)
    }

    static func write(
        _ handle: OpaquePointer, _ samples: UnsafeBufferPointer<Int32>, frames: Int
    ) -> Int {
        Int(sf_writef_int(handle, samples.baseAddress, Int64(frames)))
    }
}

extension Float: CarriedSample {
    static func read(
        _ frames: Int, from decoder: FrameDecoder, into samples: UnsafeMutableBufferPointer<Float>,
        view: SampleView, floats: UnsafeMutableBufferPointer<Float>,
        wide: UnsafeMutableBufferPointer<Int32>
    ) -> Int {
        decoder.read(frames, into: samples.baseAddress)
    }

    static func write(
        _ handle: OpaquePointer, _ samples: UnsafeBufferPointer<Float>, frames: Int
    ) -> Int {
        Int(sf_writef_float(handle, samples.baseAddress, Int64(frames)))
    }

    func faded(by gain: Double, step: Double) -> Float {
        Float(Double(self) * gain)
    }
}

extension Double: CarriedSample {
    static func read(
        _ frames: Int, from decoder: FrameDecoder, into samples: UnsafeMutableBufferPointer<Double>,
        view: SampleView, floats: UnsafeMutableBufferPointer<Float>,
        wide: UnsafeMutableBufferPointer<Int32>
    ) -> Int {
        decoder.read(frames, into: samples.baseAddress)
    }

    static func write(
        _ handle: OpaquePointer, _ samples: UnsafeBufferPointer<Double>, frames: Int
    ) -> Int {
        Int(sf_writef_double(handle, samples.baseAddress, Int64(frames)))
    }

    func faded(by gain: Double, step: Double) -> Double {
        self * gain
    }
}
