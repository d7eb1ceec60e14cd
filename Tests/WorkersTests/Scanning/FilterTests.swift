import Jobs
import Recordings
import TestSupport
import Testing

@testable import Workers

/// What filters leave out of folders.
@Suite struct FilterTests {
    private let world = TestWorld()

    private func list(
        _ path: Pathname = .empty, only: [Pathname]? = nil, known: UInt64? = nil,
        _ change: (inout PathFilter) -> Void = { _ in }
    ) -> FolderListing? {
        var places = world.places
        change(&places.rules.filter)
        var request = FolderScan.Request(path: path, only: only, top: only == nil ? "" : nil)
        request.known = known
        let answer = world.scanner(of: places).list(FolderID(3), request)
        guard case .listed(_, let listing) = answer else { return nil }
        return listing
    }

    private func names(_ listing: FolderListing?) -> [Pathname]? {
        listing?.recordings.map(\.name)
    }

    private func ignore(_ text: String, in folder: Pathname = "") {
        world.add(folder.appending(IgnoreList.name), Array(text.utf8))
    }

    private func glob(_ pattern: Pathname) throws -> Glob { try #require(Glob(pattern)) }

    @Test func excludedFilesAndFoldersAreLeftOut() throws {
        let odd = Pathname(bytes: Array("raw".utf8) + [0xFF] + Array(".wav".utf8))
        for name in ["a.wav", odd, "raw-b.wav", "raw.txt", "x/c.wav", "drafts/d.wav"] {
            world.add(name)
        }
        let glob = try [glob("raw*"), glob("drafts/")]
        let listing = list { $0.exclude = glob }
        #expect(names(listing) == ["a.wav"])
        #expect(listing?.leftOut == ["raw-b.wav", odd])
        #expect(listing?.subfolders == ["x"] && listing?.neighbours == ["drafts"])
        #expect(list("drafts") { $0.exclude = glob }?.isLeftOut == true)
    }

    @Test func onlyIncludedFilesAreListed() throws {
        for name in ["a.wav", "b.flac", "x/c.wav", "notes.txt"] { world.add(Pathname(name)) }
        let glob = try [glob("*.flac"), glob("x/")]
        let listing = list { $0.include = glob }
        #expect(names(listing) == ["b.flac"] && listing?.leftOut == ["a.wav"])
        #expect(listing?.subfolders == ["x"])
        #expect(names(list("x") { $0.include = glob }) == ["c.wav"])
    }

    @Test func namedRecordingsAreFilteredToo() throws {
        world.add("a.wav")
        world.add("b.txt")
        let glob = try glob("a.*")
        let listing = list(only: ["a.wav", "b.txt"]) { $0.exclude = [glob] }
        #expect(names(listing) == ["b.txt"] && listing?.leftOut == ["a.wav"])
    }

    @Test func filesBeforeTimeLimitAreLeftOut() throws {
        for (name, time) in [("old.wav", 10), ("new.wav", 20)] as [(Pathname, Int64)] {
            try FileSystem.setModified(world.add(name), nanoseconds: time)
        }
        func old(_ name: Pathname, _ time: Int64) -> ManifestEntry {
            Example.doneEntry(name, stamp: FileStamp(bytes: 3, modifiedNanoseconds: time))
        }
        // The recorded time counts for those that are gone.
        try world.settle([old("gone-new.wav", 20), old("gone-old.wav", 10), old("old.wav", 10)])
        let listing = list { $0.newerThanNanoseconds = 20 }
        #expect(names(listing) == ["new.wav"])
        #expect(listing?.leftOut == ["gone-old.wav", "old.wav"])
        #expect(
            listing?.unseen.map(\.entry.name) == ["gone-new.wav", "gone-old.wav", "old.wav"])
    }

    @Test func resultsOfLeftOutRecordingsAreToldApart() throws {
        world.add("a.wav")
        world.add("odd.name")
        let names = ["a.wav", "gone.wav", "odd.name", "raw-gone.wav"] as [Pathname]
        try world.settle(names.map { Example.doneEntry($0) })
        ignore("raw-*\nodd*\n")
        let listing = list()
        #expect(self.names(listing) == ["a.wav"])
        #expect(listing?.leftOut == ["odd.name", "raw-gone.wav"])
        #expect(listing?.isRecovered == true)
    }

    @Test func leftOutFoldersAreNotLost() throws {
        try world.settle([Example.doneEntry("a.wav")], in: "drafts")
        try world.settle([Example.doneEntry("a.wav")], in: "takes")
        ignore("drafts/\n")
        let listing = list()
        #expect(listing?.lostFolders == ["takes"] && listing?.neighbours == ["drafts"])
        let drafts = list("drafts")
        #expect(drafts?.isLeftOut == true && drafts?.isGone == false)
        #expect(drafts?.unseen.map(\.entry.name) == ["a.wav"])
    }

