import Foundation
import Jobs
import Recordings
import TestSupport
import Testing

@testable import Workers

@Suite struct FolderScannerTests {
    private let world = TestWorld()

    private func list(
        _ path: Pathname = .empty, only: [Pathname]? = nil, mayClean: Bool = true
    ) -> FolderListing {
        let scanner = FolderScanner(places: world.places, mayClean: mayClean)
        let request = FolderScan.Request(path: path, only: only)
        guard case .listed(FolderID(3), let listing) = scanner.list(FolderID(3), request) else {
            Issue.record("\(path) was not listed")
            return FolderListing()
        }
        return listing
    }

    private func names(_ listing: FolderListing) -> [Pathname] { listing.recordings.map(\.name) }

    @Test func findsRecordingsWithTheirStamps() throws {
        let path = world.add("b.wav", [1, 2, 3])
        try FileSystem.setModified(path, nanoseconds: 1_778_049_123_000_000_001)
        let stamp = FileStamp(bytes: 3, modifiedNanoseconds: 1_778_049_123_000_000_001)
        #expect(
            list() == FolderListing(recordings: [Sighting(name: "b.wav", finding: .file(stamp))]))
    }

    @Test func ordersWhatItFindsByBytes() {
        for name in ["b.wav", "B.wav", "a.flac", "é.mp3", "z/1.wav", "y/1.wav", "t.txt", "n"] {
            world.add(Pathname(name))
        }
        let listing = list()
        #expect(names(listing) == ["B.wav", "a.flac", "b.wav", "é.mp3"])
        #expect(listing.subfolders == ["y", "z"])
        #expect(listing.otherNames == ["n", "t.txt"])
        #expect(listing.unseen.isEmpty)
    }

    @Test func passesOverHiddenNames() {
        for name in ["._b.wav", ".b.wav", ".git/b.wav", "b.wav"] { world.add(Pathname(name)) }
        #expect(names(list()) == ["b.wav"])
        #expect(list().subfolders.isEmpty)
        #expect(list().otherNames.isEmpty)
    }

    @Test func followsLinksToFilesAndNotToFolders() throws {
        let target = world.add("x/b.wav")
        TestWorld.link(world.root.appending("l.wav"), to: target)
        TestWorld.link(world.root.appending("folder"), to: "x")
        TestWorld.link(world.root.appending("folder.wav"), to: "x")
        let listing = list()
        let stamp = try TestWorld.stamp(of: target)
        #expect(listing.recordings == [Sighting(name: "l.wav", finding: .file(stamp))])
        #expect(listing.subfolders == ["x"])
        #expect(listing.otherNames == ["folder", "folder.wav"])
    }

    @Test func saysThatADanglingLinkLeadsNowhere() {
        TestWorld.link(world.root.appending("gone.wav"), to: "no such file")
        let failure = RecordingFailure(
            stage: .scan, reason: .vanished, detail: "No such file or directory",
            code: Int(ENOENT))
        #expect(list().recordings == [Sighting(name: "gone.wav", finding: .failure(failure))])
    }

    @Test func refusesAPipeWithoutWaitingForIt() {
        world.addPipe("pipe.wav")
        let failure = RecordingFailure(stage: .scan, reason: .notARegularFile)
        #expect(list().recordings == [Sighting(name: "pipe.wav", finding: .failure(failure))])
        #expect(list().otherNames.isEmpty)
    }

    @Test func goesIntoAFolderWhateverItIsCalled() {
        world.add("album.wav/b.wav")
        #expect(list().subfolders == ["album.wav"])
        #expect(names(list("album.wav")) == ["b.wav"])
    }

    @Test func keepsOddNamesApart() {
        let odd: [Pathname] = [
            "a\nb.wav", "\"Mum's\" list.wav", "🎙️.wav", "caf\u{E9}.wav", "cafe\u{301}.wav",
            Pathname(bytes: [0x61, 0xFF] + Array(".wav".utf8)),
            Pathname(bytes: [0x61, 0xFE] + Array(".wav".utf8)),
        ]
        for name in odd { world.add(name) }
        #expect(names(list()) == odd.sorted())
    }

    @Test func doesNotEnterTheOutputFolder() {
        world.add("out/b.wav")
        let places = RunPlaces(
            root: world.root, output: world.root.appending("out"), targets: [])
        let scanner = FolderScanner(places: places, mayClean: false)
        guard case .listed(_, let listing) = scanner.list(FolderID(0), .init(path: .empty)) else {
            return #expect(Bool(false), "not listed")
        }
        #expect(listing.subfolders.isEmpty)
    }

    @Test func doesNotEnterAnyOutputFolderWhateverItIsCalledNow() {
        OutputFolder.makeMarked(world.root.appending("moved"))
        world.add("moved/b.wav")
        world.add("x/b.wav")
        #expect(list().subfolders == ["x"])
        #expect(list().otherNames == ["moved"])
    }

    @Test func looksOnlyAtTheRecordingsAskedFor() throws {
        for name in ["a.wav", "b.wav", ".hidden.wav", "notes", "x/c.wav"] {
            world.add(Pathname(name))
        }
        let listing = list(only: ["b.wav", "notes", ".hidden.wav", "gone.wav", "x"])
        #expect(names(listing) == [".hidden.wav", "b.wav", "gone.wav", "notes"])
        #expect(listing.subfolders.isEmpty)
        #expect(listing.otherNames == ["a.wav", "x"])
        let failures = listing.recordings.filter {
            if case .failure = $0.finding { true } else { false }
        }
        #expect(failures.map(\.name) == ["gone.wav"])
    }

    @Test func saysWhyAFolderCannotBeListed() {
        let scanner = FolderScanner(places: world.places, mayClean: true)
        world.add("file")
        let answer = scanner.list(FolderID(1), FolderScan.Request(path: "gone"))
        guard case .failed(FolderID(1), let failure) = answer else {
            return #expect(Bool(false), "\(answer)")
        }
        #expect(failure.stage == .scan)
        #expect(failure.reason == .vanished)
        #expect(failure.code == Int(ENOENT))
    }

    @Test(.enabled(if: geteuid() != 0, "nothing is closed to the system's own user"))
    func saysThatAFolderIsClosed() {
        world.add("closed/b.wav")
        let path = world.root.appending("closed")
        _ = path.withCString { chmod($0, 0) }
        defer { _ = path.withCString { chmod($0, 0o755) } }
        let scanner = FolderScanner(places: world.places, mayClean: true)
        let answer = scanner.list(FolderID(1), FolderScan.Request(path: "closed"))
        guard case .failed(_, let failure) = answer else {
            return #expect(Bool(false), "\(answer)")
        }
        #expect(failure.reason == .permissionDenied)
    }
}

