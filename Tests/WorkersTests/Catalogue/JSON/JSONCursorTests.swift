import FoundationEssentials
import TestSupport
import Testing

@testable import Workers

@Suite struct JSONCursorTests {
    @Test(arguments: [
        "0", "-0", "-0.05", "1e-7", "123456789.123456789", "-1.5E+2", "9007199254740993", "2.8e-05",
        "9007199254740992", "1e22", "1e23", "-3e-22", "3e-23", "0.1234567890123456789", "1e308",
        "18446744073709551616", "12345678901234567890123", "1e-99999", "4.9e-324", "1.0e0",
    ])
    func parsedNumbersMatchSwiftDouble(text: String) throws {
        let value = try JSONCursor.read(Array(text.utf8)) { (json) throws(JSONCursor.Malformed) in
            try json.number()
        }
        #expect(value.bitPattern == Double(text)?.bitPattern)
    }

    @Test func parsedRandomDecimalsMatchSwiftDouble() throws {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<20_000 {
            let most: Int64 = 1 << Int64.random(in: 1...61, using: &random)
            let digits = Int64.random(in: 0...most, using: &random)
            let exponent = Int.random(in: -30...30, using: &random)
            let text = "\(digits).\(random.next() % 1000)e\(exponent)"
            let value = try JSONCursor.read(Array(text.utf8)) {
                (json) throws(JSONCursor.Malformed) in try json.number()
            }
            #expect(value == Double(text), "\(text)")
        }
    }

    @Test(
        arguments: [
            ("0", 0), ("-0", 0), ("9223372036854775807", .max), ("-9223372036854775808", .min),
            ("1778049123000000001", 1_778_049_123_000_000_001), ("9223372036854775808", nil),
            ("-9223372036854775809", nil), ("99999999999999999999", nil), ("1.0", nil),
            ("1e3", nil),
            ("01", nil), ("", nil), ("-", nil),
        ] as [(String, Int64?)])
    func onlyValidInt64IntegersAreAccepted(text: String, value: Int64?) {
        let read = try? JSONCursor.read(Array(text.utf8)) { (json) throws(JSONCursor.Malformed) in
            try json.integer()
        }
        #expect(read == value)
    }

    @Test(arguments: [
        "", "+1", ".5", "1.", "-", "e5", "1 2", "--1", "1e", "Infinity", "nan", "01", "-01",
        "1.2.3", "1.e5", "1e+", "1-2", "1e400", "-1e309", "12345678901234567890123e999",
    ])
    func malformedOrOverflowingNumbersAreRefused(text: String) {
        #expect(throws: JSONCursor.Malformed.self) {
            try JSONCursor.read(Array(text.utf8)) { (json) throws(JSONCursor.Malformed) in
                try json.number()
            }
        }
    }

    @Test(arguments: [
        "{", "[1,]", "[1 2]", "{\"a\" 1}", "{\"a\":1,}", "{1:2}", "[}", "{]", "[1}", "{\"a\":1]",
        "[tru]", "\"a", "\"a\\\"", "[1e]", "[[]", "]", "{,}", "[,]", "nul",
    ])
    func skippingMalformedJSONThrows(text: String) {
        #expect(throws: JSONCursor.Malformed.self) {
            try JSONCursor.read(Array(text.utf8)) { (json) throws(JSONCursor.Malformed) in
                try json.skip()
            }
        }
    }

    @Test(arguments: [
        "[]", "{}", " [ ] ", "[[],[{}]]", "{\"a\":[1,{\"b\":{}}],\"c\":\"]}\\\"\"}", "1", "\"\"",
        "[true,false,null,-1.5e-3,\"12345678\\\\\"]", "{\"a\":{\"b\":1},\"c\":2}",
    ])
    func everyKindOfValueIsSkipped(text: String) throws {
        let numbers = try JSONCursor.read(Array("[\(text),7]".utf8)) {
            (json) throws(JSONCursor.Malformed) in
            var isPassedOver = false
            return try json.array { (json) throws(JSONCursor.Malformed) -> Int64 in
                if isPassedOver { return try json.integer() }
                isPassedOver = true
                try json.skip()
                return 0
            }
        }
        #expect(numbers == [0, 7])
        try JSONCursor.read(Array(text.utf8)) { (json) throws(JSONCursor.Malformed) in
            try json.skip()
        }
    }

    @Test func escapedStringsOfAnyLengthMatchJSONDecoder() throws {
        for length in 0..<40 {
            for escape in ["", "\\\"", "\\n", "\\u00e9", "\u{1F399}"] {
                let spelled = String(repeating: "!", count: length) + escape + "]"
                let text = Array("[\"\(spelled)\",\"next\"]".utf8)
                let strings = try JSONCursor.read(text) { (json) throws(JSONCursor.Malformed) in
                    try json.array { (json) throws(JSONCursor.Malformed) in try json.text() }
                }
                #expect(try JSONDecoder().decode([String].self, from: Data(text)) == strings)
            }
        }
    }

    @Test func excessiveNestingIsRefused() {
        let text = Array(String(repeating: "[", count: 100_000).utf8)
        #expect(throws: JSONCursor.Malformed.self) {
            try JSONCursor.read(text) { (json) throws(JSONCursor.Malformed) in try json.skip() }
        }
    }
}
