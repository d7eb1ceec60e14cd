import Foundation
import Jobs
import Recordings
import ReducerKit
import Synchronization
import TestSupport
import Testing

@testable import Workers

/// Looking at a folder again and again.
@Suite struct FolderRevisitTests {
    private let world = TestWorld()

    private func request(
        _ path: Pathname = .empty, top: Pathname? = .empty, known: UInt64? = nil
    ) -> FolderScan.Request {
        var request = FolderScan.Request(path: path, top: top)
        request.known = known
        request.isFirst = false
        return request
    }

    private func answer(_ request: FolderScan.Request) -> FolderScan.Action {
        world.scanner().list(FolderID(3), request)
    }

    private func list(_ request: FolderScan.Request) -> FolderListing {
        guard case .listed(FolderID(3), let listing) = answer(request) else {
            Issue.record("\(request.path) was not listed")
            return FolderListing()
        }
        return listing
    }

    private func settle(
        in folder: Pathname = .empty, of names: [Pathname] = ["gone.wav"]
    ) throws {
        try world.settle(names.map { Example.doneEntry($0) }, in: folder)
    }

    // MARK: What is as it was

    @Test func unchangedFolderIsReportedWithoutReadingResults() throws {
        world.add("b.wav")
        try settle(of: ["b.wav"])
        let listing = list(request())
        #expect(listing.recordings.first?.previous != nil)
        // Whoever reads them now fails.
        try world.record.write { (database) throws(FileSystemError) in
            try database.execute("DROP TABLE entries")
        }
        guard case .failed = answer(request()) else {
            return #expect(Bool(false), "the results could be read")
        }
        #expect(answer(request(known: listing.fingerprint)) == .unchanged(FolderID(3)))
    }

    @Test func listingOfKnownFolderOmitsPreviousWork() throws {
        for name in ["b.wav", "odd.txt", "other.txt"] as [Pathname] { world.add(name) }
        try settle(of: ["b.wav", "gone.wav", "odd.txt"])
        var request = request()
        let told = list(request)
        request.isKnown = true
        let known = list(request)
        #expect(told.recordings.map(\.name) == ["b.wav", "odd.txt"])
        #expect(known.recordings.map(\.name) == ["b.wav", "odd.txt"])
        #expect(told.recordings.map { $0.previous != nil } == [true, true])
        #expect(known.recordings.first.map { $0.previous == nil } == true)
        #expect(told.unseen.map(\.entry.name) == ["gone.wav"])
        #expect(known.unseen == told.unseen)
        #expect(known.fingerprint == told.fingerprint)
    }

    /// What must not go unnoticed, by name, with what is done in a folder that has in it `b.wav`,
    /// `x/c.wav` and the text `t`.
    private static let changes: [(String, @Sendable (Pathname) throws -> Void)] = [
        ("another size", { _ = try append(1, to: $0.appending("b.wav")) }),
        (
            "another time",
            { try FileSystem.setModified($0.appending("b.wav"), nanoseconds: 77) }
        ),
        ("other rights", { try setRights($0.appending("b.wav"), 0o640) }),
        (
            "another file of the same size and time",
            { root in
                let path = root.appending("b.wav")
                let stamp = try TestWorld.stamp(of: path)
                // Beside it, so that it cannot have the same number.
                let other = root.appending(".other")
                _ = try append(3, to: other)
                try FileSystem.setModified(other, nanoseconds: stamp.modifiedNanoseconds)
                try FileSystem.rename(other, to: path)
                #expect(try TestWorld.stamp(of: path) == stamp)
            }
        ),
        (
            "another name",
            { try FileSystem.rename($0.appending("b.wav"), to: $0.appending("c.wav")) }
        ),
        ("a recording more", { _ = try append(3, to: $0.appending("c.wav")) }),
        ("a recording less", { try FileSystem.remove($0.appending("b.wav")) }),
        ("a folder more", { try FileSystem.makeFolder($0.appending("y")) }),
        (
            "a folder of another name",
            { try FileSystem.rename($0.appending("x"), to: $0.appending("y")) }
        ),
        ("a link to a folder", { TestWorld.link($0.appending("l"), to: "x") }),
        ("another text", { try FileSystem.rename($0.appending("t"), to: $0.appending("u")) }),
        (
            "a recording that became a folder",
            { root in
                try FileSystem.remove(root.appending("b.wav"))
                try FileSystem.makeFolder(root.appending("b.wav"))
            }
        ),
        (
            "a recording that became a link to nothing",
            { root in
                try FileSystem.remove(root.appending("b.wav"))
                TestWorld.link(root.appending("b.wav"), to: "nothing")
            }
        ),
    ]

    private static func append(_ count: Int, to path: Pathname) throws {
        let bytes = TestFolder.bytes(of: path) + [UInt8](repeating: 1, count: count)
        let file = try #require(fopen(path.text, "wb"))
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
    }

    private static func setRights(_ path: Pathname, _ mode: mode_t) throws {
        let before = try FileSystem.status(path).statusChangedNanoseconds
        // The clock that stamps files does not go on with each change.
        repeat {
            try #require(path.withCString { chmod($0, mode) } == 0)
        } while try FileSystem.status(path).statusChangedNanoseconds == before
    }

