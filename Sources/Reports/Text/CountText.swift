/// Counts in readable form.
package enum CountText {
    /// "1,234".
    package static func grouped(_ count: Int) -> String {
        var digits = String(count.magnitude)
        var groups: [String] = []
        while digits.count > 3 {
            groups.insert(String(digits.suffix(3)), at: 0)
            digits.removeLast(3)
        }
        return (count < 0 ? "-" : "") + ([digits] + groups).joined(separator: ",")
    }

    /// "1", "0.25".
    package static func plain(_ number: Double) -> String {
        Int(exactly: number).map(String.init) ?? "\(number)"
    }

    /// "1 folder", "1,234 folders".
    package static func words(_ count: Int, _ noun: String) -> String {
        "\(grouped(count)) \(noun)\(count == 1 ? "" : "s")"
    }

    /// "7 recordings: 5 done, 2 failed", omitting zero counts.
    static func list(_ whole: String, _ parts: [(count: Int, fate: String)]) -> String {
        let some = parts.filter { $0.count > 0 }.map { "\(grouped($0.count)) \($0.fate)" }
        return some.isEmpty ? whole : "\(whole): \(some.joined(separator: ", "))"
    }
}
