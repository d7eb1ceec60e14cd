/// What some frames of a recording showed of their spectrum: about a hundred bytes for every 10 ms.
struct SpectrumRows: Hashable, Sendable {
    private(set) var rows: [BandRow] = []
    private(set) var periodicities: [Float] = []
    private(set) var silences: [Bool] = []

    var count: Int { rows.count }

    mutating func add(_ row: BandRow, periodicity: Float, isDigitalSilence: Bool) {
        rows.append(row)
        periodicities.append(periodicity)
        silences.append(isDigitalSilence)
    }

    /// Makes room for so many frames.
    mutating func reserve(_ count: Int) {
        rows.reserveCapacity(count)
        periodicities.reserveCapacity(count)
        silences.reserveCapacity(count)
    }

    /// Forgets so many frames, those that came first.
    mutating func removeFirst(_ count: Int) {
        rows.removeFirst(count)
        periodicities.removeFirst(count)
        silences.removeFirst(count)
    }
}
