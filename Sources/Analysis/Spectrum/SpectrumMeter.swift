import Recordings

/// Measures activity: scores every 10 ms by how far its spectrum is above the noise floor.
///
/// Memory is bounded, except for the track.
package struct SpectrumMeter: BlockConsumer {
    private let layout: SpectrumLayout
    private var frames: SpectrumFrames
    private var builder: TrackBuilder

    /// - Parameter keepsBands: Whether to keep the speech network's inputs in the track. Below 8
    ///   kHz, rates on which it was not trained, the inputs of the level detector are kept instead.
    package init(sampleRateHertz: Int, channels: Int, keepsBands: Bool = false) {
        precondition(sampleRateHertz > 0 && channels > 0, "a recording has a rate and channels")
        layout = SpectrumLayout(sampleRateHertz: sampleRateHertz)
        frames = SpectrumFrames(layout: layout, channels: channels)
        let keepsBands = keepsBands && sampleRateHertz >= 8000
        let count = keepsBands ? frames.knownBandCount : frames.bandCount
        builder = TrackBuilder(
            bands: count, high: frames.lowestHighBand..<count, keepsBands: keepsBands)
    }

    /// Reserves memory for the track of `frames` frames, to avoid reallocation, which needs twice
    /// the memory.
    package mutating func expect(frames: Int) {
        builder.expect(hops: (frames + layout.sampleRateHertz / 100) * 100 / layout.sampleRateHertz)
    }

    package mutating func consume(_ block: borrowing AudioBlock) {
        frames.consume(block, into: &builder)
    }

    /// The track of everything consumed.
    package mutating func finish() -> ActivityTrack {
        frames.finish(into: &builder)
        builder.finish()
        return builder.track
    }
}
