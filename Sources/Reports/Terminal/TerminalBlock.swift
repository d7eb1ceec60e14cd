/// A block of lines at the bottom of a terminal that can be erased again.
package struct TerminalBlock: Equatable, Sendable {
    package let lines: [String]

    /// - Parameter lines: text without cursor movements.
    package init(_ lines: [String] = []) {
        self.lines = lines
    }

    /// The text that shows the block from column one; the cursor ends after the last line.
    /// - Parameter isColoured: whether lines have the colours of their tones.
    package func text(isColoured: Bool) -> String {
        let shown = isColoured ? lines.map { WatchView.tone(of: $0).coloured($0) } : lines
        return shown.joined(separator: "\r\n")
    }

    /// The escape sequence that erases the block and returns the cursor to its start.
    ///
    /// - Parameter width: the terminal's current columns: if it has become narrower, one line now
    ///   wraps over several rows.
    package func erasure(width: Int) -> String {
        let rows = lines.reduce(0) { rows, line in
            rows + max(1, (TerminalBlock.columns(of: line) + width - 1) / max(1, width))
        }
        let up = rows > 1 ? "\u{1B}[\(rows - 1)A" : ""
        return "\r" + up + "\u{1B}[J"
    }
}

// MARK: - Columns

extension TerminalBlock {
    /// The text, truncated to so many columns.
    package static func fitted(_ text: String, width: Int) -> String {
        guard columns(of: text) > width else { return text }
        guard width > 0 else { return "" }
        var rest = width - 1
        let start = text.prefix { character in
            rest -= columns(of: character)
            return rest >= 0
        }
        return start + "…"
    }

    /// The number of terminal columns that a text occupies.
    package static func columns(of text: String) -> Int {
        text.reduce(0) { $0 + columns(of: $1) }
    }

    private static func columns(of character: Character) -> Int {
        // Combining marks have no width of their own; a cluster is as wide as its widest scalar.
        character.unicodeScalars.reduce(0) { max($0, columns(of: $1)) }
    }

    private static func columns(of scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: 0
        default: wide.contains { $0.contains(scalar.value) } ? 2 : 1
        }
    }

    /// Scripts and emoji that are two columns wide.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
        0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD,
    ]
}
