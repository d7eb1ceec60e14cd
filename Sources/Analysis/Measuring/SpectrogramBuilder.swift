import Glibc
import Recordings

/// Draws a spectrogram with a 10 ms hop into a limited number of columns.
///
/// Each channel is transformed separately, and the powers are averaged. Rows are equally wide on
/// the mel scale, up to half the sample rate. Whenever there are too many columns, neighbours are
/// merged in pairs. So memory does not grow with the recording, whose length need not be known. Of
/// a column with many hops, only eight are analysed, evenly apart, so that an hour takes little
/// longer than some minutes.
/// A part of the recording gets all columns for itself.
package struct SpectrogramBuilder: BlockConsumer {
    private let sampleRateHertz: Int
    private let channels: Int
    private let spectra: BatchedPowerSpectra
    private let hopFrames: Int
    private let part: Range<Int>
    private let edges: [Double]
    /// The bins that each row averages, at least one.
    private let bins: [Range<Int>]

    private var samples: FrameQueue
    private var frames = 0
    /// Frames before those that are analysed.
    private var skippedFrames = 0
    /// The next hop to analyse.
    private var next = 0
    /// The frames of the hops that are analysed next, one after the other, and their number.
    private var windows: [Float] = []
    private var waiting = 0
    /// Hops from one of them to the next.
    private var step = 1
    private var columns: [Float] = []
    private var hopsPerColumn = 1
    /// The current column, the number of hops in it, and of those that were analysed.
    private var sums: [Float]
    private var hopsInColumn = 0
    private var analysedInColumn = 0

    private static let rows = 192
    private static let mostColumns = 4096
    private static let mostPerColumn = 8

    /// - Parameter part: frames; blocks without any of them are skipped.
    package init(sampleRateHertz: Int, channels: Int, part: Range<Int> = 0..<Int.max) {
        precondition(sampleRateHertz > 0 && channels > 0, "a recording has a rate and channels")
        self.sampleRateHertz = sampleRateHertz
        let count = SpectrumLayout.transformCount(sampleRateHertz: Double(sampleRateHertz))
        self.channels = channels
        self.part = part
        spectra = BatchedPowerSpectra(
            window: Window.hann(count), channels: channels,
            scale: Float(2 / (Double(count) * 0.375 * Double(count) * Double(channels))))
        hopFrames = max(1, sampleRateHertz / 100)
        samples = FrameQueue(start: -count / 2, channels: channels)
        samples.append(repeatElement(0, count: count / 2 * channels))
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
        precondition(block.channels == channels, "the channel count of a recording is fixed")
        let start = skippedFrames + frames
        guard start < part.upperBound else { return }
        guard start + block.frames > part.lowerBound else {
            skippedFrames += block.frames
            return
        }
        samples.append(block.samples[..<block.sampleCount])
        frames += block.frames
        samples.drop(before: firstFrame)
        while firstFrame + spectra.count <= samples.end { take() }
    }

    /// The first frame of the next hop.
    private var firstFrame: Int { next * hopFrames - spectra.count / 2 }

    /// The spectrogram of everything consumed.
    package mutating func finish() -> Spectrogram {
        samples.append(repeatElement(0, count: spectra.count * channels))
        let hops = (frames + hopFrames - 1) / hopFrames
        while next < hops { take() }
        if waiting > 0 { analyse() }
        if hopsInColumn > 0 { closeColumn() }
        var spectrogram = Spectrogram(
            sampleRateHertz: sampleRateHertz, framesPerColumn: hopsPerColumn * hopFrames,
            edgesHertz: edges, levelsDBFS: columns.map { 10 * log10f($0 + 1e-12) })
        spectrogram.startSeconds = Double(skippedFrames) / Double(sampleRateHertz)
        return spectrogram
    }

    /// The inverse of `MelBands.hertz(mel:)`.
    private static func mel(hertz: Double) -> Double { 2595 * log10(1 + hertz / 700) }
}

extension SpectrogramBuilder {
    /// Takes the frames of the next hop, all of which must be there.
    private mutating func take() {
        samples.withFrames(from: firstFrame, count: spectra.count) {
            // What is lent has this many samples.
            windows += UnsafeBufferPointer(start: $0, count: spectra.count * channels)
        }
        waiting += 1
        next += step
        samples.drop(before: firstFrame)
        if waiting == BatchedPowerSpectra.stretches { analyse() }
    }

    /// Adds the spectra of the hops that wait to their columns.
    private mutating func analyse() {
        windows.withUnsafeBufferPointer { windows in
            // It holds the frames of at least one hop.
            guard let start = windows.baseAddress else { return }
            spectra.measure(start, starts: (0..<waiting).map { $0 * spectra.count })
        }
        for hop in 0..<waiting {
            for (row, bins) in bins.enumerated() {
                let sum = bins.reduce(0) {
                    $0 + spectra.powers[$1 * BatchedPowerSpectra.stretches + hop]
                }
                sums[row] += sum / Float(bins.count)
            }
            hopsInColumn += step
            analysedInColumn += 1
            if hopsInColumn >= hopsPerColumn { closeColumn() }
        }
        windows.removeAll(keepingCapacity: true)
        waiting = 0
        step = max(1, hopsPerColumn / SpectrogramBuilder.mostPerColumn)
    }

    private mutating func closeColumn() {
        for row in sums.indices {
            columns.append(sums[row] / Float(analysedInColumn))
            sums[row] = 0
        }
        (hopsInColumn, analysedInColumn) = (0, 0)
        if columns.count == SpectrogramBuilder.mostColumns * sums.count { halve() }
    }

    /// Merges neighbouring columns in pairs.
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
