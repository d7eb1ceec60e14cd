import Glibc

/// Times for logs, as RFC 3339 has them.
enum ClockText {
    /// The time now, in UTC with milliseconds, such as `2026-11-28T19:25:31.042Z`.
    static var now: String {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return text(seconds: time.tv_sec, milliseconds: time.tv_nsec / 1_000_000)
    }

    static func text(seconds: Int, milliseconds: Int) -> String {
        var seconds = seconds
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let date = [parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday].map(Int.init)
        let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map(Int.init)
        return padded(date[0], 4) + "-"
            + date.dropFirst().map { padded($0, 2) }.joined(
                separator: "-")
            + "T" + clock.map { padded($0, 2) }.joined(separator: ":")
            + "." + padded(milliseconds, 3) + "Z"
    }

    private static func padded(_ number: Int, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
