import CLanes
import Recordings

/// Computes the band levels and other spectral features of every 10 ms.
///
/// Each channel is decimated to 16…32 kHz and transformed separately. Powers are averaged over
/// channels, so that opposite phases cannot cancel. Two frames of a channel share a transform (see
/// `BatchedPowerSpectra`), which affects each other's last bits. Memory is bounded.
struct SpectrumFrames {
    private var hops: SoundHops
    private var decimator: Decimator
    private let bands: MelBands
    private let periodicity: Periodicity
    private let spectra: BatchedPowerSpectra
    private let layout: SpectrumLayout
    /// The number of frames, once known.
    private var end = Int.max

    /// The next 10 ms frame to analyse.
    private(set) var next = 0
    /// The step powers of the hops from `next` on.
    private var stepPowers: [Float] = []
    /// The first samples of the frames analysed in this batch.
    private var starts: [Int] = []
    /// The batch's powers by row and lane; the same as rows of levels; and each frame's
    /// periodicity.
    private let sums: AlignedNumbers<Float>
    private var rows: [BandRow]
    private let periodicities: AlignedNumbers<Float>

    init(layout: SpectrumLayout, channels: Int) {
        let count = layout.count
        self.layout = layout
        hops = SoundHops(sampleRateHertz: layout.sampleRateHertz, channels: channels)
        decimator = Decimator(
            sampleRateHertz: layout.sampleRateHertz, channels: channels, lead: count / 2)
        let tables = SpectrumTables.shared(layout)
        bands = tables.bands
        periodicity = tables.periodicity
        // One-sided spectrum; the squares of a Hann window sum to 3/8 of its length.
        spectra = BatchedPowerSpectra(
            window: tables.window, channels: channels,
            scale: Float(2 / (Double(count) * 0.375 * Double(count) * Double(channels))))
        sums = AlignedNumbers(repeating: 0, count: BandRow.count * BatchedPowerSpectra.stretches)
        rows = Array(repeating: .zero, count: BatchedPowerSpectra.stretches)
        periodicities = AlignedNumbers(repeating: 0, count: BatchedPowerSpectra.stretches)
        starts.reserveCapacity(BatchedPowerSpectra.stretches)
        stepPowers.reserveCapacity(2 * BatchedPowerSpectra.stretches)
    }

    /// The number of bands, plus one if the power above them is measured.
    var bandCount: Int {
        bands.bins.count + (layout.factor > 1 || !bands.above.isEmpty ? 1 : 0)
    }
    /// The bands the speech network uses, plus one if the power above them is measured by steps.
    var knownBandCount: Int { bands.bins.count + (layout.factor > 1 ? 1 : 0) }
    /// The lowest fricative band.
    var lowestHighBand: Int { bands.high.lowerBound }

    mutating func consume(_ block: borrowing AudioBlock, into builder: inout TrackBuilder) {
        precondition(block.channels == hops.channels, "the channel count of a recording is fixed")
        let samples = block.samples[..<block.sampleCount]
        samples.withUnsafeBufferPointer {
            var place = 0
            while let power = hops.take($0, from: &place) { stepPowers.append(power) }
        }
        decimator.consume(samples)
        analyse(into: &builder)
    }

    /// Analyses the remaining frames, padded at the end.
    mutating func finish(into builder: inout TrackBuilder) {
        var last = next
        while last < end, hops.start(of: last) < hops.frames { last += 2 }
        end = last
        while hops.count < end || !isThere(end - 1) {
            let (rest, power) = hops.pad()
            decimator.consume(rest)
            stepPowers.append(power)
        }
        analyse(into: &builder)
    }
}

// MARK: - Analysis

extension SpectrumFrames {
    /// Whether the last sample of a frame is available, if the frame is to be analysed.
    private func isThere(_ frame: Int) -> Bool {
        frame < next || layout.firstSample(of: frame) + layout.count <= decimator.output.end
    }

    /// Analyses frames whose last sample is available, in full batches until the end of the
    /// recording.
    private mutating func analyse(into builder: inout TrackBuilder) {
        while true {
            var ready = min(stepPowers.count / 2 * 2, end - next, BatchedPowerSpectra.stretches)
            while ready > 0, !isThere(next + ready - 1) { ready -= 2 }
            guard ready > 0, ready == BatchedPowerSpectra.stretches || next + ready == end else {
                break
            }
            analyse(ready, into: &builder)
            next += ready
            stepPowers.removeFirst(ready)
        }
        decimator.output.drop(before: layout.firstSample(of: next))
    }

    /// Analyses the next `count` frames.
    private mutating func analyse(_ count: Int, into builder: inout TrackBuilder) {
        precondition(count.isMultiple(of: 2), "frames are looked at in pairs")
        if stepPowers[..<count].contains(where: { $0 != 0 }) {
            transform(count)
            sumBands(count)
            let sums = sums.start
            // There is a row for each frame.
            rows.withUnsafeMutableLanes { lanes_levels(sums, 1e-16, $0) }
        }
        for place in 0..<count where hops.start(of: next + place) < hops.frames {
            builder.add(
                rows[place], periodicity: periodicities.start[place],
                isDigitalSilence: stepPowers[place] == 0)
        }
    }

    /// Computes the powers of the next `count` frames into `spectra`, and their periodicity into
    /// `periodicities`.
    private mutating func transform(_ count: Int) {
        let first = layout.firstSample(of: next)
        starts.removeAll(keepingCapacity: true)
        for place in 0..<count { starts.append(layout.firstSample(of: next + place) - first) }
        decimator.output.withFrames(from: first, count: starts[count - 1] + layout.count) {
            spectra.measure($0, starts: starts)
        }
        periodicity.measure(spectra.powers, into: periodicities.start)
    }

    /// Sums the powers of `count` frames into the lanes of the band rows.
    private func sumBands(_ count: Int) {
        let (sums, width) = (sums.start, BatchedPowerSpectra.stretches)
        bands.sum(spectra.powers, into: sums)
        guard layout.factor > 1 else { return }
        let steps = sums + bands.bins.count * width
        let whole = sums + BandRow.whole * width
        for place in 0..<count {
            steps[place] = stepPowers[place]
            // Steps are up to twice as large as the samples between which they lie.
            whole[place] += stepPowers[place] / 4
        }
    }
}
