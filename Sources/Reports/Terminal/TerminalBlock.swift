/// Some lines at the bottom of a terminal, and how to take them away again.
package struct TerminalBlock: Equatable, Sendable {
    package let lines: [String]

    /// - Parameter lines: text that moves no cursor.
    package init(_ lines: [String] = []) {
        self.lines = lines
    }

    /// What shows them from the beginning of a line on; the cursor stays behind the last.
    package var text: String { lines.joined(separator: "\r\n") }

    /// What takes them away and leaves the cursor where the first began.
    ///
    /// - Parameter width: columns of the terminal now: where it has become narrower meanwhile, one
    ///   line has become several.
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
    /// The text, cut off where it is too wide.
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

    /// How many columns of a terminal a text takes.
    package static func columns(of text: String) -> Int {
        text.reduce(0) { $0 + columns(of: $1) }
    }

    private static func columns(of character: Character) -> Int {
        // What is combined with others takes no room of its own; together they take the widest's.
        character.unicodeScalars.reduce(0) { max($0, columns(of: $1)) }
    }

    private static func columns(of scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: 0
        default: wide.contains { $0.contains(scalar.value) } ? 2 : 1
        }
    }

    /// Scripts and pictures that take two columns.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
        0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD,
    ]
}
