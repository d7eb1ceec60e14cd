import ArgumentParser

/// A time such as `754.5`, `12:34.5` or `1:02:03`; a decimal comma works too.
struct ClockTime: ExpressibleByArgument, Hashable {
    /// Not negative.
    let seconds: Double
    /// The text as typed.
    let text: String

    /// Longer than any recording, and short enough for frame numbers not to overflow.
    private static let mostSeconds = 1e9

    init?(argument: String) {
        let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count) else { return nil }
        var seconds = 0.0
        for (index, part) in parts.enumerated() {
            // Minutes and seconds after a colon must be below 60.
            guard let number = ClockTime.number(part, isLast: index == parts.count - 1),
                index == 0 || number < 60
            else { return nil }
            seconds = seconds * 60 + number
        }
        guard seconds <= ClockTime.mostSeconds else { return nil }
        self.seconds = seconds
        text = argument
    }

    /// Parses digits; the last part may have decimals.
    private static func number(_ text: Substring, isLast: Bool) -> Double? {
        let parts = text.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "," }
        let isDecimal = parts.allSatisfy { part in
            !part.isEmpty && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
        }
        guard isDecimal, parts.count <= (isLast ? 2 : 1) else { return nil }
        return Double(parts.joined(separator: "."))
    }
}
