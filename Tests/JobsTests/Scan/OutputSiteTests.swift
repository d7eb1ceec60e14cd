import Jobs
import Recordings
import Testing

@Suite struct OutputSiteTests {
    private func refusal(
        _ path: Pathname, _ site: OutputSite = .nothing, sources: Pathname...
    ) -> RunRefusal? {
        RunRefusal.against(output: path, sources: sources, site: site)
    }

    @Test func refusedOutputPathIsNotSearched() {
        var looked = false
        func look() -> OutputSite {
            looked = true
            return .nothing
        }
        _ = RunRefusal.against(output: "/", sources: ["/a"], site: look())
        #expect(!looked)
    }

    @Test func newEmptyOrMarkedFolderIsAccepted() {
        #expect(refusal("/a/out", sources: "/a") == nil)
        #expect(refusal("/a/out", .unmarked(fileAtRisk: nil), sources: "/a") == nil)
        #expect(refusal("/a/out", .marked, sources: "/a") == nil)
        #expect(refusal("/ab", sources: "/a") == nil)
    }

    @Test func sourceAndItsParentAreRefused() {
        #expect(refusal("/a", sources: "/b", "/a") == .outputIsSource("/a"))
        #expect(
            refusal("/a", .marked, sources: "/a/b")
                == .outputHoldsSources(output: "/a", source: "/a/b"))
    }

    @Test func nonFolderOutputIsRefused() {
        #expect(refusal("/a/x", .notAFolder, sources: "/a") == .outputNotAFolder("/a/x"))
    }

    @Test func unmarkedFolderWithFilesIsRefused() {
        #expect(
            refusal("/o", .unmarked(fileAtRisk: "/o/b.wav"), sources: "/a")
                == .outputHoldsFiles(output: "/o", file: "/o/b.wav"))
    }
}
