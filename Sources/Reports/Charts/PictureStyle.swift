import Jobs
import Recordings

/// What is drawn of a recording, how wide, and in which format.
package struct PictureStyle: Hashable, Sendable {
    package enum Format: String, CaseIterable, Sendable {
        case png, svg
    }

    package static let widths = 300...10_000

    package var format: Format
    package var width = 1280
    /// Where the drawn part begins and ends; by default with the recording.
    package var startSeconds: Double?
    package var endSeconds: Double?

    package init(_ format: Format) {
        self.format = format
    }

    /// The drawn part of a recording that may be of any length.
    package var seconds: Range<Double> {
        let start = startSeconds ?? 0
        return start..<max(start, endSeconds ?? .infinity)
    }

    /// The drawn part of a recording; an end beyond that of the recording is moved there.
    func seconds(ofDuration duration: Double) throws(PictureRefusal) -> Range<Double> {
        guard seconds.lowerBound < duration else {
            throw .startsBeyondEnd(
                startSeconds: seconds.lowerBound, durationSeconds: duration)
        }
        return seconds.clamped(to: 0..<duration)
    }
}