// MARK: - Earlier work

@Suite struct EarlierWorkTests {
    private let world = TestWorld()
    private let modified: Int64 = 1_778_049_123_000_000_000
    private var recipe: Recipe {
        var recipe = Recipe()
        recipe.waveform.bits = 16
        return recipe
    }

    private func entry(_ name: Pathname) -> ManifestEntry {
        let stamp = FileStamp(bytes: 3, modifiedNanoseconds: modified)
        var entry = ManifestEntry(name: name, status: .done, source: stamp)
        entry.waveforms = [
            WaveformFile(
                path: name.adding(suffix: ".dat"), samplesPerPixel: 256, bits: 16, channels: 1,
                length: 1, bytes: 2, sha256: "aa")
        ]
        entry.trimmed = TrimmedFile(
            path: name, durationSeconds: 1, bytes: 1, sha256: "bb",
            edits: [Edit(sourceFrames: 0..<1, trimmedFrame: 0)])
        return entry
    }

    /// Writes an entry's outputs as a run would have left them.
    private func writeOutputs(of name: Pathname, bytes: Int = 2) throws {
        for (path, bytes) in [(name.adding(suffix: ".dat"), bytes), (name, 1)] {
            let path = world.folder.write(
                [UInt8](repeating: 0, count: bytes), to: Pathname("output").appending(path))
            try FileSystem.setModified(path, nanoseconds: modified)
        }
    }

    private func writeManifest(_ entries: [ManifestEntry]) throws {
        try ManifestFile.write(
            ManifestOrder(folder: .empty, recipe: recipe, entries: entries, obsolete: []),
            in: world.output)
    }

