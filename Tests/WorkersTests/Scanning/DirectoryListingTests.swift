import Jobs
import Recordings
import TestSupport
import Testing

@testable import Workers

/// What is found in a folder in which something happens just then.
@Suite struct DirectoryListingTests {
    private let world = TestWorld()

    /// Looks at the root; `change` comes when its names have been read and folder "a" is looked at,
    /// before all whose names come later.
    private func survey(
        named: Set<Pathname> = [], isWhole: Bool = true, change: (Pathname) throws -> Void
    ) throws -> DirectoryListing {
        world.makeFolder(world.root.appending("a"))
        var survey = DirectoryListing(isWhole: isWhole, named: named)
        try survey.look(into: DirectoryReader(world.root)) { name in
            #expect(name == "a")
            #expect(throws: Never.self) { try change(world.root) }
            return false
        }
        return survey
    }

    /// The number of a file that is gone is given to the next.
    @Test func reusedInodeNumberGetsNewIdentity() throws {
        func sightings() throws -> [UInt64?] {
            var survey = DirectoryListing(isWhole: true, named: [])
            try survey.look(into: DirectoryReader(world.root)) { _ in false }
            return survey.recordings.map(\.identity)
        }
        let path = world.add("b.wav")
        let status = try FileSystem.status(path)
        let first = try sightings()
        #expect(try sightings() == first)
        try FileSystem.rename(path, to: world.root.appending("c.wav"))
        #expect(try sightings() == first)
        let born = status.withBirth(of: world.root.appending("c.wav"), followingLink: true)
        #expect(first == [born.identity])
        var heir = born
        heir.bornNanoseconds += 1
        #expect(heir.identity != born.identity)
    }

    @Test func fileDeletedDuringScanIsNotListed() throws {
        world.add("b.wav")
        world.add("c.wav")
        let survey = try survey { try FileSystem.remove($0.appending("b.wav")) }
        #expect(survey.recordings.map(\.name) == ["c.wav"])
        #expect(survey.others == [])
    }

    @Test func fingerprintIgnoresFileDeletedDuringScan() throws {
        world.add("b.wav")
        let during = try survey { try FileSystem.remove($0.appending("b.wav")) }
        let after = try survey { _ in }
        #expect(during.fingerprint == after.fingerprint)
    }

    @Test func namedFileDeletedDuringScanIsReportedAsVanished() throws {
        world.add("b.wav")
        for isWhole in [true, false] {
            let survey = try survey(named: ["b.wav"], isWhole: isWhole) {
                try FileSystem.remove($0.appending("b.wav"))
            }
            #expect(survey.recordings.map(\.name) == ["b.wav"])
            #expect(survey.recordings.first?.reason == .vanished)
        }
    }

    @Test func danglingSymlinkIsReportedAsVanished() throws {
        world.add("b.wav")
        let survey = try survey { root in
            try FileSystem.remove(root.appending("b.wav"))
            TestWorld.link(root.appending("b.wav"), to: "nothing")
        }
        #expect(survey.recordings.map(\.name) == ["b.wav"])
        #expect(survey.recordings.first?.reason == .vanished)
    }

    @Test func deletedFileOfEarlierRunStaysInEarlierWork() throws {
        world.add("notes")
        var survey = try survey { _ in }
        try FileSystem.remove(world.root.appending("notes"))
        var earlier = EarlierWork([Example.previousWork(Example.doneEntry("notes"))])
        #expect(survey.take(from: &earlier, in: world.root) { _ in nil } == [])
        #expect(survey.recordings == [])
        #expect(earlier.rest { _ in nil }.map(\.entry.name) == ["notes"])
    }
}

extension ScannedFile {
    fileprivate var reason: RecordingFailure.Reason? {
        guard case .failure(let failure) = finding else { return nil }
        return failure.reason
    }
}
