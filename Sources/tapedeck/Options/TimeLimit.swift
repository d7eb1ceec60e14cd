import ArgumentParser
import Glibc

/// A time before which files are left out: a date (`2026-03-01`), a date and time
/// (`2026-03-01T12:00`, with `Z` or an offset such as `+01:00`, otherwise local), or an age (`7d`).
struct TimeLimit: Hashable {
    /// Since 1970, UTC.
    let nanoseconds: Int64

    private static let secondsOfUnits: [Character: Double] = [
        "s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800,
    ]

    @Sendable init(_ argument: String) throws {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        guard let limit = TimeLimit(argument, nowSeconds: now.tv_sec) else {
            throw ValidationError(
                "give a date (2026-03-01), a date and time (2026-03-01T12:00) or an age (12h, 7d)")
        }
        self = limit
    }

    /// - Parameter nowSeconds: from which ages count, since 1970, UTC.
    init?(_ text: String, nowSeconds: Int) {
        guard
            let seconds = TimeLimit.seconds(ofDate: text)
                ?? TimeLimit.seconds(ofAge: text).map({ nowSeconds - $0 })
        else { return nil }
        // In nanoseconds, 64 bits reach to the year 2262.
        nanoseconds = Int64(min(max(seconds, -9_000_000_000), 9_000_000_000)) * 1_000_000_000
    }

    private static func seconds(ofAge text: String) -> Int? {
        guard let unit = text.last.flatMap({ secondsOfUnits[$0] }),
            let count = ClockTime(argument: String(text.dropLast())),
            !count.text.contains(":"), count.seconds * unit < 1e10
        else { return nil }
        return Int(count.seconds * unit)
    }

    /// Seconds since 1970 of a date, with or without a time and a zone.
    private static func seconds(ofDate text: String) -> Int? {
        var rest = text[...]
        guard let year = number(&rest, 4), rest.popFirst() == "-",
            let month = number(&rest, 2), rest.popFirst() == "-", let day = number(&rest, 2)
        else { return nil }
        var time = tm()
        (time.tm_year, time.tm_mon, time.tm_mday) = (year - 1900, month - 1, day)
        if !rest.isEmpty {
            guard let mark = rest.popFirst(), "T t".contains(mark),
                let hour = number(&rest, 2), rest.popFirst() == ":",
                let minute = number(&rest, 2)
            else { return nil }
            (time.tm_hour, time.tm_min) = (hour, minute)
            if rest.first == ":" {
                rest.removeFirst()
                guard let second = number(&rest, 2) else { return nil }
                time.tm_sec = second
            }
        }
        return seconds(of: time, zone: rest)
    }

    /// Seconds since 1970; `nil` if there is no such time, as on 30 February.
    private static func seconds(of time: tm, zone: Substring) -> Int? {
        var normal = time
        let asUTC = timegm(&normal)
        guard normal.tm_mday == time.tm_mday, normal.tm_mon == time.tm_mon,
            normal.tm_hour == time.tm_hour, normal.tm_min == time.tm_min,
            normal.tm_sec == time.tm_sec
        else { return nil }
        guard !zone.isEmpty else {
            var local = time
            local.tm_isdst = -1
            return mktime(&local)
        }
        if zone == "Z" || zone == "z" { return asUTC }
        var rest = zone
        guard let sign = rest.popFirst(), "+-".contains(sign), let hours = number(&rest, 2)
        else { return nil }
        if rest.first == ":" { rest.removeFirst() }
        guard let minutes = number(&rest, 2), rest.isEmpty, hours < 24, minutes < 60 else {
            return nil
        }
        return asUTC - Int(hours * 60 + minutes) * (sign == "+" ? 60 : -60)
    }

    /// Takes exactly that many digits.
    private static func number(_ text: inout Substring, _ digits: Int) -> Int32? {
        let part = text.prefix(digits)
        guard part.utf8.count == digits, part.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        text = text.dropFirst(digits)
        return Int32(part)
    }
}
