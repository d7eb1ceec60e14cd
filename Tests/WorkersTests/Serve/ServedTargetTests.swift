import Recordings
import Testing

@testable import Workers

/// What an address asks a server for, and that none leads out of its place.
@Suite struct ServedTargetTests {
    @Test(arguments: [
        ("/output/", "output", "", true), ("/output/a/", "output", "a", true),
        ("/output/a%20b/c.wav", "output", "a b/c.wav", false),
        ("/recordings/a.wav?wav", "recordings", "a.wav", false),
        ("/recordings/100%25%20%231%3Fa%3Db.wav", "recordings", "100% #1?a=b.wav", false),
        ("/recordings/a/%E2%80%AEb.wav", "recordings", "a/\u{202E}b.wav", false),
        ("/recordings/...", "recordings", "...", false),
        ("/recordings/%252e%252e", "recordings", "%2e%2e", false),
        ("/recordings/..%5c", "recordings", "..\\", false),
        ("/recordings", "recordings", "", false),
    ])
    func targetIsAPlaceAndAPath(text: String, place: String, path: String, isFolder: Bool) throws {
        let target = try #require(ServedTarget(text))
        #expect(target.place.rawValue == place)
        #expect(target.path == Pathname(path))
        #expect(target.isFolder == isFolder)
    }

    @Test func bytesThatAreNotUTF8AreKept() {
        #expect(ServedTarget("/recordings/%E9%ff")?.path.bytes == [0xE9, 0xFF])
    }

    @Test(arguments: [
        "", "/", "*", "output/", "http://localhost/output/", "//output/", "/etc/passwd", "/Output/",
        "/output//", "/output//a", "/output/a//b", "/output/a//",
        "/output/.", "/output/..", "/output/../", "/output/a/../b", "/output/a/./b",
        "/output/%2e%2e/a",
        "/output/%2E%2e", "/output/.%2e/", "/output/%2e", "/../output/", "/output/a%2fb",
        "/output/..%2f..", "/output/%2fetc", "/output/a%00", "/output/%", "/output/%2",
        "/output/%zz",
        "/output/% 2", "/output/%+1",
    ])
    func nothingElseIsATarget(text: String) {
        #expect(ServedTarget(text) == nil)
    }

    @Test func queryIsByName() {
        #expect(
            ServedTarget("/output/a?since=5&wav&x=%41%20b&y=1=2")?.query
                == ["since": "5", "wav": "", "x": "A b", "y": "1=2"])
        #expect(ServedTarget.query(of: "/?") == [:])
        #expect(ServedTarget.query(of: "/") == [:])
    }
}
