import Synchronization

/// Tables shared by the spectra of all recordings of one rate; computing them takes 60
/// microseconds, a tenth of the cost of a recording of a few seconds.
struct SpectrumTables {
    let window: [Float]
    let bands: MelBands
    let periodicity: Periodicity

    private static let known = Mutex<[SpectrumLayout: SpectrumTables]>([:])

    static func shared(_ layout: SpectrumLayout) -> SpectrumTables {
        known.withLock { known in
            if let tables = known[layout] { return tables }
            // There are few real rates, but a header may declare any.
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
