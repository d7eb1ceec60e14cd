import Synchronization

/// What the spectra of all recordings of one rate are made by, worked out once for all of them:
/// some sixty microseconds, in which most of a second of sound is listened to.
final class SpectrumTables: Sendable {
    let window: [Float]
    let bands: MelBands
    let periodicity: Periodicity

    private static let known = Mutex<[SpectrumLayout: SpectrumTables]>([:])
    /// Rates are few, but whoever likes can write any into a header.
    private static let mostKnown = 32

    static func shared(_ layout: SpectrumLayout) -> SpectrumTables {
        known.withLock { known in
            if let tables = known[layout] { return tables }
            if known.count == mostKnown { known.removeAll() }
            let tables = SpectrumTables(layout)
            known[layout] = tables
            return tables
        }
    }

    private init(_ layout: SpectrumLayout) {
        window = Window.hann(layout.count)
        bands = MelBands(sampleRateHertz: layout.rate, count: layout.count)
        periodicity = Periodicity(
            hertzPerBin: layout.rate / Double(layout.count), binCount: layout.count / 2)
    }
}
