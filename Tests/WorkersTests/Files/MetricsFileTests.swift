import Foundation
import Recordings
import TestSupport
import Testing
import Workers

@Suite struct MetricsFileTests {
    private let folder = TestFolder()
    private let text = "# HELP tapedeck_done_total Text.\n"

    private func path(_ name: String) -> Pathname { folder.path(Pathname(name)) }

    private func contents(_ name: String) throws -> String {
        try String(contentsOfFile: path(name).text, encoding: .utf8)
    }

    @Test func fileIsReplaced() throws {
        for more in ["1", "22", "3"] {
            try MetricsFile.write(text + more, to: path("a.prom"))
            #expect(try contents("a.prom") == text + more)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path.text) == ["a.prom"])
    }

    /// A recording, a link, a folder: nothing that is not such a file is replaced.
    @Test func nothingElseIsOverwritten() throws {
        folder.write(Array("RIFF....WAVE".utf8), to: "a.prom")
        #expect(throws: FileSystemError.self) { try MetricsFile.write(text, to: path("a.prom")) }
        #expect(try contents("a.prom") == "RIFF....WAVE")
        #expect(symlink("b", folder.path.text + "/link.prom") == 0)
        #expect(mkdir(folder.path.text + "/folder.prom", 0o700) == 0)
        #expect(mkfifo(folder.path.text + "/pipe.prom", 0o600) == 0)
        for name in ["link.prom", "folder.prom", "pipe.prom", "no/such.prom"] {
            #expect(throws: FileSystemError.self) { try MetricsFile.write(text, to: path(name)) }
        }
    }
}
