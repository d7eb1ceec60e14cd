import Foundation
import Recordings
import Testing

@Suite struct PathnameTests {
    private static let composed: Pathname = "caf\u{E9}.wav"
    private static let decomposed: Pathname = "cafe\u{301}.wav"

    @Test func normalisationVariantsAreDistinctNames() {
        #expect(Self.composed.text == Self.decomposed.text)
        #expect(Self.composed != Self.decomposed)
        #expect(Set([Self.composed, Self.decomposed]).count == 2)
        #expect(Self.decomposed < Self.composed)
    }

    @Test func namesAreSortedByBytes() {
        let names: [Pathname] = ["b", "a/b", "a", "B", "é", "", "a.b"]
        #expect(names.sorted() == ["", "B", "a", "a.b", "a/b", "b", "é"])
        #expect(Pathname(bytes: [0x7F]) < Pathname(bytes: [0x80]))
    }

    @Test func comparisonUsesBytesAtAnyLength() {
        var bytes = [UInt8](repeating: 0x61, count: 20)
        for count in 0...20 {
            let whole = Pathname(bytes: bytes)
            let start = Pathname(bytes: Array(bytes[..<count]))
            #expect(whole.begins(with: start))
            #expect((start == whole) == (count == 20))
            #expect((start < whole) == (count < 20))
            #expect(!(whole < start))
            let rest = String(repeating: "a", count: 20 - count)
            #expect(whole.begins(with: start, andEndsWith: rest))
            #expect(!whole.begins(with: start, andEndsWith: "b"))
        }
        for place in 0..<20 {
            let before = Pathname(bytes: bytes)
            bytes[place] = 0xFF
            let behind = Pathname(bytes: bytes)
            #expect(before < behind && !(behind < before) && before != behind)
            #expect(!before.begins(with: Pathname(bytes: Array(bytes[...place]))))
            bytes[place] = 0x61
        }
    }

    @Test func invalidUTF8IsShownAsReplacementCharacter() {
        let name = Pathname(bytes: [0x61, 0xFF, 0x62])
        #expect(name.text == "a\u{FFFD}b")
        #expect(!name.isUTF8)
        #expect(Pathname("a\u{FFFD}b").isUTF8)
        #expect("\(name)" == "a\u{FFFD}b")
    }

    @Test(
        arguments: [
            ("a/b/c", ["a", "b", "c"]), ("/a//b/", ["a", "b"]), ("/", []), ("", []), (".", ["."]),
        ] as [(Pathname, [Pathname])])
    func pathIsSplitAtSlashes(path: Pathname, components: [Pathname]) {
        #expect(path.components == components)
        #expect(path.lastComponent == components.last ?? .empty)
    }

    @Test(
        arguments: [
            ("a/b/c", "a/b"), ("a", ""), ("/a", "/"), ("/", "/"), ("", ""), ("/a/b/", "/a"),
        ] as [(Pathname, Pathname)])
    func parentDropsLastComponent(path: Pathname, parent: Pathname) {
        #expect(path.parent == parent)
    }

    @Test(
        arguments: [
            ("a", "b", "a/b"), ("a/", "b", "a/b"), ("/", "b", "/b"), ("", "b", "b"), ("a", "", "a"),
            ("", "", ""), ("a", "b/c", "a/b/c"),
        ] as [(Pathname, Pathname, Pathname)])
    func pathsAreJoinedWithOneSlash(left: Pathname, right: Pathname, joined: Pathname) {
        #expect(left.appending(right) == joined)
    }

    @Test(
        arguments: [
            ("a", "a/b", "b"), ("a/", "a/b/c", "b/c"), ("a", "a", ""), ("", "a/b", "a/b"),
            ("/", "/a", "a"), ("a", "ab", nil), ("a/b", "a", nil), ("a", "b/a", nil),
        ] as [(Pathname, Pathname, Pathname?)])
    func relativePathIsReturnedForDescendants(upper: Pathname, lower: Pathname, rest: Pathname?) {
        #expect(upper.relative(lower) == rest)
        #expect(upper.contains(lower) == (rest != nil))
    }

