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

// MARK: - Later times

extension RecordedTime {
    /// A time with hours, as `parse` returns it, so much later; `nil` if it is a date.
    static func later(_ time: String, bySeconds seconds: Double) -> String? {
        let parts = time.split(separator: "T")
        guard parts.count == 2 else { return nil }
        let clock = parts[1].prefix { $0.isNumber || $0 == ":" || $0 == "." }
        // A zone has a colon too, but stands behind a sign.
        let zone = parts[1].dropFirst(clock.count)
        let date = parts[0].split(separator: "-").compactMap { Int($0) }
        let hours = clock.split(separator: ":").compactMap { Double($0) }
        guard date.count == 3, hours.count == 3 else { return nil }
        let start = hours[0] * 3600 + hours[1] * 60 + hours[2]
        let microseconds = Int(((start + seconds) * 1e6).rounded())
        let (days, ofDay) = microseconds.quotientAndRemainder(dividingBy: 86_400_000_000)
        let (whole, fraction) = ofDay.quotientAndRemainder(dividingBy: 1_000_000)
        let day = RecordedTime.date(date[0], date[1], date[2] + days)
        let texts = [whole / 3600, whole / 60 % 60, whole % 60].map { padded($0) }
        let rest = fraction == 0 ? "" : "." + padded(fraction, 6)
        return day + "T" + texts.joined(separator: ":") + rest + zone
    }

    /// The date of a day that may be behind the end of its month, of the Gregorian calendar.
    private static func date(_ year: Int, _ month: Int, _ day: Int) -> String {
        var (year, month, day) = (year, month, day)
        while true {
            let isLeap = year % 4 == 0 && year % 100 != 0 || year % 400 == 0
            let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
            if day <= days { return "\(padded(year, 4))-\(padded(month))-\(padded(day))" }
            day -= days
            (year, month) = month == 12 ? (year + 1, 1) : (year, month + 1)
        }
    }
}
