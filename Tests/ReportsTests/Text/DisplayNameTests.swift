import Recordings
import Reports
import Testing

@Suite struct DisplayNameTests {
    @Test(arguments: [
        ("b.wav", "b.wav"),
        ("", "."),
        ("to do/list; $5 & more.wav", "to do/list; $5 & more.wav"),
        ("\"Mum's\".wav", "\"Mum's\".wav"),
        ("🎙️ 👩‍👩‍👧.wav", "🎙️ 👩‍👩‍👧.wav"),
        ("cafe\u{301}", "cafe\u{301}"),
        ("a\nb\rc\td", "a\\nb\\rc\\td"),
        ("a\\nb", "a\\\\nb"),
        ("\u{1B}[2J\u{7F}\u{85}", "\\u{1b}[2J\\u{7f}\\u{85}"),
        ("\u{2028}\u{2029}", "\\u{2028}\\u{2029}"),
        ("a\u{FEFF}\u{200B}\u{200E}\u{061C}", "a\\u{feff}\\u{200b}\\u{200e}\\u{61c}"),
        ("👩\u{200D}🚀 می\u{200C}خواهم", "👩\u{200D}🚀 می\u{200C}خواهم"),
        ("\u{202A}\u{202E}\u{2066}\u{2069}", "\\u{202a}\\u{202e}\\u{2066}\\u{2069}"),
        ("عربي.wav", "عربي.wav"),
    ])
    func controlAndInvisibleCharactersAreEscaped(name: String, shown: String) {
        let text = Pathname(name).displayText
        #expect(Array(text.unicodeScalars) == Array(shown.unicodeScalars))
    }

    @Test func nonUTF8BytesAreEscaped() {
        #expect(Pathname(bytes: [0x61, 0xFF, 0x62]).displayText == "a\\xffb")
        // The beginning of an emoji, broken off, and a letter spelled too long.
        #expect(Pathname(bytes: [0xF0, 0x9F, 0x61]).displayText == "\\xf0\\x9fa")
        #expect(Pathname(bytes: [0xC1, 0x81]).displayText == "\\xc1\\x81")
    }

    @Test func displayNamesAreUnique() {
        let names: [Pathname] = [
            "a\nb", "a\\nb", "a\\\\nb", Pathname(bytes: [0x61, 0xFF]), "a\\xff", "a\u{FFFD}",
        ]
        #expect(Set(names.map(\.displayText)).count == names.count)
    }
}
