import Foundation
import Jobs
import Recordings
import ReducerKit
import TestSupport
import Testing

@testable import Workers

@Suite struct FolderScannerTests {
    private let world = TestWorld()

    private func list(
        _ path: Pathname = .empty, only: [Pathname]? = nil
    ) -> FolderListing {
        let scanner = world.scanner()
        let request = FolderScan.Request(path: path, only: only)
        guard case .listed(FolderID(3), let listing) = scanner.list(FolderID(3), request) else {
            Issue.record("\(path) was not listed")
            return FolderListing()
        }
        return listing
    }

    private func names(_ listing: FolderListing) -> [Pathname] { listing.recordings.map(\.name) }

    /// Why a folder could not be listed.
    private func refusal(_ path: Pathname) -> RecordingFailure.Reason? {
        let scanner = world.scanner()
        let answer = scanner.list(FolderID(3), FolderScan.Request(path: path))
        guard case .failed(_, let failure) = answer else { return nil }
        return failure.reason
    }

    @Test func outputSymlinkToForeignFolderIsRefused() {
        world.add("A/b.wav")
        world.add("B/c.wav")
        for name in ["other", "results", "site", "notes", "empty", "marked"] {
            world.makeFolder(world.folder.path(Pathname(name)))
        }
        OutputFolder.makeMarked(world.folder.path("marked"))
        for name in ["other/d.wav", "results/d.wav", "site/manifest.json", "notes/d.txt"] {
            world.folder.write([], to: Pathname(name))
        }
        let manifest = Manifest(
            folder: "A", recipe: Recipe(), recipeFingerprint: "", recordings: [])
        world.folder.write(ManifestFile.bytes(of: manifest), to: "results/manifest.json")
        world.makeFolder(world.output)
        let place = world.output.appending("A")
        let targets: [(Pathname, isRefused: Bool)] = [
            (world.root.appending("A"), true), (world.root.appending("B"), true),
            (world.folder.path("other"), true), (world.folder.path("results"), false),
            (world.folder.path("site"), true), (world.folder.path("notes"), false),
            (world.folder.path("empty"), false),
            (world.folder.path("marked"), true),
        ]
        for (target, isRefused) in targets {
            TestWorld.link(place, to: target)
            #expect(refusal("A") == (isRefused ? .leadsElsewhere : nil), "\(target)")
            unlink(place.text)
        }
        #expect(refusal("A") == nil)
    }

    @Test func folderWithBlockedOutputPathIsRefused() {
        world.add("A/B/b.wav")
        world.add("manifest.json/c.wav")
        world.makeFolder(world.output)
        #expect(refusal("manifest.json") == .placeTaken)
        #expect(refusal("A") == nil)
        let place = world.output.appending("A")
        world.folder.write([1], to: "output/A")
        #expect(refusal("A") == .placeTaken)
        #expect(refusal("A/B") == .placeTaken)
        unlink(place.text)
        world.makeFolder(place.appending("manifest.json"))
        // Below a folder that is refused, everything is.
        #expect(refusal("A") == .placeTaken)
        #expect(refusal("A/B") == .placeTaken)
    }

    @Test func onlyTransientErrorsMayPass() {
        for code in [EIO, ESTALE, ETIMEDOUT, EMFILE] {
            #expect(FileSystemError("x", code: code).mayPass)
        }
        for code in [ENOENT, ELOOP, EACCES, ENOTDIR] {
            #expect(!FileSystemError("x", code: code).mayPass)
        }
    }

