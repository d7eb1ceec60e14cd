import Testing

@testable import Reports

/// What somebody sees who is sent text and the few orders that are used here.
private struct Screen {
    private(set) var rows: [[Character]] = [[]]
    private var row = 0
    private var column = 0
    let width: Int

    init(width: Int) {
        self.width = width
    }

    /// The rows, without what is empty at the end.
    var text: [String] {
        let rows = rows.map { String($0) }
        return Array(rows.reversed().drop { $0.isEmpty }.reversed())
    }

    mutating func show(_ text: String) {
        var rest = Array(text.unicodeScalars)[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\r": column = 0
            case "\n": moveDown()
            case "\u{1B}": obey(&rest)
            default: put(Character(scalar))
            }
        }
    }

    private mutating func moveDown() {
        row += 1
        if row == rows.count { rows.append([]) }
    }

    private mutating func put(_ character: Character) {
        if column == width {
            column = 0
            moveDown()
        }
        while rows[row].count <= column { rows[row].append(" ") }
        rows[row][column] = character
        column += 1
    }

    private mutating func obey(_ rest: inout ArraySlice<Unicode.Scalar>) {
        let order = rest.prefix { !$0.properties.isAlphabetic }
        rest = rest.dropFirst(order.count)
        switch rest.popFirst() {
        case "A":
            row = max(0, row - (Int(String(String.UnicodeScalarView(order.dropFirst()))) ?? 1))
        case "J":
            rows.removeSubrange((row + 1)...)
            rows[row].removeSubrange(min(column, rows[row].count)...)
        default: Issue.record("an order that no screen was taught")
        }
    }
}

@Suite struct TerminalBlockTests {
    @Test(arguments: [0, 1, 2, 5], [0, 1, 3, 8])
    func redrawErasesPreviousLines(old: Int, new: Int) {
        var screen = Screen(width: 40)
        screen.show("what was printed\r\n")
        let before = TerminalBlock((0..<old).map { "old \($0)" })
        screen.show(before.text(isColoured: false))
        let after = TerminalBlock((0..<new).map { "\($0)" })
        screen.show(before.erasure(width: 40) + after.text(isColoured: false))
        #expect(screen.text == ["what was printed"] + (0..<new).map { "\($0)" })
        // And a line printed above, as failures are.
        screen.show(after.erasure(width: 40) + "more\r\n" + after.text(isColoured: false))
        #expect(screen.text == ["what was printed", "more"] + (0..<new).map { "\($0)" })
    }

    @Test func linesHaveTheColoursOfTheirTones() {
        let block = TerminalBlock([
            "3 done", "working  failed   a.wav", "failed   b.wav: empty", "workings.wav",
        ])
        #expect(
            block.text(isColoured: true)
                == "3 done\r\n\u{1B}[2mworking  failed   a.wav\u{1B}[0m\r\n"
                + "\u{1B}[31mfailed   b.wav: empty\u{1B}[0m\r\nworkings.wav")
        #expect(!block.text(isColoured: false).contains("\u{1B}"))
    }

    /// A terminal that has become narrower has made several rows of one line.
    @Test func erasureRemovesWrappedLines() {
        var screen = Screen(width: 10)
        let block = TerminalBlock(["0123456789", "012345678901234567890", "", "0"])
        screen.show("before\r\n" + block.text(isColoured: false))
        #expect(screen.text.count == 7)
        screen.show(block.erasure(width: 10))
        #expect(screen.text == ["before"])
    }

    @Test(arguments: [
        ("recording", 9, "recording"), ("recording", 8, "recordi…"), ("recording", 1, "…"),
        ("recording", 0, ""), ("recording", -1, ""), ("", 0, ""), ("日本語", 6, "日本語"),
        ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("e\u{301}ole", 4, "e\u{301}ole"),
        ("e\u{301}ole", 3, "e\u{301}o…"),
    ])
    func wideTextIsTruncatedWithEllipsis(text: String, width: Int, fitted: String) {
        #expect(TerminalBlock.fitted(text, width: width) == fitted)
        #expect(TerminalBlock.columns(of: fitted) <= max(0, width))
    }

    @Test(arguments: [
        ("", 0), ("abc", 3), ("ä", 1), ("a\u{308}", 1), ("日本", 4), ("한글", 4), ("🎙", 2),
        ("A/b.wav · …", 11),
    ])
    func wideCharactersCountAsTwoColumns(text: String, columns: Int) {
        #expect(TerminalBlock.columns(of: text) == columns)
    }
}
