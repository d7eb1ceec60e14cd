import Foundation
import Jobs
import Recordings
import ReducerKit
import TestSupport
import Testing

@testable import Workers

/// Folders that are gone, and the volume that listings stand on.
@Suite struct LostFolderTests {
    private let world = TestWorld()

    private func list(
        _ path: Pathname = .empty, top: Pathname? = .empty, only: [Pathname]? = nil,
        places: RunPlaces? = nil, isFirst: Bool = true
    ) -> FolderListing {
        let scanner = world.scanner(of: places)
        var request = FolderScan.Request(path: path, only: only, top: top)
        request.isFirst = isFirst
        guard case .listed(FolderID(3), let listing) = scanner.list(FolderID(3), request) else {
            Issue.record("\(path) was not listed")
            return FolderListing()
        }
        return listing
    }

    private func settle(in folder: Pathname, of names: [Pathname] = ["b.wav"]) throws {
        try world.settle(names.map { Example.doneEntry($0) }, in: folder)
    }

    private var device: UInt64 {
        get throws { try FileSystem.status(world.root).device }
    }

    // MARK: Lost folders

    @Test func foldersFoundOnlyInRecordAreLost() throws {
        for folder in ["z", "a", "here", "deep/er/est"] as [Pathname] {
            try settle(in: folder)
        }
        world.makeFolder(world.root.appending("here"))
        let listing = list()
        #expect(listing.lostFolders == ["a", "deep", "z"])
        #expect(listing.subfolders == ["here"])
        #expect(list("here").lostFolders == [])
    }

    @Test func outputFolderWithoutRecordIsNotLost() {
        world.makeFolder(world.output.appending("a/b/c"))
        world.makeFolder(world.output.appending("d/manifest.json"))
        #expect(list().lostFolders == [])
    }

    /// Whether its manifest was printed or not.
    @Test func interruptedFolderIsLost() throws {
        try world.record.add([RecordExample.fact("b.wav", in: "a/b")])
        #expect(list().lostFolders == ["a"])
        #expect(list(isFirst: false).lostFolders == ["a"])
    }

    /// They are no results, though: a folder that is empty now is not one that was emptied.
    @Test func temporaryFilesInMissingFoldersAreDeleted() throws {
        let left = world.output.appending("a/b/.tapedeck.1-0.0.partial")
        world.makeFolder(left.parent)
        #expect(FileManager.default.createFile(atPath: left.description, contents: nil))
        let kept = world.output.appending("a/b/c.wav.dat")
        #expect(FileManager.default.createFile(atPath: kept.description, contents: nil))
        #expect(list(isFirst: false).lostFolders == [])
        #expect(FileManager.default.fileExists(atPath: left.description))
        _ = list("a/b")
        #expect(!FileManager.default.fileExists(atPath: left.description))
        #expect(FileManager.default.fileExists(atPath: kept.description))
    }

    @Test func noFolderIsLostWhenScanningSingleRecordings() throws {
        try settle(in: "a")
        #expect(list(only: ["b.wav"]).lostFolders == [])
        #expect(list(top: nil).lostFolders == [])
    }

    @Test func sourceFolderReplacedBySymlinkIsNotLost() throws {
        for name in ["l", "marked", "file", "dangling"] as [Pathname] {
            try settle(in: name)
        }
        world.makeFolder(world.root.appending("x"))
        TestWorld.link(world.root.appending("l"), to: "x")
        TestWorld.link(world.root.appending("dangling"), to: "nothing")
        OutputFolder.makeMarked(world.root.appending("marked"))
        world.add("file")
        #expect(list().lostFolders == ["dangling", "file"])
    }

    @Test func outputFolderItselfIsNotLost() throws {
        let output = world.root.appending("tapedeck")
        let places = RunPlaces(root: world.root, output: output, targets: [])
        world.makeFolder(output)
        try settle(in: "tapedeck")
        try settle(in: .empty)
        let listing = list(places: places)
        #expect(listing.subfolders == [] && listing.lostFolders == [])
    }

    // MARK: A folder that is gone

    @Test func missingFolderIsListedWithItsOldResults() throws {
        try settle(in: "a", of: ["b.wav", "c.wav"])
        try settle(in: "a/d")
        world.add("x.wav")
        let listing = list("a")
        #expect(listing.isGone)
        #expect(listing.recordings == [] && listing.subfolders == [])
        #expect(listing.unseen.map(\.entry.name) == ["b.wav", "c.wav"])
        #expect(listing.lostFolders == ["d"])
        #expect(listing.volume == MountEvidence(device: try device, isBare: false))
    }

    @Test func folderReplacedByFileIsReportedAsGone() throws {
        world.add("a")
        for path in ["a", "a/b"] as [Pathname] {
            try settle(in: path)
            #expect(list(path).isGone)
            #expect(list(path).unseen.count == 1)
        }
    }

