import Jobs
import Recordings
import Testing

@Suite struct OutputSiteTests {
    private func refusal(
        _ path: Pathname, _ site: OutputSite = .nothing, sources: Pathname...
    ) -> RunRefusal? {
        RunRefusal.against(output: path, sources: sources, site: site)
    }

    @Test func doesNotSearchAPlaceThatIsWrongAnyway() {
        var looked = false
        func look() -> OutputSite {
            looked = true
            return .nothing
        }
        _ = RunRefusal.against(output: "/", sources: ["/a"], site: look())
        #expect(!looked)
    }

    @Test func takesAFolderThatIsNewEmptyOrAnOutput() {
        #expect(refusal("/a/out", sources: "/a") == nil)
        #expect(refusal("/a/out", .unmarked(fileAtRisk: nil), sources: "/a") == nil)
        #expect(refusal("/a/out", .marked, sources: "/a") == nil)
        #expect(refusal("/ab", sources: "/a") == nil)
    }

    @Test func refusesTheSourceAndWhatHoldsIt() {
        #expect(refusal("/a", sources: "/b", "/a") == .outputIsSource("/a"))
        #expect(
            refusal("/a", .marked, sources: "/a/b")
                == .outputHoldsSources(output: "/a", source: "/a/b"))
    }

    @Test func refusesWhatIsNoFolder() {
        #expect(refusal("/a/x", .notAFolder, sources: "/a") == .outputNotAFolder("/a/x"))
    }

    @Test func refusesAFolderWithFilesThatNoRunHasPutThere() {
        #expect(
            refusal("/o", .unmarked(fileAtRisk: "/o/b.wav"), sources: "/a")
                == .outputHoldsFiles(output: "/o", file: "/o/b.wav"))
    }
}