    @Test func recordingsAreListedWithSizeAndTimestamp() throws {
        let path = world.add("b.wav", [1, 2, 3])
        try FileSystem.setModified(path, nanoseconds: 1_778_049_123_000_000_001)
        let stamp = FileStamp(bytes: 3, modifiedNanoseconds: 1_778_049_123_000_000_001)
        let identity = try FileSystem.status(path).withBirth(of: path, followingLink: true).identity
        #expect(
            list().recordings == [
                ScannedFile(name: "b.wav", finding: .file(stamp), identity: identity)
            ])
    }

    @Test func recordingsAndSubfoldersAreSortedByBytes() {
        for name in ["b.wav", "B.wav", "a.flac", "é.mp3", "z/1.wav", "y/1.wav", "t.txt", "n"] {
            world.add(Pathname(name))
        }
        let listing = list()
        #expect(names(listing) == ["B.wav", "a.flac", "b.wav", "é.mp3"])
        #expect(listing.subfolders == ["y", "z"])
        #expect(listing.neighbours.isEmpty)
        #expect(listing.unseen.isEmpty)
    }

    @Test func hiddenFilesAreSkipped() {
        for name in ["._b.wav", ".b.wav", ".git/b.wav", "b.wav"] { world.add(Pathname(name)) }
        #expect(names(list()) == ["b.wav"])
        #expect(list().subfolders.isEmpty)
        #expect(list().neighbours.isEmpty)
    }

    @Test func symlinksAreFollowedToFilesButNotFolders() throws {
        let target = world.add("x/b.wav")
        TestWorld.link(world.root.appending("l.wav"), to: target)
        TestWorld.link(world.root.appending("folder"), to: "x")
        TestWorld.link(world.root.appending("folder.wav"), to: "x")
        let listing = list()
        let status = try FileSystem.status(target).withBirth(of: target, followingLink: true)
        #expect(
            listing.recordings == [
                ScannedFile(
                    name: "l.wav", finding: .file(status.stamp), identity: status.identity)
            ])
        #expect(listing.subfolders == ["x"])
        #expect(listing.neighbours.isEmpty)
    }

    @Test func danglingSymlinkIsReportedAsVanished() {
        TestWorld.link(world.root.appending("gone.wav"), to: "no such file")
        let failure = RecordingFailure(
            stage: .scan, reason: .vanished, detail: "No such file or directory",
            code: Int(ENOENT))
        #expect(list().recordings == [ScannedFile(name: "gone.wav", finding: .failure(failure))])
    }

    @Test func pipeIsReportedWithoutBlocking() {
        world.addPipe("pipe.wav")
        let failure = RecordingFailure(stage: .scan, reason: .notARegularFile)
        #expect(list().recordings == [ScannedFile(name: "pipe.wav", finding: .failure(failure))])
        #expect(list().neighbours.isEmpty)
    }

    @Test func folderNamedLikeRecordingIsEntered() {
        world.add("album.wav/b.wav")
        #expect(list().subfolders == ["album.wav"])
        #expect(names(list("album.wav")) == ["b.wav"])
    }

    @Test func unusualNamesAreListedSeparately() {
        let odd: [Pathname] = [
            "a\nb.wav", "\"Mum's\" list.wav", "🎙️.wav", "caf\u{E9}.wav", "cafe\u{301}.wav",
            Pathname(bytes: [0x61, 0xFF] + Array(".wav".utf8)),
            Pathname(bytes: [0x61, 0xFE] + Array(".wav".utf8)),
        ]
        for name in odd { world.add(name) }
        #expect(names(list()) == odd.sorted())
    }

    @Test func outputFolderIsNotEntered() {
        world.add("out/b.wav")
        let places = RunPlaces(
            root: world.root, output: world.root.appending("out"), targets: [])
        let scanner = world.scanner(of: places, isDryRun: true)
        guard case .listed(_, let listing) = scanner.list(FolderID(0), .init(path: .empty)) else {
            return #expect(Bool(false), "not listed")
        }
        #expect(listing.subfolders.isEmpty)
    }

    @Test func renamedOutputFolderIsNotEntered() {
        OutputFolder.makeMarked(world.root.appending("moved"))
        world.add("moved/b.wav")
        world.add("x/b.wav")
        #expect(list().subfolders == ["x"])
        #expect(list().neighbours.isEmpty)
    }

    @Test func onlyRequestedRecordingsAreListed() throws {
        for name in ["a.wav", "b.wav", ".hidden.wav", "notes", "x/c.wav"] {
            world.add(Pathname(name))
        }
        let listing = list(only: ["b.wav", "notes", ".hidden.wav", "gone.wav", "x"])
        #expect(names(listing) == [".hidden.wav", "b.wav", "gone.wav", "notes"])
        #expect(listing.subfolders.isEmpty)
        #expect(listing.neighbours == ["a.wav", "x"])
        let failures = listing.recordings.filter {
            if case .failure = $0.finding { true } else { false }
        }
        #expect(failures.map(\.name) == ["gone.wav"])
    }

    @Test func missingFolderIsReportedAsVanished() {
        let scanner = world.scanner()
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
    func closedFolderIsReportedAsPermissionDenied() {
        world.add("closed/b.wav")
        let path = world.root.appending("closed")
        _ = path.withCString { chmod($0, 0) }
        defer { _ = path.withCString { chmod($0, 0o755) } }
        let scanner = world.scanner()
        let answer = scanner.list(FolderID(1), FolderScan.Request(path: "closed"))
        guard case .failed(_, let failure) = answer else {
            return #expect(Bool(false), "\(answer)")
        }
        #expect(failure.reason == .permissionDenied)
    }
}
