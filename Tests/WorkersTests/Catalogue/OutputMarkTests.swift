import Recordings
import Testing

@testable import Workers

@Suite struct OutputMarkTests {
    @Test(
        arguments: [
            "..", "../interviews", "a b/é", "e\u{301}", "a\nb", "\u{1}", "recordings: ..", " x ",
            Pathname(bytes: [0x2E, 0x2E, 0x2F, 0xFF]),
        ] as [Pathname])
    func anyRootPathIsReadBackFromMarker(root: Pathname) {
        let text = OutputMark.text(root: root)
        #expect(OutputMark.root(in: text) == root)
        #expect(text.count { $0 == UInt8(ascii: "\n") } == 2)
        for count in text.indices { #expect(OutputMark.root(in: Array(text[..<count])) == nil) }
    }

    @Test func nonUTF8RootIsWrittenInHex() {
        let text = OutputMark.text(root: Pathname(bytes: [0x2E, 0x2E, 0x2F, 0xFF]))
        #expect(String(decoding: text, as: UTF8.self).hasSuffix("\nrecordings-hex: 2e2e2fff\n"))
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
