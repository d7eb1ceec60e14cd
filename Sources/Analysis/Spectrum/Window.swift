import Glibc

/// Tapers for a stretch of samples before its Fourier transform.
package enum Window {
    /// The periodic Hann window: its transform is zero from the third bin on.
    ///
    /// So a constant offset stays in the two lowest bins and never reaches the others.
    package static func hann(_ count: Int) -> [Float] {
        (0..<count).map { index in
            Float(0.5 - 0.5 * cos(2 * Double.pi * Double(index) / Double(count)))
        }
    }
}
