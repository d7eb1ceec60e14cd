import Recordings

/// A recording's loudness over time, drawn in block characters, with what is silent and what is
/// cut.
///
/// A row is 8 dB high, so each eighth of a block is one decibel; columns show the highest sample in
/// their stretch of time.
package struct WaveformView {
    /// What becomes of a column.
    enum Fate: Hashable {
        case sound, silence, cut
    }

    private let peaks: Peaks
    private let durationSeconds: Double
    private let silences: [Range<Double>]
    private let cuts: [Range<Double>]

    private static let rows = 8
    private static let decibelsPerRow = 8
    /// What stands to the left of the columns.
    private static let margin = 6
    private static let fewestColumns = 10

    package init(_ view: InspectionView) {
        peaks = view.inspection.peaks
        durationSeconds = view.inspection.format.durationSeconds
        silences = view.inspection.silence.intervalsSeconds.map { $0[0]..<$0[1] }
        cuts = view.cuts
    }

    /// The drawing, none of its lines wider than asked for.
    /// - Parameter isColoured: whether to dim silence, and to colour what is cut, as a terminal
    ///   can.
    package func lines(width: Int, isColoured: Bool) -> [String] {
        let count = max(
            WaveformView.fewestColumns, min(width - WaveformView.margin, max(1, peaks.length)))
        let heights = (0..<count).map { height(ofColumn: $0, of: count) }
        let fates = (0..<count).map { fate(ofColumn: $0, of: count) }
        let drawing = (0..<WaveformView.rows).map { row in
            let label = row.isMultiple(of: 2) ? "\(-row * WaveformView.decibelsPerRow)" : ""
            let blocks = heights.map { WaveformView.block($0, inRow: row) }
            return indented(label) + "│" + painted(blocks, fates, isColoured)
        }
        let marks = fates.map { WaveformView.mark(for: $0) }
        var lines = drawing + [indented("dBFS") + "│" + painted(marks, fates, isColoured)]
        lines.append(scale(columns: count))
        if fates.contains(where: { $0 != .sound }) {
            let legend = indented("") + " · silence" + (cuts.isEmpty ? "" : ", x cut")
            lines.append(TerminalBlock.fitted(legend, width: WaveformView.margin + count))
        }
        return lines
    }

    /// Right-aligned before the drawing.
    private func indented(_ label: String) -> String {
        String(repeating: " ", count: WaveformView.margin - 2 - label.count) + label + " "
    }

    private static func mark(for fate: Fate) -> Character {
        switch fate {
        case .sound: " "
        case .silence: "·"
        case .cut: "x"
        }
    }
}

// MARK: - Columns

extension WaveformView {
    private func span(ofColumn column: Int, of count: Int) -> Range<Double> {
        let step = durationSeconds / Double(count)
        return Double(column) * step..<Double(column + 1) * step
    }

    /// In decibels over the lowest row; nothing at or below it.
    private func height(ofColumn column: Int, of count: Int) -> Int {
        let first = peaks.length * column / count
        let end = max(first + 1, peaks.length * (column + 1) / count)
        let (low, high) = peaks.extent(of: first..<end)
        let highest = max(abs(Int(low)), abs(Int(high)))
        let lowest = -WaveformView.rows * WaveformView.decibelsPerRow
        return max(0, WaveformView.decibels(highest) - lowest)
    }

    /// A level on the 16-bit scale in whole decibels, by comparing instead of a logarithm: the
    /// standard library has none.
    private static func decibels(_ level: Int) -> Int {
        var limit = 32_768.0
        var decibels = 0
        while Double(level) < limit, decibels > -rows * decibelsPerRow {
            // A decibel less.
            limit *= 0.891_250_938
            decibels -= 1
        }
        return decibels
    }

    /// Cut or silent where more than half of the column is, or where it holds a whole one.
    private func fate(ofColumn column: Int, of count: Int) -> Fate {
        let span = span(ofColumn: column, of: count)
        func holds(_ stretches: [Range<Double>]) -> Bool {
            stretches.contains { stretch in
                let shared = stretch.clamped(to: span)
                let length = shared.upperBound - shared.lowerBound
                return length > (span.upperBound - span.lowerBound) / 2
                    || (length > 0 && shared == stretch)
            }
        }
        if holds(cuts) { return .cut }
        return holds(silences) ? .silence : .sound
    }

    private static func block(_ height: Int, inRow row: Int) -> Character {
        let eighths = Array(" ▁▂▃▄▅▆▇█")
        let base = (rows - 1 - row) * decibelsPerRow
        return eighths[max(0, min(8, height - base))]
    }

    /// The characters, each run of one fate in its colour.
    private func painted(
        _ characters: [Character], _ fates: [Fate], _ isColoured: Bool
    ) -> String {
        guard isColoured else {
            var text = String(characters)
            while text.last == " " { text.removeLast() }
            return text
        }
        var text = ""
        var last = Fate.sound
        for (character, fate) in zip(characters, fates) {
            if fate != last { text += WaveformView.style(for: fate) }
            text.append(character)
            last = fate
        }
        return last == .sound ? text : text + WaveformView.style(for: .sound)
    }

    private static func style(for fate: Fate) -> String {
        switch fate {
        case .sound: "\u{1B}[0m"
        case .silence: "\u{1B}[0;2m"
        case .cut: "\u{1B}[0;2;31m"
        }
    }

    /// The times of both ends, and of what lies between as far as there is room.
    private func scale(columns: Int) -> String {
        let end = DurationText.exact(durationSeconds.rounded(toDecimals: 1))
        let parts = max(1, min(4, columns / (end.count + 6)))
        var text = ""
        for part in 0..<parts {
            let place = columns * part / parts
            let time = DurationText.exact(
                (durationSeconds * Double(place) / Double(columns)).rounded(toDecimals: 1))
            if text.count < place { text += String(repeating: " ", count: place - text.count) }
            text += time + " "
        }
        let gap = columns - text.count - end.count
        return String(repeating: " ", count: WaveformView.margin) + text
            + String(repeating: " ", count: max(0, gap)) + end
    }
}
