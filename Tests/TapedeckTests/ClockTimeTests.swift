import Testing

@testable import tapedeck

@Suite struct ClockTimeTests {
    @Test(
        arguments: [
            ("0", 0), ("754.5", 754.5), (".5", nil), ("5.", nil), ("12:34.5", 754.5),
            ("12:34,5", 754.5), ("00:12:34,500", 754.5), ("1:02:03", 3723), ("0:5", 5),
            ("90", 90), ("90:00", 5400), ("100:59:59.999999", 363_599.999999),
            ("1:60", nil), ("1:60:00", nil), ("0:59:60", nil), ("1:2:3:4", nil), ("1::2", nil),
            (":30", nil), ("1:", nil), ("", nil), ("-5", nil), ("+5", nil), ("1e3", nil),
            ("inf", nil),
            ("0x10", nil), ("1.2.3", nil), (" 1", nil), ("1:0x2", nil), ("1000000000", 1e9),
            ("1000000001", nil), ("9999999999999:00:00", nil), ("٣", nil),
        ] as [(String, Double?)])
    func validTimesAreParsedAndOthersRejected(text: String, seconds: Double?) {
        #expect(ClockTime(argument: text)?.seconds == seconds)
    }

    @Test func originalTextIsKept() {
        #expect(ClockTime(argument: "00:12:34,500")?.text == "00:12:34,500")
    }
}
