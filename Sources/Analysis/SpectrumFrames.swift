import CLanes
import Recordings

/// The levels of the bands of every 10 ms, and what else their spectrum shows.
///
/// Each channel is brought to 16…32 kHz and transformed by itself, and the power of all channels
/// is averaged, so that opposite phases cannot cancel. Two transforms cost as much as one (see
/// `TwinSpectrum`), which is why frames are looked at in pairs. Each frame depends on the samples
/// around it alone. Memory is bounded.
struct SpectrumFrames {
    private var hops: SoundHops
    private var decimator: Decimator
    private let spectrum: TwinSpectrum
    private let bands: MelBands
    private let periodicity: Periodicity
    private let layout: SpectrumLayout
    /// Frames from this one on are left to others.
    private let end: Int

    /// The next frame of 10 ms to be analysed.
    private(set) var next: Int
    /// How much the samples of the hops from `next` on change from one to the next.
    private var stepPowers: [Float] = []
    /// The powers of both frames by lane of their rows.
    private var sums = [SIMD2<Float>](repeating: .zero, count: BandRow.count)

    /// Those of a range of hops; where it does not begin with the first, what leads to it comes
    /// before all else.
    init(layout: SpectrumLayout, channels: Int, range: Range<Int> = 0..<Int.max) {
        let (rate, count) = (layout.rate, layout.count)
        let first = range.lowerBound
        precondition(layout.mayBegin(at: first), "a section begins where all suits it")
        self.layout = layout
        next = first
        end = range.upperBound
        hops = SoundHops(
            sampleRateHertz: layout.sampleRateHertz, channels: channels, firstHop: first)
        decimator = Decimator(
            sampleRateHertz: layout.sampleRateHertz, channels: channels, lead: count / 2,
            mostFrames: max(SpectrumFrames.framesAtOnce, hops.mostFrames),
            place: first == 0 ? nil : layout.lead(of: first) / layout.factor)
        // A one-sided spectrum; the squares of a Hann window sum up to 3/8 of its length.
        spectrum = TwinSpectrum(
            window: Window.hann(count),
            scale: Float(2 / (Double(count) * 0.375 * Double(count) * Double(channels))))
        bands = MelBands(sampleRateHertz: rate, count: count)
        periodicity = Periodicity(hertzPerBin: rate / Double(count), binCount: count / 2)
    }

    /// Levels that there are of bands, and of what lies above them.
    var bandCount: Int {
        bands.bins.count + (layout.factor > 1 || !bands.above.isEmpty ? 1 : 0)
    }
    /// Those that the speech network knows: what lies above the bands only where it is measured by
    /// steps.
    var knownBandCount: Int { bands.bins.count + (layout.factor > 1 ? 1 : 0) }
    /// The lowest of those that answer for fricatives.
    var lowestHighBand: Int { bands.high.lowerBound }

    /// Takes in the frames from the layout's lead on up to the first hop's.
    mutating func lead(_ block: borrowing AudioBlock) {
        precondition(block.channels == hops.channels, "the channel count of a recording is fixed")
        precondition(
            block.frames == layout.start(of: next) - layout.lead(of: next), "the lead is whole")
        decimator.consume(block.samples[..<block.sampleCount])
        hops.follow(block.samples[(block.sampleCount - block.channels)..<block.sampleCount])
    }

    mutating func consume(
        _ block: borrowing AudioBlock, into taker: inout some SpectrumTaker
    ) {
        precondition(block.channels == hops.channels, "the channel count of a recording is fixed")
        let most = SpectrumFrames.framesAtOnce * block.channels
        for start in stride(from: 0, to: block.sampleCount, by: most) {
            let samples = block.samples[start..<min(start + most, block.sampleCount)]
            samples.withUnsafeBufferPointer {
                var place = 0
                while let power = hops.take($0, from: &place) { stepPowers.append(power) }
            }
            decimator.consume(samples)
            analyse(into: &taker)
        }
    }

    /// Frames that are brought to the lower rate in one go: a call for each hop would cost as much.
    private static let framesAtOnce = 4096

    /// The frames that wait for more, which does not come.
    mutating func finish(into taker: inout some SpectrumTaker) {
        let frames = hops.frames
        while next < end, hops.start(of: next) < frames {
            let (rest, power) = hops.pad()
            decimator.consume(rest)
            stepPowers.append(power)
            analyse(into: &taker)
        }
    }
}

/// Whoever wants to know what each frame shows, in order.
protocol SpectrumTaker {
    /// Takes in the next frame: its levels, and how much it repeats at the pitch of a voice.
    mutating func add(_ row: BandRow, periodicity: Float, isDigitalSilence: Bool)
}

// MARK: - Analysis

extension SpectrumFrames {
    /// Analyses the frames whose last sample is there.
    private mutating func analyse(into taker: inout some SpectrumTaker) {
        let from = next
        while stepPowers.count >= next - from + 2, next < end,
            layout.firstSample(of: next + 1) + spectrum.count <= decimator.output.end
        {
            let place = next - from
            analysePair(SIMD2(stepPowers[place], stepPowers[place + 1]), into: &taker)
            next += 2
        }
        stepPowers.removeFirst(next - from)
        decimator.output.drop(before: layout.firstSample(of: next))
    }

    private mutating func analysePair(_ steps: SIMD2<Float>, into taker: inout some SpectrumTaker) {
        var periodicities = SIMD2<Float>.zero
        if steps != .zero {
            transformPair()
            sumBands(steps)
            periodicities = periodicity.measure(spectrum.powers)
        }
        let rows = rows()
        for lane in 0..<2 where hops.start(of: next + lane) < hops.frames {
            taker.add(
                lane == 0 ? rows.first : rows.second, periodicity: periodicities[lane],
                isDigitalSilence: steps[lane] == 0)
        }
    }

    /// Sums the powers of both frames into the lanes of their rows.
    private mutating func sumBands(_ steps: SIMD2<Float>) {
        bands.sum(spectrum.powers, into: &sums)
        if decimator.factor > 1 {
            sums[bands.bins.count] = steps
            // Steps are up to twice as large as the samples they lie between.
            sums[BandRow.whole] += steps / 4
        }
    }

    /// The powers of both frames as levels.
    private func rows() -> (first: BandRow, second: BandRow) {
        var (first, second) = (BandRow.zero, BandRow.zero)
        sums.withUnsafeBufferPointer { sums in
            // Pairs of numbers are numbers, one behind the other.
            sums.withMemoryRebound(to: Float.self) { sums in
                // There is a pair for each lane.
                guard let sums = sums.baseAddress else { return }
                first.withUnsafeMutableLanes { first in
                    second.withUnsafeMutableLanes { lanes_pair_levels(sums, 1e-16, first, $0) }
                }
            }
        }
        return (first, second)
    }

    /// Brings the powers of the next two frames into `spectrum`.
    private func transformPair() {
        let (first, second) = (layout.firstSample(of: next), layout.firstSample(of: next + 1))
        let (count, channels) = (spectrum.count, hops.channels)
        decimator.output.withFrames(from: first, count: second - first + count) { frames in
            spectrum.measure(frames, frames + (second - first) * channels, channels: channels)
        }
    }
}
