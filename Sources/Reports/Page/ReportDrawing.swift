import Recordings

/// What a page draws of a recording once it comes into view.
package struct ReportDrawing: Encodable, Sendable {
    /// In seconds, ascending.
    var silences: [[Double]]
    /// What the trimmed copy leaves out.
    var cuts: [[Double]]
    /// Minimum and maximum of each column as signed bytes, in base64; `nil` if none are known.
    package var peaks: String?

    /// The number of columns of a waveform, unless it has fewer pixels.
    package static let columns = 1000

    package init(_ entry: ManifestEntry) {
        silences = entry.silence?.intervalsSeconds ?? []
        cuts =
            entry.format.flatMap { format in
                entry.trimmed.map { ReportDrawing.gaps(in: $0.edits, of: format) }
            } ?? []
    }

    /// What edits leave out, in seconds.
    private static func gaps(in edits: [Edit], of format: AudioFormat) -> [[Double]] {
        let rate = format.sampleRateHertz
        var end: Int64 = 0
        var gaps: [[Double]] = []
        for range in edits.map(\.source) + [format.frames..<format.frames] {
            if range.lowerBound > end {
                gaps.append([end, range.lowerBound].map { Double($0).seconds(atRate: rate) })
            }
            end = range.upperBound
        }
        return gaps
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
