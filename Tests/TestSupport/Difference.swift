/// How two values differ, line by line of what `dump` says of them; empty where it says the same.
///
/// Lines of `expected` that are missing begin with `-`, lines of `actual` that are too many with
/// `+`. Of what is equal, only the lines next to a difference are shown.
package func difference<Value>(expected: Value, actual: Value) -> String {
    let old = dumpedLines(expected)
    let new = dumpedLines(actual)
    var merged = old.map { (mark: " ", line: $0) }
    let changes = new.difference(from: old)
    var isRemoved = Array(repeating: false, count: old.count)
    for case .remove(let offset, _, _) in changes.removals { isRemoved[offset] = true }
    for index in merged.indices where isRemoved[index] { merged[index].mark = "-" }
    // An insertion's offset counts the lines of the new text; removed lines do not count.
    for case .insert(let offset, let line, _) in changes.insertions {
        merged.insert((mark: "+", line: line), at: place(of: offset, in: merged))
    }
    return shown(merged).joined(separator: "\n")
}

private func dumpedLines<Value>(_ value: Value) -> [String] {
    var text = ""
    dump(value, to: &text)
    return text.split(separator: "\n").map(String.init)
}

private func place(of offset: Int, in lines: [(mark: String, line: String)]) -> Int {
    var kept = 0
    for (index, line) in lines.enumerated() {
        if kept == offset, line.mark != "-" { return index }
        if line.mark != "-" { kept += 1 }
    }
    return lines.count
}

private func shown(_ lines: [(mark: String, line: String)]) -> [String] {
    lines.indices.compactMap { index in
        let around = max(0, index - 1)...min(lines.count - 1, index + 1)
        guard lines[around].contains(where: { $0.mark != " " }) else { return nil }
        return "\(lines[index].mark) \(lines[index].line)"
    }
}
