import Glibc
import Testing

@testable import tapedeck

@Suite struct TimeLimitTests {
    private let now = 1_772_366_400

    @Test(arguments: [
        ("7d", 7 * 86_400), ("12h", 12 * 3600), ("90m", 5400), ("30s", 30), ("2w", 14 * 86_400),
        ("1.5h", 5400), ("0d", 0),
    ])
    func ageCountsFromNow(text: String, seconds: Int) {
        #expect(
            TimeLimit(text, nowSeconds: now)?.nanoseconds == Int64(now - seconds) * 1_000_000_000)
    }

    /// 2026-03-01T12:00:00Z is `now`.
    @Test(arguments: [
        "2026-03-01T12:00Z", "2026-03-01T12:00:00Z", "2026-03-01t13:00:00+01:00",
        "2026-03-01 07:30-0430", "2026-03-01 12:00:00z",
    ])
    func dateWithZoneIsATime(text: String) {
        #expect(
            TimeLimit(text, nowSeconds: 0)?.nanoseconds == Int64(now) * 1_000_000_000)
    }

    @Test func dateWithoutZoneIsLocal() throws {
        let day = try #require(TimeLimit("2026-03-01", nowSeconds: 0))
        var seconds = Int(day.nanoseconds / 1_000_000_000)
        let local = try #require(localtime(&seconds)).pointee
        #expect(local.tm_year == 126 && local.tm_mon == 2 && local.tm_mday == 1)
        #expect(local.tm_hour == 0 && local.tm_min == 0 && local.tm_sec == 0)
        let noon = try #require(TimeLimit("2026-03-01T12:30", nowSeconds: 0))
        #expect(noon.nanoseconds - day.nanoseconds == 45_000 * 1_000_000_000)
    }

    @Test(arguments: [
        "", "7", "d", "7x", "-7d", "7 d", "yesterday", "2026", "2026-3-1", "2026-02-30",
        "2026-13-01", "2026-03-01T", "2026-03-01T25:00", "2026-03-01T12", "2026-03-01T12:00+1",
        "2026-03-01T12:00+24:00", "2026-03-01Z0", "1e9d", "٢d", "1:00h", "99999999999w",
    ])
    func otherTextIsRefused(text: String) {
        #expect(TimeLimit(text, nowSeconds: now) == nil)
    }

    @Test func distantYearsAreClamped() {
        #expect(TimeLimit("9999-01-01", nowSeconds: 0)?.nanoseconds == 9_000_000_000_000_000_000)
        #expect(TimeLimit("0000-01-01", nowSeconds: 0)?.nanoseconds == -9_000_000_000_000_000_000)
    }
}