    /// Not even its foreign manifest is set aside, nor a crash's files completed.
    @Test func outputOfLeftOutFolderIsNotTouched() throws {
        world.add("drafts/a.wav")
        world.makeFolder(world.output.appending("drafts"))
        world.folder.write([1, 2], to: "output/drafts/manifest.json")
        world.folder.write([1, 2], to: "output/drafts/.tapedeck.00.partial")
        ignore("drafts\n")
        let before = TestWorld.tree(world.output)
        #expect(list("drafts")?.isLeftOut == true)
        #expect(TestWorld.tree(world.output) == before)
    }

    @Test func ignoreListsOfAllFoldersAboveCount() {
        for name in ["x/y/a.wav", "x/y/b.wav", "x/y/c.wav", "x/y/d.wav"] {
            world.add(Pathname(name))
        }
        ignore("a.wav\n")
        ignore("y/b.wav\n", in: "x")
        ignore("/c.wav\n", in: "x/y")
        #expect(names(list("x/y")) == ["d.wav"])
        // Of an unreadable list, nobody knows what it leaves out.
        world.makeFolder(world.root.appending("z").appending(IgnoreList.name))
        world.add("z/a.wav")
        #expect(list("z") == nil)
    }

    @Test func changedListIsSeenAgain() throws {
        world.add("a.wav")
        world.add("x/b.wav")
        world.add("odd.name")
        try world.settle([Example.doneEntry("odd.name")])
        ignore("odd.name\n")
        let first = try #require(list())
        #expect(list(known: first.fingerprint) == nil)
        ignore("\n")
        let second = try #require(list(known: first.fingerprint))
        #expect(names(second) == ["a.wav", "odd.name"])
        ignore("x\nodd.name\n")
        let inner = try #require(list("x"))
        #expect(inner.isLeftOut && list("x", known: inner.fingerprint) == nil)
        world.add("x/c.wav")
        #expect(list("x", known: inner.fingerprint) == nil)
    }

    @Test func videosThatAreLeftOutAreNotCounted() {
        world.add("a.mp4")
        world.add("b.mp4")
        #expect(list()?.videos == 2)
        ignore("b.*\n")
        #expect(list()?.videos == 1)
    }
}

@Suite struct PathListTests {
    private let world = TestWorld()

    private func paths(_ text: String) -> [Pathname] {
        PathList(Array(text.utf8), name: "list").paths
    }

    @Test func listHasLinesOrEndsInNUL() {
        #expect(paths("a.wav\n\nx/b c.wav\r\n#d") == ["a.wav", "x/b c.wav", "#d"])
        #expect(paths("a\nb.wav\0c.wav\r\0") == ["a\nb.wav", "c.wav\r"])
        #expect(paths("") == [] && paths("\n\r\n") == [] && paths("a.wav\0") == ["a.wav"])
        let bytes: [UInt8] = [0x61, 0xFF, 0x0A]
        #expect(PathList(bytes, name: "").paths == [Pathname(bytes: [0x61, 0xFF])])
    }

    private func resolve(_ text: String, in path: Pathname? = nil) throws(RunRefusal) -> RunPlaces {
        try RunPlaces.resolve(
            paths: [path ?? world.root], output: nil,
            list: PathList(Array(text.utf8), name: "list"))
    }

    @Test func listedPathsAreTargetsBelowFolder() throws {
        world.add("a.wav")
        world.add("x/b.wav")
        world.add("y/c.wav")
        let places = try resolve("./a.wav\n\(world.root.text)/x/b.wav\ny\n")
        #expect(places.root == (try FileSystem.resolve(world.root)))
        #expect(
            places.targets == [
                .recording(folder: "", name: "a.wav"), .recording(folder: "x", name: "b.wav"),
                .folder("y"),
            ])
        #expect(try resolve("").targets == [])
    }

    @Test func pathsInOutputAreSkipped() throws {
        world.add("a.wav")
        world.makeFolder(world.root.appending("tapedeck"))
        OutputFolder.makeMarked(world.root.appending("tapedeck"))
        world.add("tapedeck/a.wav")
        #expect(
            try resolve("a.wav\ntapedeck/a.wav\n").targets
                == [.recording(folder: "", name: "a.wav")])
    }

    @Test func listThatCannotBeFollowedIsRefused() throws {
        let file = world.add("a.wav")
        world.folder.write([1], to: "b.wav")
        let root = RunPlaces.shown(try FileSystem.resolve(world.root))
        let cases: [(String, Pathname?, ListRefusal)] = [
            ("b.wav\na.wav\nc.wav", nil, .missing(count: 2, example: "b.wav", folder: root)),
            ("../b.wav", nil, .elsewhere("../b.wav", folder: root)),
            ("a.wav", file, .notAFolder(file)),
        ]
        for (text, path, refusal) in cases {
            #expect(throws: RunRefusal.list("list", refusal)) { try resolve(text, in: path) }
        }
        let missing = world.folder.path("none")
        #expect(
            throws: RunRefusal.list(missing, .unreadable(detail: "No such file or directory"))
        ) { try PathList(reading: missing) }
    }
}
