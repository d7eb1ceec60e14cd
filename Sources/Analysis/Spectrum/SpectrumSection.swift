import Recordings

/// What some frames of a recording showed of their spectrum, such as those of a section: about a
/// hundred bytes for every 10 ms.
package struct SpectrumRows: SpectrumTaker, Hashable, Sendable {
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

    func give(to taker: inout some SpectrumTaker) {
        for index in rows.indices {
            taker.add(
                rows[index], periodicity: periodicities[index], isDigitalSilence: silences[index])
        }
    }
}

/// Listens to a section of a recording as `SpectrumMeter` listens to all of it.
///
/// It wants to hear what lies before and behind the section too, as far as `RecordingSection` says.
package struct SpectrumSection: BlockConsumer {
    private var frames: SpectrumFrames
    private var rows = SpectrumRows()

    package init(_ section: RecordingSection, sampleRateHertz: Int, channels: Int) {
        frames = SpectrumFrames(
            layout: SpectrumLayout(sampleRateHertz: sampleRateHertz), channels: channels,
            range: section.hops)
    }

    /// Takes in all that lies before the section, at once and before all else; not for the first.
    package mutating func lead(_ block: borrowing AudioBlock) { frames.lead(block) }

    package mutating func consume(_ block: borrowing AudioBlock) {
        frames.consume(block, into: &rows)
    }

    /// What the section showed.
    package mutating func finish() -> SpectrumRows {
        frames.finish(into: &rows)
        return rows
    }
}
