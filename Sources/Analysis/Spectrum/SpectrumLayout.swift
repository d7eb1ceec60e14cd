/// The positions of spectrum frames in a recording, and the samples each depends on.
struct SpectrumLayout: Hashable, Sendable {
    let sampleRateHertz: Int
    /// The decimation factor before the transform.
    let factor: Int
    /// Samples per transform.
    let count: Int

    init(sampleRateHertz: Int) {
        self.sampleRateHertz = sampleRateHertz
        factor = Decimator.factor(sampleRateHertz: sampleRateHertz)
        count = SpectrumLayout.transformCount(
            sampleRateHertz: Double(sampleRateHertz) / Double(factor))
    }

    /// The sample rate after decimation.
    var rate: Double { Double(sampleRateHertz) / Double(factor) }

    /// The first frame of a hop, counted in the recording.
    func start(of hop: Int) -> Int { SoundHops.start(of: hop, sampleRateHertz: sampleRateHertz) }

    /// The first sample of a frame's transform, at the lower rate.
    func firstSample(of frame: Int) -> Int {
        (start(of: frame) + sampleRateHertz / 200) / factor - count / 2
    }

    /// The longest size up to 32 ms whose transform is fast: a power of two times 1, 3, 5 or 9.
    static func transformCount(sampleRateHertz: Double) -> Int {
        let most = Int(sampleRateHertz * 0.032 + 0.5)
        let sizes = [1, 3, 5, 9].map { odd in
            var size = 2 * odd
            while size * 2 <= most { size *= 2 }
            return size
        }
        return sizes.filter { $0 <= most }.max() ?? 8
    }
}
