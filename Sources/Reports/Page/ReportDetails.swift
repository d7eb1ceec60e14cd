import Recordings

/// What an open row of a page draws beside the waveform, small enough for a page.
///
/// Time runs evenly over the recording in each member. Numbers are bytes, in base64.
package struct ReportDetails: Encodable, Sendable {
    /// Numbers over time: 0 to 254 stand for `low` to `high`, 255 for none.
    struct Series: Encodable, Sendable {
        var low: Float
        var high: Float
        var values: String
    }

    /// Power over time and frequency: column by column, each from the lowest row up.
    struct Picture: Encodable, Sendable {
        var rows: Int
        /// Between rows, equally far apart on the mel scale; in hertz.
        var edges: [Double]
        var low: Float
        var high: Float
        var values: String
    }

    /// Minimum and maximum of each column as signed bytes.
    var peaks: String
    var spectrogram: Picture?
    var level: Series?
    var floor: Series?
    var score: Series?
    var threshold: Series?
    /// What the score is.
    var scale: String?

    private static let peakColumns = 6000
    private static let seriesPoints = 1500
    private static let pictureColumns = 640
    private static let pictureRows = 48

    /// - Parameter peaks: of all channels.
    package init(
        peaks: Peaks, spectrogram: Spectrogram?, trace: DetectorTrace?,
        base64: ([UInt8]) -> String
    ) {
        self.peaks = base64(ReportDrawing.columns(of: peaks, atMost: ReportDetails.peakColumns))
        self.spectrogram = spectrogram.flatMap { ReportDetails.picture($0, base64) }
        guard let trace, trace.frames > 0 else { return }
        func series(_ values: [Float], _ low: Float, _ high: Float) -> Series {
            Series(
                low: low, high: high,
                values: base64(
                    ReportDetails.highest(of: values).map {
                        ReportDetails.byte($0, low, high)
                    }))
        }
        let lowest = trace.floorsDBFS.filter(\.isFinite).min() ?? -100
        level = series(trace.levelsDBFS, lowest - 10, 0)
        floor = series(trace.floorsDBFS, lowest - 10, 0)
        let (low, high): (Float, Float) =
            switch trace.scale {
            case .logOdds: (-12, 12)
            case .decibelsAboveFloor: (-20, 60)
            case .dBFS: (-110, 0)
            }
        score = series(trace.scores, low, high)
        threshold = series(trace.thresholds, low, high)
        scale =
            switch trace.scale {
            case .logOdds: "log odds of speech"
            case .decibelsAboveFloor: "dB above the floor"
            case .dBFS: "dBFS"
            }
    }

    /// A number as one of 0 to 254; 255 if there is none.
    static func byte(_ number: Float, _ low: Float, _ high: Float) -> UInt8 {
        guard number.isFinite else { return 255 }
        return UInt8((254 * (number - low) / (high - low)).clamped(to: 0...254).rounded())
    }

    /// The highest of each group of neighbours, so that there are not too many.
    private static func highest(of values: [Float]) -> [Float] {
        let count = min(seriesPoints, values.count)
        return (0..<count).map { point in
            values[point * values.count / count..<(point + 1) * values.count / count].max()
                ?? -.infinity
        }
    }

    /// The spectrogram with fewer rows and columns: the highest level of each group.
    private static func picture(
        _ spectrogram: Spectrogram, _ base64: ([UInt8]) -> String
    ) -> Picture? {
        let columns = min(pictureColumns, spectrogram.columns)
        guard columns > 0 else { return nil }
        let rows = min(pictureRows, spectrogram.rows)
        let (allColumns, allRows) = (spectrogram.columns, spectrogram.rows)
        var levels: [Float] = []
        levels.reserveCapacity(columns * rows)
        for column in 0..<columns {
            let some = column * allColumns / columns..<(column + 1) * allColumns / columns
            for row in 0..<rows {
                let band = row * allRows / rows..<(row + 1) * allRows / rows
                var highest = -Float.infinity
                for place in some {
                    for level in spectrogram.levelsDBFS[
                        place * allRows + band.lowerBound..<place * allRows + band.upperBound]
                    {
                        highest = max(highest, level)
                    }
                }
                levels.append(highest)
            }
        }
        let loudest = levels.max() ?? 0
        let quiet = levels.sorted()[levels.count / 20]
        let low = min(loudest - 1, max(quiet, loudest - 80))
        return Picture(
            rows: rows,
            edges: (0...rows).map {
                spectrogram.edgesHertz[$0 * allRows / rows].rounded(toDecimals: 0)
            },
            low: low, high: loudest, values: base64(levels.map { byte($0, low, loudest) }))
    }
}

extension Float {
    fileprivate func clamped(to range: ClosedRange<Float>) -> Float {
        min(max(self, range.lowerBound), range.upperBound)
    }
}