    @Test(arguments: changes.map(\.0))
    func eachChangeAltersFolderFingerprint(change: String) throws {
        world.add("b.wav")
        world.add("x/c.wav")
        world.add("t")
        let before = list(request()).fingerprint
        #expect(answer(request(known: before)) == .unchanged(FolderID(3)))
        try #require(Self.changes.first { $0.0 == change }).1(world.root)
        #expect(list(request(known: before)).fingerprint != before)
    }

    @Test func folderFoundOnlyInRecordIsListedAsLost() throws {
        let before = list(request()).fingerprint
        try settle(in: "x")
        #expect(list(request(known: before)).lostFolders == ["x"])
    }

    @Test func growingTextFileLeavesFolderUnchanged() {
        world.add("b.wav")
        world.add("log", [1])
        let before = list(request()).fingerprint
        world.add("log", [1, 2])
        #expect(answer(request(known: before)) == .unchanged(FolderID(3)))
    }

    @Test func changedFileKnownOnlyByRecordIsDetected() throws {
        world.add("b.wav")
        world.add("notes", [1])
        try settle(of: ["b.wav", "notes"])
        let before = list(request())
        #expect(before.recordings.map(\.name) == ["b.wav", "notes"])
        #expect(before.recordings.allSatisfy { $0.previous != nil && $0.identity != nil })
        #expect(answer(request(known: before.fingerprint)) == .unchanged(FolderID(3)))
        world.add("notes", [1, 2])
        let after = list(request(known: before.fingerprint))
        #expect(after.fingerprint != before.fingerprint)
        try Self.setRights(world.root.appending("notes"), 0o640)
        #expect(list(request(known: after.fingerprint)).fingerprint != after.fingerprint)
    }

    @Test func readingRecordingLeavesFolderUnchanged() throws {
        let path = world.add("b.wav")
        let before = list(request()).fingerprint
        #expect(TestFolder.bytes(of: path).count == 3)
        #expect(answer(request(known: before)) == .unchanged(FolderID(3)))
    }

    @Test func lostWatchIsReportedForUnchangedFolder() {
        world.add("b.wav")
        var scanner = world.scanner()
        scanner.watch = { _, _ in .watched }
        var request = request()
        request.watches = true
        guard case .listed(_, let listing) = scanner.list(FolderID(3), request) else {
            return #expect(Bool(false), "not listed")
        }
        request.known = listing.fingerprint
        #expect(scanner.list(FolderID(3), request) == .unchanged(FolderID(3)))
        scanner.watch = { _, _ in .outOfWatches }
        guard case .listed(_, let again) = scanner.list(FolderID(3), request) else {
            return #expect(Bool(false), "not listed")
        }
        #expect(again.watch == .outOfWatches)
    }

    // MARK: What else is told

    @Test func listingRecordsTimeOfScan() throws {
        let before = FileSystem.nowNanoseconds
        let looked = list(request()).lookedAtNanoseconds
        #expect(before <= looked && looked <= FileSystem.nowNanoseconds)
    }

    @Test func renamedRecordingKeepsItsIdentity() throws {
        let path = world.add("b.wav")
        world.add("c.wav")
        let before = list(request()).recordings.map(\.identity)
        try FileSystem.makeFolder(world.root.appending("x"))
        try FileSystem.rename(path, to: world.root.appending("x/d.wav"))
        let after = list(request("x")).recordings.map(\.identity)
        #expect(before.count == 2 && before[0] != before[1])
        #expect(after == [before[0]])
    }

    @Test func watchIsSetBeforeFolderIsRead() {
        let root = world.root
        var scanner = world.scanner()
        let asked = Mutex<[Pathname]>([])
        scanner.watch = { folder, path in
            asked.withLock { $0 = [folder, path] }
            // Whatever comes after this would be told of; what came before is to be seen.
            try? FileSystem.makeFolder(root.appending("x/new"))
            return .remote
        }
        world.makeFolder(root.appending("x"))
        var request = request("x")
        guard case .listed(_, let unasked) = scanner.list(FolderID(3), request) else {
            return #expect(Bool(false), "not listed")
        }
        #expect(unasked.watch == nil && unasked.subfolders == [])
        request.watches = true
        guard case .listed(_, let listing) = scanner.list(FolderID(3), request) else {
            return #expect(Bool(false), "not listed")
        }
        #expect(asked.withLock { $0 } == [root.appending("x"), "x"])
        #expect(listing.watch == .remote && listing.subfolders == ["new"])
    }

    // MARK: What a crash left

    @Test func temporaryFilesAreDeletedOnlyByFirstScan() {
        world.add("b.wav")
        world.makeFolder(world.output)
        world.folder.write([1], to: "output/.tapedeck.1-0.0.partial")
        _ = list(request())
        #expect(TestWorld.tree(world.output) == [".tapedeck.1-0.0.partial"])
        var first = request()
        first.isFirst = true
        _ = list(first)
        #expect(TestWorld.tree(world.output) == [])
    }

    /// Later the files are this run's own, on their way.
    @Test func recoveryIsReportedOnlyByFirstScan() throws {
        world.add("b.wav")
        try world.record.add([RecordExample.fact("b.wav", in: .empty)])
        let later = list(request())
        #expect(!later.isRecovered)
        #expect(later.recordings.first?.previous != nil)
        #expect(try world.record.contents(of: .empty).staged.count == 1)
        var first = request()
        first.isFirst = true
        let listing = list(first)
        #expect(listing.isRecovered)
        #expect(listing.recordings.first?.previous != nil)
        #expect(try world.record.contents(of: .empty).staged.isEmpty)
    }
}
