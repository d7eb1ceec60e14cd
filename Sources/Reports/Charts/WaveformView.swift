import Recordings

/// A waveform drawn in block characters, with silences and cuts marked.
///
/// A row is 8 dB high, so each eighth of a block is one decibel; a column shows its highest sample.
package struct WaveformView {
    /// The classification of a column, and its mark below the drawing.
    private enum Fate: Character {
        case sound = " "
        case silence = "·"
        case cut = "x"

        /// The terminal escape sequence of its colour.
        var style: String {
            switch self {
            case .sound: "\u{1B}[0m"
            case .silence: "\u{1B}[0;2m"
            case .cut: "\u{1B}[0;2;31m"
            }
        }
    }

    private let peaks: Peaks
    private let durationSeconds: Double
    private let silences: [Range<Double>]
    private let cuts: [Range<Double>]

    private static let rows = 8
    private static let decibelsPerRow = 8
    private static let blocks = Array(" ▁▂▃▄▅▆▇█")
    /// The width of the labels left of the columns.
    private static let margin = 6
    private static let fewestColumns = 10

    package init(_ view: InspectionView) {
        peaks = view.inspection.peaks
        durationSeconds = view.inspection.format.durationSeconds
        silences = view.inspection.silence.intervalsSeconds.map { $0[0]..<$0[1] }
        cuts = view.cuts
    }

    /// The drawing, at most `width` columns wide.
    /// - Parameter isColoured: whether to dim silence and colour cuts with escape sequences.
    package func lines(width: Int, isColoured: Bool) -> [String] {
        let count = max(
            WaveformView.fewestColumns, min(width - WaveformView.margin, max(1, peaks.length)))
        let heights = (0..<count).map { height(ofColumn: $0, of: count) }
        let fates = (0..<count).map { fate(ofColumn: $0, of: count) }
        func line(_ label: String, _ characters: [Character]) -> String {
            indented(label) + "│" + painted(characters, fates, isColoured)
        }
        var lines = (0..<WaveformView.rows).map { row in
            let label = row.isMultiple(of: 2) ? "\(-row * WaveformView.decibelsPerRow)" : ""
            let base = (WaveformView.rows - 1 - row) * WaveformView.decibelsPerRow
            return line(label, heights.map { WaveformView.blocks[max(0, min(8, $0 - base))] })
        }
        lines += [line("dBFS", fates.map(\.rawValue)), scale(columns: count)]
        if fates.contains(where: { $0 != .sound }) {
            let legend = indented("") + " · silence" + (cuts.isEmpty ? "" : ", x cut")
            lines.append(TerminalBlock.fitted(legend, width: WaveformView.margin + count))
        }
        return lines
    }

    /// The label, right-aligned in the margin.
    private func indented(_ label: String) -> String {
        String(repeating: " ", count: WaveformView.margin - 2 - label.count) + label + " "
    }
}

// MARK: - Columns

extension WaveformView {
    /// Decibels above the lowest row, by comparison: the standard library has no logarithm.
    private func height(ofColumn column: Int, of count: Int) -> Int {
        let first = peaks.length * column / count
        let end = max(first + 1, peaks.length * (column + 1) / count)
        let (low, high) = peaks.extent(of: first..<end)
        let level = max(abs(Double(low)), abs(Double(high)))
        var limit = 32_768.0
        var height = WaveformView.rows * WaveformView.decibelsPerRow
        while level < limit, height > 0 {
            // One decibel less.
            limit *= 0.891_250_938
            height -= 1
        }
        return height
    }

    /// Cut or silent if such a range covers over half of the column, or lies entirely within it.
    private func fate(ofColumn column: Int, of count: Int) -> Fate {
        let step = durationSeconds / Double(count)
        let span = Double(column) * step..<Double(column + 1) * step
        func holds(_ stretches: [Range<Double>]) -> Bool {
            stretches.contains { stretch in
                let shared = stretch.clamped(to: span)
                let length = shared.upperBound - shared.lowerBound
                return length > (span.upperBound - span.lowerBound) / 2
                    || (length > 0 && shared == stretch)
            }
        }
        return holds(cuts) ? .cut : holds(silences) ? .silence : .sound
    }

    /// The characters, with one escape sequence per run of columns of the same kind.
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
            if fate != last { text += fate.style }
            text.append(character)
            last = fate
        }
        return last == .sound ? text : text + Fate.sound.style
    }

    /// Time labels at both ends, and between them as space allows.
    private func scale(columns: Int) -> String {
        func time(_ seconds: Double) -> String {
            DurationText.exact(seconds.rounded(toDecimals: 1))
        }
        func blanks(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
        let end = time(durationSeconds)
        let parts = max(1, min(4, columns / (end.count + 6)))
        var text = ""
        for part in 0..<parts {
            let place = columns * part / parts
            text += blanks(place - text.count)
            text += time(durationSeconds * Double(place) / Double(columns)) + " "
        }
        return blanks(WaveformView.margin) + text + blanks(columns - text.count - end.count) + end
    }
}
