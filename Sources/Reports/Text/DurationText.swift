/// Durations in readable form.
package enum DurationText {
    /// "0.4 s", "12 s", "3 min 05 s", "2 h 14 min".
    static func words(_ seconds: Double) -> String {
        if seconds < 9.95 { return "\(tenths(seconds)) s" }
        let whole = Int(seconds.rounded())
        if whole < 60 { return "\(whole) s" }
        if whole < 3600 { return "\(whole / 60) min \(twoDigits(whole % 60)) s" }
        return "\(whole / 3600) h \(twoDigits(whole % 3600 / 60)) min"
    }

    /// "0:32", "1:02:07".
    static func clock(_ seconds: Double) -> String {
        let whole = Int(seconds.rounded())
        let rest = "\(twoDigits(whole % 60))"
        if whole < 3600 { return "\(whole / 60):\(rest)" }
        return "\(whole / 3600):\(twoDigits(whole % 3600 / 60)):\(rest)"
    }

    /// "0:32", "1:02:07.0125": to the microsecond, without zeros at the end.
    package static func exact(_ seconds: Double) -> String {
        let (whole, micros) = Int((seconds * 1e6).rounded()).quotientAndRemainder(
            dividingBy: 1_000_000)
        var decimals = String(String(1_000_000 + micros).dropFirst())
        while decimals.last == "0" { decimals.removeLast() }
        return clock(Double(whole)) + (decimals.isEmpty ? "" : ".\(decimals)")
    }

    /// The number with one decimal.
    static func tenths(_ number: Double) -> String {
        let tenths = Int((number * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }

    private static func twoDigits(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
