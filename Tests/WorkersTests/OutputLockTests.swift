import Foundation
import Jobs
import Recordings
import TestSupport
import Testing

@testable import Workers

/// The files at the top of an output, in whose place somebody else may put something.
@Suite struct OutputLockTests {
    private let folder = TestFolder()
    private var output: Pathname { folder.path("output") }
    private var mark: Pathname { output.appending(".tapedeck") }

    init() throws { try FileSystem.makeFolder(folder.path("output")) }

    private func refusal() -> RunRefusal? {
        do throws(RunRefusal) {
            try OutputFolder(output, root: folder.path).release()
            return nil
        } catch {
            return error
        }
    }

    @Test func hardLinkedMarkerIsReplacedNotOverwritten() throws {
        let victim = folder.write([7], to: "victim")
        #expect(link(victim.text, mark.text) == 0)
        let held = try OutputFolder(output, root: folder.path)
        #expect(TestFolder.bytes(of: victim) == [7])
        #expect(TestFolder.bytes(of: mark).starts(with: "SQLite format 3".utf8))
        #expect(refusal() == .outputBusy(output, holder: nil))
        held.release()
        #expect(refusal() == nil)
        // It was no record.
        #expect(
            TestWorld.tree(output) == [".tapedeck", ".tapedeck.damaged", ".tapedeck.lock"])
    }

    /// The backup of links and the output are two outputs from then on, each with its own record.
    @Test func hardLinkedBackupGetsItsOwnRecord() throws {
        #expect(refusal() == nil)
        let before = TestFolder.bytes(of: mark)
        let copy = folder.path("backup")
        try FileSystem.makeFolder(copy)
        #expect(link(mark.text, copy.appending(".tapedeck").text) == 0)
        let held = try OutputFolder(copy, root: folder.path)
        try held.record.add([RecordExample.fact("b.wav")])
        #expect(refusal() == nil)
        held.release()
        #expect(TestFolder.bytes(of: mark) == before)
        #expect(
            try FileSystem.status(mark).number
                != FileSystem.status(copy.appending(".tapedeck")).number)
    }

    /// SQLite opens its own files by their names; the lock and an earlier journal are ours.
    private static let names: [Pathname] = [
        ".tapedeck", ".tapedeck-wal", ".tapedeck-shm", ".tapedeck-journal", ".tapedeck.lock",
        ".tapedeck.journal",
    ]

    @Test(arguments: [OutputMarkKind.link, .dangling, .pipe, .folder])
    func nonRegularFileAtTopIsRefused(kind: OutputMarkKind) throws {
        let victim = folder.write([7], to: "victim")
        for name in Self.names {
            // An earlier version's journal is looked at only where there is no record.
            for name in TestWorld.tree(output) { try FileSystem.remove(output.appending(name)) }
            try kind.make(output.appending(name), victim: victim)
            #expect(refusal() == .outputFileNotRegular(output.appending(name)))
            try kind.remove(output.appending(name))
        }
        #expect(refusal() == nil)
        #expect(TestFolder.bytes(of: victim) == [7])
        #expect(TestWorld.tree(folder.path).count == 4)
    }

    @Test(arguments: names)
    func fileOfAnotherUserAtTopIsRefused(name: Pathname) throws {
        let path = folder.write([], to: Pathname("output").appending(name))
        guard chown(path.text, 65_534, 65_534) == 0 else { return }
        #expect(refusal() == .outputFileOfAnother(path))
        #expect(TestFolder.bytes(of: path).isEmpty)
    }

    @Test func fileSystemsWithoutOwnersAreDetected() {
        // FAT, NFS and SSHFS; ext4 and XFS.
        for kind in [0x4D44, 0x6969, 0x6573_5546] as [UInt32] {
            #expect(!FileSystem.keepsOwners(kind: kind))
        }
        for kind in [0xEF53, 0x5846_5342] as [UInt32] {
            #expect(FileSystem.keepsOwners(kind: kind))
        }
    }
}

/// What somebody may have put in the place of a file.
enum OutputMarkKind: CaseIterable {
    case link, dangling, pipe, folder

    func make(_ path: Pathname, victim: Pathname) throws {
        switch self {
        case .link: TestWorld.link(path, to: victim)
        case .dangling: TestWorld.link(path, to: victim.adding(suffix: ".gone"))
        case .pipe: mkfifo(path.text, 0o644)
        case .folder: try FileSystem.makeFolder(path)
        }
    }

    func remove(_ path: Pathname) throws {
        if self == .folder { rmdir(path.text) } else { try FileSystem.remove(path) }
    }
}
