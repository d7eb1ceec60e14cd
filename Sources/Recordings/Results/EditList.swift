/// One kept stretch of a recording, and where it begins in the trimmed copy.
package struct Edit: Hashable, Codable, Sendable {
    /// `[first, end)` in frames of the source.
    package var source: Range<Int64>
    /// The frame of the copy that holds the first.
    package var trimmedFrame: Int64

    /// A range is spelled as an array of its two ends.
    private enum CodingKeys: String, CodingKey {
        case source = "sourceFrames"
        case trimmedFrame
    }

    package init(sourceFrames: Range<Int64>, trimmedFrame: Int64) {
        self.source = sourceFrames
        self.trimmedFrame = trimmedFrame
    }

    /// The two ends, as they are written.
    package var sourceFrames: [Int64] { [source.lowerBound, source.upperBound] }

    /// Frames kept by this edit.
    package var frames: Int64 { source.upperBound - source.lowerBound }
}

/// Everything a trimmed copy keeps, in order, without overlap.
package struct EditList: Hashable, Codable, Sendable {
    package var edits: [Edit]
    /// Frames of the source, to know whether an edge was cut.
    package var sourceFrameCount: Int64

    /// An edit list of the kept ranges, which must ascend and not touch.
    package init(keeping ranges: [Range<Int64>], of sourceFrameCount: Int64) {
        self.init(of: sourceFrameCount, reserving: ranges.count)
        for range in ranges { keep(range) }
    }

    /// An edit list that keeps nothing yet, to which ranges are added in their order.
    package init(of sourceFrameCount: Int64, reserving edits: Int) {
        self.edits = []
        self.edits.reserveCapacity(edits)
        self.sourceFrameCount = sourceFrameCount
    }

    /// Keeps a range behind those that are kept already, and not touching them.
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
    /// FLAC of 8, 16 or 24 bits; 16 where the source is lossy or companded.
    ///
    /// Not for floating point, 32-bit integers, or more than eight channels.
    case flac
}

/// Why a recording has no trimmed copy.
package enum TrimRefusal: String, Codable, Sendable, CaseIterable {
    /// Trimming was not asked for.
    case off
    /// There is no silence long enough to cut.
    case nothingToCut
    /// All of it is silence.
    case silent
    /// Sound and noise floor could not be told apart.
    case notSeparable
    /// Silence is not looked for at so low a sample rate.
    case sampleRateTooLow
}
