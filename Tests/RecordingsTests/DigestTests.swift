import Recordings
import TestSupport
import Testing

@Suite struct DigestTests {
    private static let text = "0123456789abcdef00000000000000017fffffffffffffff80a1b2c3d4e5f607"

    @Test func digestRoundTripsThroughHexadecimal() throws {
        let digest = try #require(Digest(hexadecimal: DigestTests.text))
        #expect(digest.hexadecimal == DigestTests.text)
        #expect(digest.bytes.prefix(4) == [0x01, 0x23, 0x45, 0x67])
        #expect(Digest(bytes: digest.bytes[...]) == digest)
    }

    @Test func everyDigitDistinguishesDigests() {
        let digits = Array(DigestTests.text)
        for place in digits.indices {
            var other = digits
            other[place] = other[place] == "a" ? "b" : "a"
            let digest = Digest(hexadecimal: String(other))
            #expect(digest != nil && digest != Digest(hexadecimal: DigestTests.text))
            #expect(digest?.hexadecimal == String(other))
        }
    }

    @Test(arguments: [
        "", "0", String(text.dropLast()), text + "0", text.uppercased(),
        text.replacing("f", with: "g"), text.replacing("00", with: "é"),
    ])
    func malformedDigestIsRefused(text: String) {
        #expect(Digest(hexadecimal: text) == nil)
    }
}
