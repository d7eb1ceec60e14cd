/// Converts frame positions between a recording and its trimmed copy.
///
/// A frame stands for the time at which it begins. The end of either file is a time too, one frame
/// after its last.
package struct TimeMap: Hashable, Sendable {
    /// Where a frame of the source is in the copy.
    package enum Place: Hashable, Sendable {
        /// It is this frame of the copy.
        case kept(trimmedFrame: Int64)
        /// It was cut with the frames in this range; what was before and after them meets at
        /// `joint`, a frame of the copy.
        case cut(Range<Int64>, joint: Int64)
    }

    private let edits: [Edit]
    package let sourceFrameCount: Int64
    package let trimmedFrameCount: Int64

    /// The map of a copy that keeps these edits of the source; `nil` if they contradict each other,
    /// as only those of a damaged manifest do.
    package init?(_ edits: [Edit], of sourceFrameCount: Int64) {
        var position: Int64 = 0
        var end: Int64 = 0
        for edit in edits {
            guard edit.source.lowerBound >= end, edit.source.upperBound <= sourceFrameCount,
                !edit.source.isEmpty, edit.trimmedFrame == position
            else { return nil }
            end = edit.source.upperBound
            position += edit.frames
        }
        guard !edits.isEmpty else { return nil }
        self.edits = edits
        self.sourceFrameCount = sourceFrameCount
        trimmedFrameCount = position
    }

    /// Where a frame of the source is in the copy; `nil` beyond the end.
    /// - Complexity: O(log edits).
    package func trimmed(ofSource frame: Int64) -> Place? {
        guard (0...sourceFrameCount).contains(frame) else { return nil }
        let next = edits.partitioningIndex { $0.source.lowerBound > frame }
        let start = next > 0 ? edits[next - 1].source.upperBound : 0
        let isEnd = frame == sourceFrameCount && start == sourceFrameCount
        if next > 0, frame < start || isEnd {
            let edit = edits[next - 1]
            return .kept(trimmedFrame: edit.trimmedFrame + (frame - edit.source.lowerBound))
        }
        let isBehindAll = next == edits.count
        let end = isBehindAll ? sourceFrameCount : edits[next].source.lowerBound
        let joint = isBehindAll ? trimmedFrameCount : edits[next].trimmedFrame
        return .cut(start..<end, joint: joint)
    }

    /// The source frame of a frame of the copy; `nil` beyond the end.
    ///
    /// At a joint, it is the first one after the cut; at the copy's end, the one after the last
    /// that was kept.
    /// - Complexity: O(log edits).
    package func source(ofTrimmed frame: Int64) -> Int64? {
        guard (0...trimmedFrameCount).contains(frame) else { return nil }
        // The first edit is at frame 0, so one is always found.
        let edit = edits[edits.partitioningIndex { $0.trimmedFrame > frame } - 1]
        return edit.source.lowerBound + (frame - edit.trimmedFrame)
    }
}

// MARK: - Times

extension TimeMap {
    /// The direction of a conversion.
    package enum Direction: String, Hashable, Sendable, CaseIterable {
        case toSource, toTrimmed
    }

    /// The same moment in the source and in the copy.
    package struct Moment: Hashable, Sendable {
        package var sourceFrame: Int64
        /// The joint, if the source frame was cut.
        package var trimmedFrame: Int64
        /// The range that was cut around the source frame; `nil` if it was kept.
        package var cut: Range<Int64>?

        package init(sourceFrame: Int64, trimmedFrame: Int64, cut: Range<Int64>? = nil) {
            self.sourceFrame = sourceFrame
            self.trimmedFrame = trimmedFrame
            self.cut = cut
        }
    }

    /// The moment at a time, rounded to the nearest frame; `nil` beyond the end.
    /// - Parameter seconds: not negative, and less than a century.
    package func moment(
        _ direction: Direction, seconds: Double, sampleRateHertz: Int
    ) -> Moment? {
        let frame = Int64((seconds * Double(sampleRateHertz)).rounded())
        switch direction {
        case .toSource:
            return source(ofTrimmed: frame).map { Moment(sourceFrame: $0, trimmedFrame: frame) }
        case .toTrimmed:
            switch trimmed(ofSource: frame) {
            case .kept(let trimmed):
                return Moment(sourceFrame: frame, trimmedFrame: trimmed)
            case .cut(let range, let joint):
                return Moment(sourceFrame: frame, trimmedFrame: joint, cut: range)
            case nil: return nil
            }
        }
    }

    /// Number of frames in the file whose times are converted.
    package func frames(asked direction: Direction) -> Int64 {
        direction == .toSource ? trimmedFrameCount : sourceFrameCount
    }
}
