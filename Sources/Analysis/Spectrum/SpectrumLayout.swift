/// Where the frames of a spectrum lie in a recording, and which samples each depends on.
struct SpectrumLayout: Hashable, Sendable {
    let sampleRateHertz: Int
    /// Frames of the recording for each sample that is transformed.
    let factor: Int
    /// Samples of a transform.
    let count: Int
    /// Samples on either side that the low-pass before decimation looks at.
    private let reach: Int

    init(sampleRateHertz: Int) {
        self.sampleRateHertz = sampleRateHertz
        factor = Decimator.factor(sampleRateHertz: sampleRateHertz)
        count = SpectrumLayout.transformCount(
            sampleRateHertz: Double(sampleRateHertz) / Double(factor))
        reach = Decimator.reach(sampleRateHertz: sampleRateHertz)
    }

    /// The rate of the samples that are transformed.
    var rate: Double { Double(sampleRateHertz) / Double(factor) }

    /// Where a hop begins, in frames of the recording.
    func start(of hop: Int) -> Int { SoundHops.start(of: hop, sampleRateHertz: sampleRateHertz) }

    /// The first sample of a frame's transform, at the lower rate.
    func firstSample(of frame: Int) -> Int {
        (start(of: frame) + sampleRateHertz / 200) / factor - count / 2
    }

    /// Whether a section may begin with a hop: frames are looked at in pairs, and samples of the
    /// lower rate have their places by the beginning of the recording.
    func mayBegin(at hop: Int) -> Bool {
        hop.isMultiple(of: 2) && start(of: hop).isMultiple(of: factor)
    }

    /// The first frame of the recording that a section depends on which begins with a hop, before
    /// its own; a whole number of samples of the lower rate.
    func lead(of hop: Int) -> Int {
        min((firstSample(of: hop) - reach) * factor, start(of: hop) - factor)
    }

    /// The end of the hop with which all is there that the frames before a hop depend on.
    func tail(of hop: Int) -> Int {
        let last = (firstSample(of: hop - 1) + count + reach) * factor
        var end = hop
        while start(of: end) < last { end += 1 }
        return start(of: end)
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
