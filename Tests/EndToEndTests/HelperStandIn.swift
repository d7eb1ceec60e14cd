import Foundation
import Recordings
import TestSupport
import Testing

extension Library {
    /// A folder with a copy of the tool, beside which `script` stands for the helper.
    func tool(helper script: String?) -> String {
        makeFolder("bin")
        let folder = self.folder.path("bin").text
        #expect(Tool.shell("cp \"$TAPEDECK\" '\(folder)/tapedeck'").status == 0)
        guard let script else { return folder + "/tapedeck" }
        let text = "#!/bin/sh\nreal='\(Tool.path)-decoder'\n" + script
        self.folder.write(Array(text.utf8), to: "bin/tapedeck-decoder")
        chmod(folder + "/tapedeck-decoder", 0o755)
        return folder + "/tapedeck"
    }
}
