import ArgumentParser

/// What the parser says of a wrong command line, with what helps.
enum UsageMessage {
    /// Options that delete or redo are never suggested to somebody who meant something else.
    private static let drastic: Set = [
        "--force", "--prune", "--retry-failed", "--moved", "--defaults", "--delete",
    ]

    /// - Parameters:
    ///   - message: as the parser words it.
    ///   - words: the command line.
    static func text(_ message: String, for words: [String]) -> String {
        var lines = message.split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
        guard let first = lines.first else { return message }
        lines[0] = withFittingSuggestion(first, words) + hint(first)
        return lines.joined(separator: "\n")
    }

    /// Without a suggestion that is drastic, or takes a value where the unknown option has none, or
    /// the other way round.
    private static func withFittingSuggestion(
        _ line: String, _ words: [String]
    ) -> String {
        let parts = line.split(separator: "'", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 5, parts[0].hasSuffix("Unknown option "),
            parts[2].hasSuffix("Did you mean ")
        else { return line }
        let (unknown, suggestion) = (parts[1], parts[3])
        let place = words.firstIndex { $0 == unknown || $0.hasPrefix(unknown + "=") }
        let next = place.flatMap { words.dropFirst($0 + 1).first }
        let isJoined = place.map { words[$0] != unknown } == true
        let hasValue = isJoined || next.map { !$0.hasPrefix("-") } == true
        let takesValue = command(words).map {
            Tapedeck.helpMessage(for: $0).contains(" \(suggestion) <")
        }
        // A path may follow a flag, so only an option with a value needs one.
        let fits = takesValue == true ? hasValue : !isJoined
        return fits && !drastic.contains(suggestion)
            ? line : "\(parts[0])'\(unknown)'"
    }

    private static func command(_ words: [String]) -> (any ParsableCommand.Type)? {
        Tapedeck.configuration.subcommands.first { $0.configuration.commandName == words.first }
    }

    /// How a number would be right that has a decimal comma or a unit: `0,5` or `500ms`.
    static func hint(_ line: String) -> String {
        let parts = line.split(separator: "'", omittingEmptySubsequences: false).map(String.init)
        guard parts.count >= 5, parts[0].hasSuffix("The value "),
            parts[2] == " is invalid for ", let sign = parts[3].firstIndex(of: "<")
        else { return "" }
        let unit = parts[3][parts[3].index(after: sign)...].dropLast()
        let digits = parts[1].prefix { $0.isNumber || ".,+-".contains($0) }
        let text = digits.map { $0 == "," ? "." : String($0) }.joined()
        guard let factor = factor(parts[1].dropFirst(digits.count), unit), let number = Double(text)
        else { return "" }
        // In thousandths, which decimal units have no more of.
        let value = (number * factor * 1000).rounded() / 1000
        let plain = Int(exactly: value).map(String.init) ?? "\(value)"
        return "; write \(plain)" + (unit == "share" ? "" : " (\(unit))")
    }

    /// What a number with this unit is multiplied by, to have the option's.
    private static func factor(_ typed: Substring, _ unit: Substring) -> Double? {
        let seconds = ["ms": 0.001, "s": 1, "sec": 1, "min": 60, "m": 60, "h": 3600, "": 0]
        let inUnit = ["milliseconds": 0.001, "seconds": 1, "hours": 3600]
        let decimal = ["seconds", "milliseconds", "hours", "share", "dB", "level"]
        if typed.isEmpty { return decimal.contains(String(unit)) ? 1 : nil }
        if unit == "share" { return typed == "%" ? 0.01 : nil }
        if unit == "dB" { return typed.lowercased() == "db" ? 1 : nil }
        guard let one = seconds[typed.lowercased()], let other = inUnit[String(unit)] else {
            return nil
        }
        return one / other
    }
}
