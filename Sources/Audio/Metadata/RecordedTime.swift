/// Times as recorders and tags write them.
enum RecordedTime {
    /// A date or a date and time by ISO 8601, with `T` or a space between, as that standard has it;
    /// `nil` if it is none.
    static func parse(_ text: String) -> String? {
        var rest = Substring(text.utf8.allSatisfy { $0 < 0x80 } ? text : "")
        guard let year = number(&rest, 4), year > 0 else { return nil }
        guard let month = part(&rest, "-", 1...12) else { return written(year, rest) }
        guard let day = part(&rest, "-", 1...31) else {
            return written(year, rest, "-", month)
        }
        let date = "\(padded(year, 4))-\(padded(month))-\(padded(day))"
        guard let separator = rest.first else { return date }
        guard separator == "T" || separator == " " else { return nil }
        rest.removeFirst()
        guard let time = time(&rest), let zone = zone(rest) else { return nil }
        return date + "T" + time + zone
    }

    /// Hours and minutes, with seconds and their fraction if there are any.
    private static func time(_ rest: inout Substring) -> String? {
        guard let hour = number(&rest, 2), hour < 24, let minute = part(&rest, ":", 0...59) else {
            return nil
        }
        var text = "\(padded(hour)):\(padded(minute)):"
        guard let second = part(&rest, ":", 0...60) else { return text + "00" }
        text += padded(second)
        guard rest.first == "." else { return text }
        let digits = rest.dropFirst().prefix { $0.isNumber }
        rest = rest[digits.endIndex...]
        let fraction = String(digits.prefix(6))
        return fraction.allSatisfy { $0 == "0" } ? text : text + "." + fraction
    }

    /// `Z`, or hours and minutes ahead of UTC; empty if there is none.
    private static func zone(_ text: Substring) -> String? {
        var rest = text.drop { $0 == " " }
        if rest.isEmpty { return "" }
        if rest == "Z" || rest == "UTC" { return "Z" }
        guard let sign = rest.popFirst(), sign == "+" || sign == "-",
            let hours = number(&rest, 2), hours < 15
        else { return nil }
        if rest.first == ":" { rest.removeFirst() }
        let minutes = number(&rest, 2) ?? 0
        guard rest.isEmpty, minutes < 60 else { return nil }
        return "\(sign)\(padded(hours)):\(padded(minutes))"
    }

    private static func written(
        _ year: Int, _ rest: Substring, _ separator: String = "", _ month: Int? = nil
    ) -> String? {
        guard rest.isEmpty else { return nil }
        return padded(year, 4) + separator + (month.map { padded($0) } ?? "")
    }

    /// A number of two digits behind a separator; leaves `rest` alone if there is none.
    private static func part(
        _ rest: inout Substring, _ separator: Character, _ range: ClosedRange<Int>
    ) -> Int? {
        var behind = rest
        guard behind.popFirst() == separator, let value = number(&behind, 2),
            range.contains(value)
        else { return nil }
        rest = behind
        return value
    }

    private static func number(_ rest: inout Substring, _ digits: Int) -> Int? {
        let text = rest.prefix(digits)
        guard text.count == digits, text.utf8.allSatisfy({ (48..<58).contains($0) }) else {
            return nil
        }
        rest = rest.dropFirst(digits)
        return Int(text)
    }

    private static func padded(_ number: Int, _ digits: Int = 2) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}

extension RecordedTime {
    /// The time in an AudioMoth's comment, of any firmware, and the recorder.
    ///
    /// "Recorded at 05:30:00 01/05/2026 (UTC+1) by AudioMoth 24F319055FDF2F1A at medium gain …"
    static func ofAudioMoth(_ comment: String) -> (time: String, recorder: String?)? {
        let words = comment.split(separator: " ").map(String.init)
        guard words.count > 4, words[0] == "Recorded", words[1] == "at" else { return nil }
        let date = words[3].split(separator: "/")
        guard date.count == 3 else { return nil }
        let zone = zone(ofAudioMoth: words[4])
        guard let zone,
            let time = parse("\(date[2])-\(date[1])-\(date[0])T\(words[2])\(zone)")
        else { return nil }
        var recorder: String?
        if let maker = words.firstIndex(of: "AudioMoth"), maker + 1 < words.count {
            recorder = "AudioMoth \(words[maker + 1])"
        }
        return (time, recorder)
    }

    /// `(UTC)`, `(UTC+1)`, `(UTC-03:30)` or `(UTC+5.30)`.
    private static func zone(ofAudioMoth word: String) -> String? {
        guard word.hasPrefix("(UTC"), word.hasSuffix(")") else { return nil }
        let offset = word.dropFirst(4).dropLast()
        guard let sign = offset.first else { return "Z" }
        let parts = offset.dropFirst().split(whereSeparator: { ":.".contains($0) })
        guard sign == "+" || sign == "-", let hours = parts.first.flatMap({ Int($0) }) else {
            return nil
        }
        let minutes = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        return "\(sign)\(padded(hours)):\(padded(minutes))"
    }
}
