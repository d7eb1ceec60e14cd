import Jobs
import Recordings
import Testing

@Suite struct GlobTests {
    private func matches(_ pattern: Pathname, _ path: Pathname, isFolder: Bool = false) -> Bool {
        Glob(pattern)?.matches(path.components[...], isFolder: isFolder) == true
    }

    private static let cases: [(Pathname, Pathname, Bool)] = [
        // Names at any depth.
        ("*.wav", "a.wav", true), ("*.wav", "x/y/a.wav", true), ("*.wav", "a.WAV", false),
        ("*.wav", "a.wav.flac", false), ("a?c", "abc", true), ("a?c", "ac", false),
        ("a?c", "aéc", true), ("a*c*e", "abcde", true), ("a*c*e", "abcd", false), ("*", "a", true),
        ("drafts", "x/drafts", true), ("drafts", "drafts/a.wav", false),
        // Sets.
        ("[ab].wav", "b.wav", true), ("[ab].wav", "c.wav", false), ("[a-c]x", "bx", true),
        ("[!a-c]x", "bx", false), ("[^a-c]x", "dx", true), ("[!a]x", "éx", true),
        ("[]a]", "]", true), ("[a-]", "-", true), ("[a", "[a", true), ("[", "[", true),
        // Escapes.
        ("\\*", "*", true), ("\\*", "a", false), ("a\\", "a\\", true),
        // Anchored at the base folder.
        ("x/*.wav", "x/a.wav", true), ("x/*.wav", "y/x/a.wav", false),
        ("x/*.wav", "x/y/a.wav", false), ("/a.wav", "a.wav", true), ("/a.wav", "x/a.wav", false),
        ("./a.wav", "x/a.wav", false), ("x//a.wav", "x/a.wav", true),
        // At any depth between.
        ("**/a.wav", "a.wav", true), ("**/a.wav", "x/y/a.wav", true),
        ("x/**/a.wav", "x/a.wav", true), ("x/**/a.wav", "x/y/z/a.wav", true),
        ("x/**/a.wav", "y/a.wav", false), ("x/**", "x/y/a.wav", true), ("x/**", "x", false),
        ("**/x/**/b/*", "x/a/x/b/c", true), ("**", "x/a.wav", true), ("a**b", "acdb", true),
    ]

    @Test(arguments: cases)
    func patternMatchesPath(pattern: Pathname, path: Pathname, expected: Bool) {
        #expect(matches(pattern, path) == expected)
    }

    @Test func trailingSlashStandsForFolders() {
        #expect(matches("drafts/", "x/drafts", isFolder: true))
        #expect(!matches("drafts/", "x/drafts"))
        #expect(matches("x/drafts/", "x/drafts", isFolder: true))
        #expect(!matches("x/drafts/", "y/x/drafts", isFolder: true))
    }

    @Test func bytesThatAreNotUTF8Match() {
        let name = Pathname(bytes: [0x61, 0xFF, 0xFE, 0x62])
        #expect(matches("a*b", name) && matches("a??b", name) && !matches("a?b", name))
        #expect(matches(Pathname(bytes: [0x2A, 0xFE, 0x62]), name))
    }

    @Test(arguments: ["", "/", "./", "..", "../a", "a/../b"] as [Pathname])
    func patternWithoutNameOrAboveFolderIsRefused(pattern: Pathname) {
        #expect(Glob(pattern) == nil)
    }

    /// Backtracking is limited to the last star, so that no pattern takes exponential time.
    @Test func manyStarsMatchQuickly() {
        let stars = Pathname(String(repeating: "a*", count: 40) + "b")
        #expect(!matches(stars, Pathname(String(repeating: "a", count: 200))))
        let folders = Pathname(String(repeating: "**/a/", count: 40) + "b")
        #expect(!matches(folders, Pathname(String(repeating: "a/", count: 200) + "a")))
    }
}
