import CCairo
import Jobs

/// The drawing library Cairo, loaded at the first use.
package struct Cairo {
    let calls: cairo_calls

    /// Throws if the library is not installed.
    package init() throws(PictureRefusal) {
        // Proof: the buffer holds one table, so its base address is not `nil`, and the table is
        // read only if the loader has filled in every field.
        let loaded = withUnsafeTemporaryAllocation(of: cairo_calls.self, capacity: 1) {
            load_cairo($0.baseAddress.unsafelyUnwrapped) ? $0[0] : nil
        }
        guard let loaded else { throw .noCairo }
        calls = loaded
    }
}
