import Recordings
import Testing

@testable import Workers

/// What earlier versions wrote into `.tapedeck`.
@Suite struct OutputMarkTests {
    @Test(
        arguments: [
            ("recordings: ..", ".."), ("recordings: ../a b/é", "../a b/é"),
            ("recordings: e\u{301}", "e\u{301}"), ("recordings: recordings: ..", "recordings: .."),
            ("recordings:  x ", " x "), ("recordings-hex: 610a62", "a\nb"),
            ("recordings-hex: 2e2e2fff", Pathname(bytes: [0x2E, 0x2E, 0x2F, 0xFF])),
        ] as [(String, Pathname)])
    func rootPathIsReadFromMarker(line: String, root: Pathname) {
        let text = Array("This folder is written by tapedeck.\n\(line)\n".utf8)
        #expect(OutputMark.root(in: text) == root)
        // Half a line may be half a path.
        for count in text.indices { #expect(OutputMark.root(in: Array(text[..<count])) == nil) }
    }

    @Test(arguments: [
        "", "This folder is written by tapedeck.\n", "recordings: ..", "recordings-hex: 2g\n",
    ])
    func markerWithoutRootHasNone(text: String) {
        #expect(OutputMark.root(in: Array(text.utf8)) == nil)
    }

    @Test(
        arguments: [
            ("/a/tapedeck", "/a", ".."), ("/out", "/a/b", "../a/b"), ("/a/b/c", "/a/x", "../../x"),
            ("/", "/a", "a"), ("/a", "/a", "."), ("/ab", "/a", "../a"),
        ] as [(Pathname, Pathname, Pathname)])
    func relativePathConnectsFolders(from folder: Pathname, to other: Pathname, way: Pathname) {
        #expect(OutputMark.way(from: folder, to: other) == way)
    }
}
