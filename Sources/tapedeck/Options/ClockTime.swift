import ArgumentParser

/// A time as people write it: `754.5`, `12:34.5`, `1:02:03`, with a comma for the point too.
struct ClockTime: ExpressibleByArgument, Hashable {
    /// Not negative.
    let seconds: Double
    /// As it was written.
    let text: String

    /// Longer than any recording, and short enough that frames can be counted.
    private static let mostSeconds = 1e9

    init?(argument: String) {
        let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count), let last = parts.last else { return nil }
        // In parts of a clock's time, each has to be less than the next greater one.
        var seconds = 0.0
        for (index, part) in parts.dropLast().enumerated() {
            guard let number = ClockTime.digits(part), index == 0 || number < 60 else { return nil }
            seconds = (seconds + number) * 60
        }
        guard let rest = ClockTime.decimal(last), parts.count == 1 || rest < 60 else { return nil }
        guard seconds + rest <= ClockTime.mostSeconds else { return nil }
        self.seconds = seconds + rest
        text = argument
    }

    private static func digits(_ text: Substring) -> Double? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Double(text)
    }

    private static func decimal(_ text: Substring) -> Double? {
        let parts = text.split(
            omittingEmptySubsequences: false, whereSeparator: { $0 == "." || $0 == "," })
        guard (1...2).contains(parts.count), parts.allSatisfy({ digits($0) != nil }) else {
            return nil
        }
        return Double(parts.joined(separator: "."))
    }
}