    private func list(mayClean: Bool = true, only: [Pathname]? = nil) -> FolderListing {
        let scanner = FolderScanner(places: world.places, mayClean: mayClean)
        let request = FolderScan.Request(path: .empty, only: only)
        guard case .listed(_, let listing) = scanner.list(FolderID(0), request) else {
            Issue.record("not listed")
            return FolderListing()
        }
        return listing
    }

    @Test func findsWhatAnEarlierRunLeft() throws {
        world.add("b.wav")
        try writeManifest([entry("b.wav")])
        try writeOutputs(of: "b.wav")
        let work = PreviousWork(entry: entry("b.wav"), recipe: recipe, damaged: [])
        #expect(list().recordings.map(\.previous) == [work])
    }

    @Test func prefersTheRecipeOfTheEntryToThatOfTheFolder() throws {
        world.add("b.wav")
        var own = entry("b.wav")
        own.recipe = Recipe()
        try writeManifest([own])
        try writeOutputs(of: "b.wav")
        #expect(list().recordings.first?.previous?.recipe == Recipe())
    }

    @Test func noticesOutputsThatAreGoneOrAltered() throws {
        world.add("b.wav")
        try writeManifest([entry("b.wav")])
        let damaged = { [self] in list().recordings.first?.previous?.damaged }
        #expect(damaged() == [.waveform, .trim])
        try writeOutputs(of: "b.wav", bytes: 5)
        #expect(damaged() == .waveform)
        try writeOutputs(of: "b.wav")
        #expect(damaged() == [])
        try FileSystem.setModified(world.output.appending("b.wav"), nanoseconds: modified + 1)
        #expect(damaged() == .trim)
        try FileSystem.remove(world.output.appending("b.wav.dat"))
        #expect(damaged() == [.waveform, .trim])
    }

    @Test func setsAsideWorkOnRecordingsItDoesNotSee() throws {
        world.add("b.wav")
        try writeManifest(["c.wav", "b.wav", "a.wav"].map { entry($0) })
        #expect(list().unseen.map(\.entry.name) == ["a.wav", "c.wav"])
        world.add("a.wav")
        world.add("c.wav")
        #expect(list(only: ["c.wav"]).unseen.map(\.entry.name) == ["a.wav", "b.wav"])
    }

    @Test(arguments: ["", "{", "[]", #"{"version":1}"#, "\u{0}"])
    func takesADamagedManifestForNone(text: String) throws {
        world.add("b.wav")
        world.makeFolder(world.output)
        world.folder.write(Array(text.utf8), to: "output/manifest.json")
        #expect(list().recordings.map(\.previous) == [nil])
    }

    @Test func takesAManifestOfAnotherVersionForNone() throws {
        world.add("b.wav")
        var manifest = Manifest(
            folder: .empty, recipe: recipe, recipeFingerprint: "", recordings: [entry("b.wav")])
        manifest.version = Manifest.currentVersion + 1
        world.makeFolder(world.output)
        world.folder.write(ManifestFile.bytes(of: manifest), to: "output/manifest.json")
        #expect(list().recordings.map(\.previous) == [nil])
    }

    @Test(arguments: ["../source/b.wav", "/etc/passwd", "x/../../y", ""])
    func doesNotBelieveInOutputsElsewhere(path: Pathname) throws {
        world.add("b.wav")
        var foreign = entry("b.wav")
        foreign.trimmed?.path = path
        try writeManifest([foreign])
        #expect(list().recordings.map(\.previous) == [nil])
        #expect(list().unseen.isEmpty)
    }

    @Test func clearsAwayWhatAKilledRunLeft() throws {
        world.makeFolder(world.output)
        let kept = [".tapedeck", ".tapedeck.note", "x.partial", "b.wav.dat"]
        for name in kept + [".tapedeck.7.partial", ".tapedeck.manifest.partial"] {
            world.folder.write([], to: Pathname("output/" + name))
        }
        _ = list(mayClean: false)
        #expect(TestWorld.tree(world.output).count == 6)
        _ = list()
        #expect(Set(TestWorld.tree(world.output)) == Set(kept.map { Pathname($0) }))
    }
}
