import Foundation
import Recordings
import TestSupport
import Testing

extension SmallWAV {
    /// Two seconds of voice as ffmpeg encodes them.
    static func m4a(in folder: TestFolder) -> [UInt8] {
        let wav = folder.write(bytes(voice(seconds: 2)), to: "voice.wav")
        let path = folder.path("voice.m4a")
        let made = Tool.shell("ffmpeg -v error -nostdin -y -i '\(wav.text)' '\(path.text)'")
        #expect(made.status == 0)
        return TestFolder.bytes(of: path)
    }
}

extension Library {
    /// A folder with a copy of the tool, beside which `script` stands for the helper: in it,
    /// `$reply` is the form of a `DecoderReply` for Python.
    func tool(helper script: String?) -> String {
        makeFolder("bin")
        let folder = self.folder.path("bin").text
        #expect(Tool.shell("cp \"$TAPEDECK\" '\(folder)/tapedeck'").status == 0)
        guard let script else { return folder + "/tapedeck" }
        let head = "#!/bin/sh\nreal='\(Tool.path)-decoder'\nexport reply=17q\n"
        let text = head + script
        self.folder.write(Array(text.utf8), to: "bin/tapedeck-decoder")
        chmod(folder + "/tapedeck-decoder", 0o755)
        return folder + "/tapedeck"
    }
}
