import Recordings

/// Listens for activity: scores every 10 ms by how far its spectrum stands above the noise floor.
///
/// Memory is bounded but for that of the track.
package struct SpectrumMeter: BlockConsumer {
    private let layout: SpectrumLayout
    private var frames: SpectrumFrames
    private var builder: TrackBuilder

    /// - Parameter keepsBands: Whether the track is to have what the speech network is shown, which
    ///   has never heard rates under 8 kHz: there it has what the levels are judged by.
    package init(sampleRateHertz: Int, channels: Int, keepsBands: Bool = false) {
        precondition(sampleRateHertz > 0 && channels > 0, "a recording has a rate and channels")
        layout = SpectrumLayout(sampleRateHertz: sampleRateHertz)
        frames = SpectrumFrames(layout: layout, channels: channels)
        let keepsBands = keepsBands && sampleRateHertz >= 8000
        let count = keepsBands ? frames.knownBandCount : frames.bandCount
        builder = TrackBuilder(
            bands: count, high: frames.lowestHighBand..<count, keepsBands: keepsBands)
    }

    /// Makes room for the track of a recording of so many frames, so that it does not move, and
    /// need its room twice, as it grows.
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
