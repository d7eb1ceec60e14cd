import Recordings

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Draws the spectrum every 10 ms into columns, of which there are never more than so many.
///
/// Each channel is transformed by itself and the power of all is averaged. Rows are equally wide on
/// the mel scale, up to half of the sample rate. Whenever the columns are too many, two neighbours
/// become one; so memory does not grow with the recording, whose length need not be known.
package struct SpectrogramBuilder: BlockConsumer {
    private let sampleRateHertz: Int
    private let transform: FourierTransform
    private let window: [Float]
    private let powerScale: Float
    private let hopFrames: Int
    private let edges: [Double]
    /// For each row the bins it takes the mean of, at least one.
    private let bins: [Range<Int>]

    private var samples: [SampleQueue]
    private var frames = 0
    /// The next hop to be analysed.
    private var next = 0
    private var columns: [Float] = []
    private var hopsPerColumn = 1
    /// The column under way, and how many hops are in it.
    private var sums: [Float]
    private var hopsInColumn = 0

    private static let rows = 192
    private static let mostColumns = 4096

    package init(sampleRateHertz: Int, channels: Int) {
        precondition(sampleRateHertz > 0 && channels > 0, "a recording has a rate and channels")
        self.sampleRateHertz = sampleRateHertz
        let count = SpectrumMeter.transformCount(sampleRateHertz: Double(sampleRateHertz))
        transform = FourierTransform(count: count)
        window = Window.hann(count)
        powerScale = Float(2 / (Double(count) * 0.375 * Double(count) * Double(channels)))
        hopFrames = max(1, sampleRateHertz / 100)
        samples = Array(repeating: SampleQueue(start: -count / 2), count: channels)
        for channel in samples.indices {
            samples[channel].append(repeating: 0, count: count / 2)
        }
        let rows = SpectrogramBuilder.rows
        let highest = SpectrogramBuilder.mel(hertz: Double(sampleRateHertz) / 2)
        let edges = (0...rows).map {
            MelBands.hertz(mel: highest * Double($0) / Double(rows))
        }
        let hertzPerBin = Double(sampleRateHertz) / Double(count)
        self.edges = edges
        bins = (0..<rows).map { row in
            let first = min(count / 2 - 1, Int((edges[row] / hertzPerBin).rounded()))
            let end = min(count / 2, Int((edges[row + 1] / hertzPerBin).rounded()))
            return first..<max(first + 1, end)
        }
        sums = Array(repeating: 0, count: rows)
    }

    package mutating func consume(_ block: borrowing AudioBlock) {
        precondition(block.channels == samples.count, "the channel count of a recording is fixed")
        let count = block.sampleCount
        let channels = samples.count
        block.samples.withUnsafeBufferPointer { all in
            for channel in 0..<channels {
                samples[channel].append(
                    UnsafeBufferPointer(rebasing: all[..<count]), channel: channel,
                    channels: channels)
            }
        }
        frames += block.frames
        while next * hopFrames + transform.count / 2 <= samples[0].end { analyse() }
    }

    /// The picture of everything consumed.
    package mutating func finish() -> Spectrogram {
        for channel in samples.indices {
            samples[channel].append(repeating: 0, count: transform.count)
        }
        while next * hopFrames < frames { analyse() }
        if hopsInColumn > 0 { closeColumn() }
        return Spectrogram(
            sampleRateHertz: sampleRateHertz, framesPerColumn: hopsPerColumn * hopFrames,
            edgesHertz: edges, levelsDBFS: columns.map { 10 * log10f($0 + 1e-12) })
    }

    /// The inverse of `MelBands.hertz(mel:)`.
    private static func mel(hertz: Double) -> Double { 2595 * log10(1 + hertz / 700) }
}

extension SpectrogramBuilder {
    /// Adds the spectrum around the next hop to the column under way.
    private mutating func analyse() {
        let first = next * hopFrames - transform.count / 2
        for channel in samples.indices {
            let input = transform.input
            samples[channel].withSamples(from: first) { samples in
                for index in window.indices { input[index] = samples[index] * window[index] }
            }
            transform.run()
            addPower()
        }
        next += 1
        hopsInColumn += 1
        if hopsInColumn == hopsPerColumn { closeColumn() }
        for channel in samples.indices {
            samples[channel].drop(before: next * hopFrames - transform.count / 2)
        }
    }

    private mutating func addPower() {
        let output = transform.output
        for (row, bins) in bins.enumerated() {
            var sum: Float = 0
            for bin in bins {
                let value = output[bin]
                sum += value.real * value.real + value.imaginary * value.imaginary
            }
            sums[row] += powerScale * sum / Float(bins.count)
        }
    }

    private mutating func closeColumn() {
        for row in sums.indices {
            columns.append(sums[row] / Float(hopsInColumn))
            sums[row] = 0
        }
        hopsInColumn = 0
        if columns.count == SpectrogramBuilder.mostColumns * sums.count { halve() }
    }

    /// Makes each pair of neighbours one.
    private mutating func halve() {
        let rows = sums.count
        for column in 0..<SpectrogramBuilder.mostColumns / 2 {
            for row in 0..<rows {
                let left = columns[2 * column * rows + row]
                let right = columns[(2 * column + 1) * rows + row]
                columns[column * rows + row] = (left + right) / 2
            }
        }
        columns.removeLast(columns.count / 2)
        hopsPerColumn *= 2
    }
}