    @Test func containmentComparesBytesOnly() {
        let folder = Self.composed
        #expect(!folder.contains(Self.decomposed.appending("x")))
    }

    @Test(
        arguments: [
            ("b.wav", "wav"), ("b.WAV", "wav"), ("b.tar.FlAc", "flac"), ("b", ""), (".wav", ""),
            ("b.", ""), ("a.wav/b", ""), ("ä.Ä", "Ä"), ("a/.x.mp3", "mp3"),
        ] as [(Pathname, String)])
    func fileExtensionIsFoundAndLowercased(path: Pathname, expected: String) {
        #expect(path.fileExtension == expected)
    }

    @Test func dotFilesAreHidden() {
        #expect(Pathname("._memo.wav").isHidden)
        #expect(Pathname(".").isHidden)
        #expect(!Pathname("memo.wav").isHidden)
        #expect(!Pathname.empty.isHidden)
    }

    @Test(
        arguments: [
            ("a", true), ("a.b", true), ("...", true), (".a", true), ("", false), (".", false),
            ("..", false), ("a/b", false), ("/", false),
        ] as [(Pathname, Bool)])
    func singleNameIsDistinguishedFromPath(path: Pathname, isName: Bool) {
        #expect(path.isSingleName == isName)
    }

    @Test func suffixIsAppendedToWholeName() {
        #expect(Pathname("b.wav").adding(suffix: ".dat") == "b.wav.dat")
        #expect(Pathname(bytes: [0xFF]).adding(suffix: "é").bytes == [0xFF, 0xC3, 0xA9])
    }
}

@Suite struct PathnameSpellingTests {
    @Test func bytesRoundTripThroughHexadecimal() {
        let all = Pathname(bytes: Array(0...255))
        #expect(all.hexadecimal.count == 512)
        #expect(all.hexadecimal.hasPrefix("000102"))
        #expect(all.hexadecimal.hasSuffix("fdfeff"))
        #expect(Pathname(hexadecimal: all.hexadecimal) == all)
        #expect(Pathname(hexadecimal: "FF0a") == Pathname(bytes: [0xFF, 0x0A]))
        #expect(Pathname(hexadecimal: "") == .empty)
    }

    @Test(arguments: ["f", "0g", "0x", " 0", "é", "0", "١٢"])
    func invalidHexadecimalIsRefused(text: String) {
        #expect(Pathname(hexadecimal: text) == nil)
    }

    @Test(arguments: ["b.wav", "", "a\nb \"c\" \\ 🎙️", "cafe\u{301}", "caf\u{E9}", "\u{FFFD}"])
    func utf8NameIsEncodedAsJSONString(text: String) throws {
        let name = Pathname(text)
        let json = try JSONEncoder().encode([name])
        let strings = try #require(try JSONSerialization.jsonObject(with: json) as? [String])
        #expect(strings.map { Array($0.utf8) } == [Array(text.utf8)])
        #expect(try JSONDecoder().decode([Pathname].self, from: json) == [name])
    }

    @Test func nonUTF8NameIsEncodedAsHexadecimalInJSON() throws {
        let name = Pathname(bytes: [0x61, 0xFF, 0x2E])
        let json = try JSONEncoder().encode([name])
        #expect(String(decoding: json, as: UTF8.self) == #"[{"bytes":"61ff2e"}]"#)
        #expect(try JSONDecoder().decode([Pathname].self, from: json) == [name])
    }

    @Test(arguments: [#"[{"bytes":"6"}]"#, #"[{}]"#, "[1]", "[null]"])
    func malformedNameInJSONIsRefused(json: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([Pathname].self, from: Data(json.utf8))
        }
    }
}
