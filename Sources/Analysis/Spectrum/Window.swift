import Glibc

/// Window functions for Fourier transforms.
package enum Window {
    /// The periodic Hann window, whose transform is zero from the third bin on.
    ///
    /// A constant offset therefore stays in the two lowest bins.
    package static func hann(_ count: Int) -> [Float] {
        (0..<count).map { index in
            Float(0.5 - 0.5 * cos(2 * Double.pi * Double(index) / Double(count)))
        }
    }
}