    /// As when somebody moves a folder to a larger disk: that is no reason to remove its results.
    @Test(arguments: ["a", "a/d"] as [Pathname])
    func folderReplacedBySymlinkIsNotScanned(path: Pathname) throws {
        world.add("c/d/x.wav")
        try settle(in: path, of: ["x.wav"])
        let link = world.root.appending("a").text
        #expect(symlink(world.root.appending("c").text, link) == 0)
        let scanner = world.scanner()
        var request = FolderScan.Request(path: path, top: "")
        request.isFirst = false
        guard case .failed(_, let failure) = scanner.list(FolderID(3), request) else {
            return #expect(Bool(false), "it was listed")
        }
        #expect(failure.reason == .linked)
        unlink(link)
        world.makeFolder(world.root.appending(path))
        #expect(list(path, isFirst: false).unseen.count == 1)
    }

    @Test func interruptedWorkInMissingFolderIsRecovered() throws {
        try world.record.add([RecordExample.fact("b.wav", in: "a")])
        let listing = list("a")
        #expect(listing.isGone && listing.isRecovered)
        #expect(listing.unseen.map(\.entry.name) == ["b.wav"])
    }

    @Test func missingFolderWithoutResultsListsNothing() {
        var empty = FolderListing()
        let listing = list("a")
        empty.isGone = true
        empty.volume = listing.volume
        empty.fingerprint = listing.fingerprint
        empty.lookedAtNanoseconds = listing.lookedAtNanoseconds
        #expect(listing == empty)
    }

    @Test func missingAndEmptyFoldersHaveDifferentFingerprints() {
        let gone = list("a").fingerprint
        #expect(list("a").fingerprint == gone)
        world.makeFolder(world.root.appending("a"))
        #expect(list("a").fingerprint != gone)
    }

    @Test func missingFolderHasNoWatchOutcome() {
        var scanner = world.scanner()
        scanner.watch = { _, _ in .failed(code: ENOENT) }
        var request = FolderScan.Request(path: "a", top: .empty)
        request.watches = true
        guard case .listed(_, let listing) = scanner.list(FolderID(3), request) else {
            return #expect(Bool(false), "not listed")
        }
        #expect(listing.isGone && listing.watch == nil)
    }

    @Test func missingFolderFailsScanOfSingleRecordings() {
        let scanner = world.scanner()
        let request = FolderScan.Request(path: "a", only: ["b.wav"])
        guard case .failed(_, let failure) = scanner.list(FolderID(3), request) else {
            return #expect(Bool(false), "it did not fail")
        }
        #expect(failure.reason == .vanished)
    }

    // MARK: The volume

    @Test func volumeIsReportedForWholeFoldersOnly() throws {
        world.add("a/b.wav")
        world.makeFolder(world.root.appending("c"))
        let firm = MountEvidence(device: try device, isBare: false)
        #expect(list().volume == firm)
        #expect(list("a").volume == firm)
        #expect(list("a", top: "a").volume == firm)
        #expect(list("c").volume == MountEvidence(device: try device, isBare: true))
        #expect(list("a", top: nil).volume == nil)
        #expect(list("a", only: ["b.wav"]).volume == nil)
    }

    private static let hasSharedMemory: Bool = {
        let devices = ["/dev", "/dev/shm"].map { try? FileSystem.status(Pathname($0)).device }
        return !devices.contains(nil) && devices[0] != devices[1]
    }()

    /// Shared memory is a file system of its own, mounted in a folder of another one.
    @Test(.enabled(if: hasSharedMemory))
    func mountedFolderReportsItsOwnDevice() throws {
        let places = RunPlaces(root: "/dev", output: world.output, targets: [])
        let device = try FileSystem.status("/dev/shm").device
        #expect(list("shm", places: places).volume?.device == device)
    }

    @Test func subfolderWithOnlyTheOutputIsBare() throws {
        let output = world.root.appending("a/.out")
        let places = RunPlaces(root: world.root, output: output, targets: [])
        world.makeFolder(output)
        #expect(list("a", places: places).volume?.isBare == true)
        #expect(list(places: places).volume?.isBare == false)
        world.add("a/.hidden")
        #expect(list("a", places: places).volume?.isBare == false)
    }

    @Test func rootWithoutAnyFilesIsBare() throws {
        #expect(list().volume == MountEvidence(device: try device, isBare: true))
        world.add(".hidden")
        #expect(list().volume?.isBare == false)
    }

    @Test func rootWithOnlyTheOutputIsBare() throws {
        let output = world.root.appending("tapedeck")
        let places = RunPlaces(root: world.root, output: output, targets: [])
        world.makeFolder(output)
        #expect(list(places: places).volume?.isBare == true)
        world.add("tapedeck.txt")
        #expect(list(places: places).volume?.isBare == false)
    }

    @Test func missingTargetFolderHasNoVolume() throws {
        try settle(in: "a")
        for path in ["a", "a/d"] as [Pathname] {
            let listing = list(path, top: "a")
            #expect(listing.isGone)
            #expect(listing.volume == MountEvidence(device: nil, isBare: true))
        }
        #expect(list("a", top: "a").unseen.count == 1)
    }
}
