import Jobs
import Recordings
import Testing

@Suite struct RecordingNameTests {
    /// What opens by its extension alone must be listed by a scan.
    @Test func everyHeaderlessExtensionIsARecording() {
        #expect(Pathname.headerlessExtensions.count >= 16)
        for name in Pathname.headerlessExtensions {
            let path = Pathname("call." + name)
            #expect(path.isRecordingName, "\(name)")
            #expect(path.headerlessFormat != nil, "\(name)")
        }
    }

    @Test(arguments: [
        ("a.WAV", true), ("a.sln48", true), ("a.m4a", true), ("a.sln7", false), ("a.mp4", false),
        ("a.txt", false), (".a.wav", false), ("wav", false),
    ])
    func extensionDecidesWhatIsARecording(name: String, isRecording: Bool) {
        #expect(Pathname(name).isRecordingName == isRecording)
    }
}
