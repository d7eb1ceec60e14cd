/// Loudness and clipping of a recording, per channel.
///
/// `nil` stands for digital silence, which has no decibels.
package struct Levels: Hashable, Codable, Sendable {
    /// Largest absolute sample, relative to full scale; above 0 only in floating-point sources.
    package var peakDBFS: [Double?]
    /// Root mean square relative to a full-scale square wave (so a full-scale sine reads -3.01).
    package var rmsDBFS: [Double?]
    /// Mean of all samples, full scale being 1.
    package var dcOffset: [Double]
    /// Clipped samples: in runs of three or more at full scale.
    package var clippedSamples: [Int]
    /// Samples beyond full scale, which no integer format could hold.
    package var samplesBeyondFullScale: [Int]
    /// NaN or infinite samples, counted as zero everywhere else; `nil` if there are none.
    package var nonFiniteSamples: [Int]?

    package init(
        peakDBFS: [Double?], rmsDBFS: [Double?], dcOffset: [Double], clippedSamples: [Int],
        samplesBeyondFullScale: [Int], nonFiniteSamples: [Int]? = nil
    ) {
        self.peakDBFS = peakDBFS
        self.rmsDBFS = rmsDBFS
        self.dcOffset = dcOffset
        self.clippedSamples = clippedSamples
        self.samplesBeyondFullScale = samplesBeyondFullScale
        self.nonFiniteSamples = nonFiniteSamples
    }
}
