import CLanes
import Recordings

/// The pixels of a channel, or of the mix, at one zoom.
///
/// For a number of points, whose zoom is known only at the end, pixels begin small, and neighbours
/// are merged whenever there are too many: memory is bounded, and the zoom depends on the number of
/// frames alone.
struct WaveformLane {
    private(set) var samplesPerPixel: Int
    /// Minimum and maximum of each pixel; the last pixel may be incomplete.
    private(set) var values: [Int16] = []
    /// Frames in the incomplete pixel; zero if there is none.
    private var openFrames = 0
    /// The most pixels at the end; `nil` if the zoom is fixed.
    private let points: Int?

    /// Pixels that are held per point: the more, the closer the final number comes to `points`.
    private static let pixelsPerPoint = 32
    /// What the waveform formats can say.
    private static let mostSamplesPerPixel = Int(Int32.max)

    init(_ zoom: WaveformRecipe.Zoom) {
        switch zoom {
        case .samplesPerPixel(let samples):
            precondition(samples > 0, "a pixel has samples")
            (samplesPerPixel, points) = (samples, nil)
        case .points(let points):
            precondition(points > 0, "a waveform has points")
            (samplesPerPixel, self.points) = (WaveformRecipe.leastSamplesPerPixel, points)
        }
    }

    /// Reserves memory for so many frames, and no more than so many values.
    mutating func expect(frames: Int, atMost most: Int) {
        var pixels = frames / samplesPerPixel + 1
        if let points { pixels = min(pixels, 2 * WaveformLane.pixelsPerPoint * points) }
        values.reserveCapacity(min(2 * pixels, most))
    }

    mutating func extend(by samples: UnsafeBufferPointer<Int16>) {
        append(samples)
        guard let points else { return }
        while pixels > WaveformLane.pixelsPerPoint * points,
            2 * samplesPerPixel <= WaveformLane.mostSamplesPerPixel
        {
            merge(2)
        }
    }

    /// With the zoom that it has in the end.
    func finished() -> WaveformLane {
        guard let points, pixels > points else { return self }
        var lane = self
        lane.merge(
            min(
                (pixels + points - 1) / points,
                WaveformLane.mostSamplesPerPixel / samplesPerPixel))
        return lane
    }

    private var pixels: Int { values.count / 2 }

    /// Merges each `count` neighbouring pixels; the last ones may be fewer.
    private mutating func merge(_ count: Int) {
        let before = pixels
        let missing = openFrames > 0 ? samplesPerPixel - openFrames : 0
        let frames = before * samplesPerPixel - missing
        var after = 0
        for first in stride(from: 0, to: before, by: count) {
            var (low, high) = (values[2 * first], values[2 * first + 1])
            for pixel in first..<min(first + count, before) {
                low = min(low, values[2 * pixel])
                high = max(high, values[2 * pixel + 1])
            }
            (values[2 * after], values[2 * after + 1]) = (low, high)
            after += 1
        }
        values.removeLast(2 * (before - after))
        samplesPerPixel *= count
        openFrames = frames % samplesPerPixel
    }

    private mutating func append(_ samples: UnsafeBufferPointer<Int16>) {
        var start = 0
        if openFrames > 0, !samples.isEmpty {
            start = min(samples.count, samplesPerPixel - openFrames)
            append(1, of: start, samples[..<start])
            let (high, low) = (values.removeLast(), values.removeLast())
            let last = values.count - 2
            values[last] = min(values[last], low)
            values[last + 1] = max(values[last + 1], high)
            openFrames = (openFrames + start) % samplesPerPixel
        }
        let pixels = (samples.count - start) / samplesPerPixel
        append(pixels, of: samplesPerPixel, samples[start...])
        start += pixels * samplesPerPixel
        if start < samples.count {
            openFrames = samples.count - start
            append(1, of: openFrames, samples[start...])
        }
    }

    /// Appends `pixels` pixels of `count` samples each.
    private mutating func append(
        _ pixels: Int, of count: Int, _ samples: Slice<UnsafeBufferPointer<Int16>>
    ) {
        let first = values.count
        values.append(contentsOf: repeatElement(0, count: 2 * pixels))
        values.withUnsafeMutableBufferPointer { values in
            guard let from = UnsafeBufferPointer(rebasing: samples).baseAddress,
                let to = values.baseAddress
            else { return }
            lanes_ranges(from, count, pixels, to + first)
        }
    }
}
