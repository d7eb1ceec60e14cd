/// One kept range of a recording, and its position in the trimmed copy.
package struct Edit: Hashable, Codable, Sendable {
    /// `[first, end)` in frames of the source.
    package var source: Range<Int64>
    /// The frame of the copy where the range begins.
    package var trimmedFrame: Int64

    /// A range is encoded as an array of its two ends.
    private enum CodingKeys: String, CodingKey {
        case source = "sourceFrames"
        case trimmedFrame
    }

    package init(sourceFrames: Range<Int64>, trimmedFrame: Int64) {
        self.source = sourceFrames
        self.trimmedFrame = trimmedFrame
    }

    /// The two ends, as encoded.
    package var sourceFrames: [Int64] { [source.lowerBound, source.upperBound] }

    /// Frames kept by this edit.
    package var frames: Int64 { source.upperBound - source.lowerBound }
}

extension [Edit] {
    /// What these edits leave out of a recording with so many frames, in seconds, ascending.
    package func cutsSeconds(of frames: Int64, atRate sampleRateHertz: Int) -> [Range<Double>] {
        let starts = [0] + map(\.source.upperBound)
        let ends = map(\.source.lowerBound) + [frames]
        return zip(starts, ends).filter { $0 < $1 }.map {
            let start = Double($0).seconds(atRate: sampleRateHertz)
            return start..<Double($1).seconds(atRate: sampleRateHertz)
        }
    }
}

/// All ranges that a trimmed copy keeps, in order, without overlap.
package struct EditList: Hashable, Codable, Sendable {
    package var edits: [Edit]
    /// Frames of the source; shows whether the end was cut.
    package var sourceFrameCount: Int64

    /// An edit list that keeps these ranges, which must ascend and not touch.
    package init(keeping ranges: [Range<Int64>], of sourceFrameCount: Int64) {
        self.init(of: sourceFrameCount, reserving: ranges.count)
        for range in ranges { keep(range) }
    }

    /// An empty edit list; add ranges in ascending order.
    package init(of sourceFrameCount: Int64, reserving edits: Int) {
        self.edits = []
        self.edits.reserveCapacity(edits)
        self.sourceFrameCount = sourceFrameCount
    }

    /// Appends a range after the last one, not touching it.
    package mutating func keep(_ range: Range<Int64>) {
        guard !range.isEmpty else { return }
        let position = edits.last.map { $0.trimmedFrame + $0.frames } ?? 0
        edits.append(Edit(sourceFrames: range, trimmedFrame: position))
    }

    /// Frames of the copy.
    package var trimmedFrameCount: Int64 { edits.reduce(0) { $0 + $1.frames } }
}

/// The file format of a trimmed copy.
package enum TrimmedContainer: String, Codable, Sendable, CaseIterable {
    /// The source's container and encoding; for lossless encodings only.
    case same
    /// WAV with the source's samples; 16 bits where the source is lossy.
    case wav
    /// FLAC with 8, 16 or 24 bits; 16 if the source is lossy or companded.
    ///
    /// Not available for floating point, 32-bit integers, or more than eight channels.
    case flac
}

/// Why a recording has no trimmed copy.
package enum TrimRefusal: String, Codable, Sendable, CaseIterable {
    /// Trimming was turned off.
    case off
    /// No silence is long enough to cut.
    case nothingToCut
    /// The whole recording is silent.
    case silent
    /// Sound and noise floor could not be separated.
    case notSeparable
    /// The confidence is below the required minimum.
    case lowConfidence
    /// The sample rate is too low for silence detection.
    case sampleRateTooLow
}
