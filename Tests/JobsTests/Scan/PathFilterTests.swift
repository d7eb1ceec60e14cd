import Jobs
import Recordings
import Testing

@Suite struct PathFilterTests {
    private func filter(
        _ folder: Pathname = "", include: [Pathname] = [], exclude: [Pathname] = [],
        ignore: [Pathname: String] = [:]
    ) -> FolderFilter {
        var filter = PathFilter()
        filter.include = include.compactMap(Glob.init)
        filter.exclude = exclude.compactMap(Glob.init)
        let lists = ignore.sorted { $0.key < $1.key }.map {
            IgnoreList(Array($0.value.utf8), depth: $0.key.components.count)
        }
        return FolderFilter(filter, lists, in: folder)
    }

    @Test func nothingIsLeftOutWithoutPatterns() {
        let filter = FolderFilter()
        #expect(!filter.isLeftOut && !filter.leavesOut("a.wav") && !filter.leavesOut(folder: "x"))
    }

    @Test func onlyIncludedRecordingsAreProcessed() {
        let filter = filter(include: ["*.flac", "b.*"])
        #expect(filter.leavesOut("a.wav") && !filter.leavesOut("a.flac"))
        #expect(!filter.leavesOut("b.wav"))
        // What is included may lie in it.
        #expect(!filter.isLeftOut && !filter.leavesOut(folder: "x"))
    }

    @Test func folderThatIsIncludedIsIncludedAsAWhole() {
        for pattern in ["takes/", "takes", "x/takes"] as [Pathname] {
            #expect(!filter("x/takes/deep", include: [pattern]).leavesOut("a.wav"))
            #expect(filter("x/other", include: [pattern]).leavesOut("a.wav"))
        }
        #expect(filter(include: ["takes/"]).leavesOut("takes"))
    }

    @Test func exclusionBeatsInclusion() {
        let filter = filter(include: ["*.wav"], exclude: ["raw-*"])
        #expect(!filter.leavesOut("a.wav") && filter.leavesOut("raw-a.wav"))
    }

    @Test func excludedFolderIsLeftOutWithAllBelow() {
        let exclude: [Pathname] = ["drafts/"]
        #expect(filter(exclude: exclude).leavesOut(folder: "drafts"))
        #expect(!filter(exclude: exclude).leavesOut("drafts"))
        #expect(filter("x/drafts/deep", exclude: exclude).isLeftOut)
        #expect(filter("x/drafts/deep", exclude: exclude).leavesOut("a.wav"))
        #expect(!filter("x", exclude: exclude).isLeftOut)
    }

    @Test func ignoreListAppliesBelowItsFolder() {
        let lists: [Pathname: String] = ["x": "*.tmp.wav\n/top.wav\ny/z.wav\n"]
        #expect(!filter(ignore: ["": ""]).leavesOut("a.tmp.wav"))
        #expect(filter("x", ignore: lists).leavesOut("a.tmp.wav"))
        #expect(filter("x/y", ignore: lists).leavesOut("a.tmp.wav"))
        #expect(filter("x", ignore: lists).leavesOut("top.wav"))
        #expect(!filter("x/y", ignore: lists).leavesOut("top.wav"))
        #expect(filter("x/y", ignore: lists).leavesOut("z.wav"))
        // Not the folder itself.
        #expect(!filter("x", ignore: ["x": "x\n"]).isLeftOut)
    }

    @Test func ignoreListIsReadAsGitReadsIt() {
        let text = "\u{FEFF}# comment\r\n\r\na.wav  \r\n\\#b.wav\nc\\ \n\\!d\n../e\n"
        let filter = filter(ignore: ["": text])
        for name in ["a.wav", "#b.wav", "c ", "!d"] as [Pathname] {
            #expect(filter.leavesOut(name), "\(name)")
        }
        for name in ["# comment", "c", "e", ""] as [Pathname] {
            #expect(!filter.leavesOut(name), "\(name)")
        }
    }

    @Test func lastRuleThatMatchesDecides() {
        let filter = filter(ignore: ["": "*.wav\n!keep*.wav\nkeep-not.wav\n"])
        #expect(filter.leavesOut("a.wav") && !filter.leavesOut("keep.wav"))
        #expect(filter.leavesOut("keep-not.wav"))
    }

    @Test func nearestListDecides() {
        let lists: [Pathname: String] = ["": "*.wav\n!b.wav\n", "x": "!a.wav\nb.wav\n"]
        #expect(filter("x", ignore: lists).leavesOut("b.wav"))
        #expect(!filter("x", ignore: lists).leavesOut("a.wav"))
        #expect(filter("x", ignore: lists).leavesOut("c.wav"))
    }

    @Test func exceptionDoesNotReachIntoExcludedFolder() {
        let lists: [Pathname: String] = ["": "x/\n!x/a.wav\n"]
        #expect(filter("x", ignore: lists).leavesOut("a.wav"))
        // Nor does it bring back what an option excludes.
        #expect(filter(exclude: ["a.wav"], ignore: ["": "!a.wav\n"]).leavesOut("a.wav"))
    }

    @Test func recordingsBeforeTimeLimitAreLeftOut() {
        var filter = PathFilter()
        filter.newerThanNanoseconds = 1000
        let folder = FolderFilter(filter, [], in: "")
        #expect(folder.leavesOut(FileStamp(bytes: 1, modifiedNanoseconds: 999)))
        #expect(!folder.leavesOut(FileStamp(bytes: 1, modifiedNanoseconds: 1000)))
        #expect(!FolderFilter().leavesOut(FileStamp(bytes: 1, modifiedNanoseconds: -5)))
    }
}
