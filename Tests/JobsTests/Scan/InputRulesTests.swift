import Jobs
import Recordings
import Testing

@Suite struct InputRulesTests {
    /// What opens by its extension alone must be listed by a scan.
    @Test func everyHeaderlessExtensionIsARecording() {
        #expect(Pathname.headerlessExtensions.count >= 16)
        for name in Pathname.headerlessExtensions {
            let path = Pathname("call." + name)
            #expect(InputRules().isRecording(path), "\(name)")
            #expect(path.headerlessFormat != nil, "\(name)")
        }
    }

    @Test(arguments: [
        ("a.WAV", true), ("a.sln48", true), ("a.m4a", true), ("a.sln7", false), ("a.mp4", false),
        ("a.txt", false), (".a.wav", false), ("wav", false),
    ])
    func extensionDecidesWhatIsARecording(name: String, isRecording: Bool) {
        #expect(InputRules().isRecording(Pathname(name)) == isRecording)
    }

    @Test(arguments: [
        ("a.mp4", true), ("a.MOV", true), ("a.mkv", true), ("a.wav", true), (".a.mp4", false),
        ("a.txt", false),
    ])
    func videosAreRecordingsIfAskedFor(name: String, isRecording: Bool) {
        var rules = InputRules()
        rules.includesVideo = true
        #expect(rules.isRecording(Pathname(name)) == isRecording)
    }

    @Test func firstMatchingRuleGivesTheFormat() throws {
        let narrow = RawFormat(.pcm16, sampleRateHertz: 8000)
        let wide = RawFormat(.muLaw, sampleRateHertz: 16_000)
        var rules = InputRules()
        rules.raw = [
            InputRules.Raw(pattern: "call-?.bin", format: narrow),
            InputRules.Raw(pattern: "*.bin", format: wide),
        ]
        #expect(rules.rawFormat(of: "call-1.bin") == narrow)
        #expect(rules.rawFormat(of: "call-12.bin") == wide)
        #expect(rules.rawFormat(of: "call.pcm") == nil)
        #expect(rules.isRecording("call-12.bin"))
        #expect(!rules.isRecording(".hidden.bin"))
        #expect(!rules.isRecording("call.txt"))
    }

    @Test(arguments: [
        ("*", "", true), ("*", "a", true), ("a*", "a", true), ("a*b", "ab", true),
        ("a*b", "axxbxb", true), ("a*b", "axxbx", false), ("*.p?m", "x.pcm", true),
        ("?", "", false), ("?", "ab", false), ("a", "A", true), ("*.PCM", "b.pcm", true),
        ("[", "{", false), ("**a**", "bab", true),
        ("*a*a*", "bab", false), ("", "", true), ("", "a", false), ("*ab", "aab", true),
    ])
    func starsAndQuestionMarksMatch(pattern: String, name: String, isMatch: Bool) {
        #expect(Pathname(name).matches(Pathname(pattern)) == isMatch)
    }
}
