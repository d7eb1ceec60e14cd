import Synchronization

/// What the spectra of all recordings of one rate need, computed once: it takes 60 microseconds, a
/// tenth of what a recording of a few seconds costs.
struct SpectrumTables {
    let window: [Float]
    let bands: MelBands
    let periodicity: Periodicity

    private static let known = Mutex<[SpectrumLayout: SpectrumTables]>([:])

    static func shared(_ layout: SpectrumLayout) -> SpectrumTables {
        known.withLock { known in
            if let tables = known[layout] { return tables }
            // Rates are few, but a header may claim any.
            if known.count == 32 { known.removeAll() }
            let tables = SpectrumTables(
                window: Window.hann(layout.count),
                bands: MelBands(sampleRateHertz: layout.rate, count: layout.count),
                periodicity: Periodicity(
                    hertzPerBin: layout.rate / Double(layout.count), binCount: layout.count / 2))
            known[layout] = tables
            return tables
        }
    }
}
