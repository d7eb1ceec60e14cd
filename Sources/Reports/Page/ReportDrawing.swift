import Recordings

/// What a page draws of a recording once it comes into view.
package struct ReportDrawing: Encodable, Sendable {
    /// In seconds, ascending.
    var silences: [[Double]]
    /// What the trimmed copy leaves out.
    var cuts: [[Double]] = []
    /// Minimum and maximum of each column as signed bytes, in base64; `nil` if none are known.
    package var peaks: String?

    /// The number of columns of a waveform, unless it has fewer pixels.
    package static let columns = 1000

    package init(_ entry: ManifestEntry) {
        silences = entry.silence?.intervalsSeconds ?? []
        guard let format = entry.format, let edits = entry.trimmed?.edits else { return }
        cuts = edits.cutsSeconds(of: format.frames, atRate: format.sampleRateHertz)
            .map { [$0.lowerBound, $0.upperBound] }
    }

    /// Minimum and maximum of each column, -128 to 127.
    package static func columns(of peaks: Peaks, atMost most: Int = columns) -> [UInt8] {
        let count = min(most, peaks.length)
        return (0..<count).flatMap { column -> [UInt8] in
            let first = column * peaks.length / count
            let next = (column + 1) * peaks.length / count
            let (low, high) = peaks.extent(of: first..<next)
            return [low, high].map { UInt8(bitPattern: Int8($0 >> 8)) }
        }
    }
}
