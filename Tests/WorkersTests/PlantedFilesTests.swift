import Foundation
import Jobs
import Recordings
import TestSupport
import Testing

@testable import Workers

/// An output into which somebody else puts links, pipes and files.
@Suite struct PlantedFilesTests {
    private let world = TestWorld()
    private var victim: Pathname { world.folder.path("victim") }

    private func refusal(_ folder: Pathname, _ ownership: OutputOwnership) -> RecordingFailure
        .Reason?
    {
        do throws(RecordingFailure) {
            _ = try ownership.hold(folder, making: true)
            return nil
        } catch {
            return error.reason
        }
    }

    /// A folder elsewhere with somebody's recording in it, and an empty one below.
    private func makeVictim() {
        world.makeFolder(victim.appending("sub"))
        world.folder.write([7], to: "victim/x.wav")
    }

    @Test func symlinkToForeignFilesIsRefused() throws {
        makeVictim()
        TestWorld.link(world.output.appending("f"), to: victim)
        let ownership = world.ownership
        #expect(refusal("f/sub", ownership) == .leadsElsewhere)
        #expect(refusal("f/sub/new", ownership) == .leadsElsewhere)
        #expect(try ownership.obstacle(in: "f/sub") == .leadsElsewhere)
        #expect(TestWorld.tree(victim) == ["sub", "x.wav"])
    }

    @Test func folderReplacedBySymlinkIsRefused() throws {
        makeVictim()
        let ownership = world.ownership
        #expect(refusal("f/sub", ownership) == nil)
        try FileSystem.rename(world.output.appending("f"), to: world.folder.path("aside"))
        TestWorld.link(world.output.appending("f"), to: victim)
        #expect(refusal("f/sub", ownership) == .leadsElsewhere)
        #expect(refusal("f/sub/new", ownership) == .leadsElsewhere)
        #expect(TestWorld.tree(victim) == ["sub", "x.wav"])
    }

    /// What was there has no record in a folder that has nothing in it.
    @Test func folderReplacedBySymlinkToEmptyFolderIsRefused() throws {
        world.makeFolder(victim)
        let ownership = world.ownership
        #expect(refusal("f", ownership) == nil)
        try FileSystem.rename(world.output.appending("f"), to: world.folder.path("aside"))
        TestWorld.link(world.output.appending("f"), to: victim)
        #expect(refusal("f", ownership) == .leadsElsewhere)
        #expect(TestWorld.tree(victim) == [])
    }

    /// One that was prepared beforehand, for another disk, is followed; not one of another user.
    @Test func symlinkOfAnotherUserIsNotFollowed() throws {
        world.makeFolder(victim)
        let link = world.output.appending("f")
        TestWorld.link(link, to: victim)
        #expect(refusal("f", world.ownership) == nil)
        guard lchown(link.text, 65_534, 65_534) == 0 else { return }
        #expect(refusal("f", world.ownership) == .leadsElsewhere)
        #expect(refusal("f/sub", world.ownership) == .leadsElsewhere)
    }

    /// What a manifest or a journal says may be anything.
    @Test(arguments: ["../victim/x.wav", "/etc/x", "..", ".", "", "a/b", "a\0b"])
    func pathAsFileNameIsRefused(name: String) throws {
        makeVictim()
        let (folder, name) = (try DirectoryHandle(world.output), Pathname(name))
        world.folder.write([1], to: "output/own")
        #expect(throws: FileSystemError.self) { try folder.remove(name) }
        #expect(throws: FileSystemError.self) { try folder.create(name) }
        #expect(throws: FileSystemError.self) { try folder.rename("own", to: name) }
        #expect(throws: FileSystemError.self) { try folder.rename("own", toUnused: name) }
        #expect(throws: FileSystemError.self) { try folder.rename(name, to: "own") }
        #expect(throws: FileSystemError.self) { try folder.openRegular(name) }
        #expect(throws: FileSystemError.self) { try folder.directory(name) }
        #expect(throws: FileSystemError.self) { try folder.makeDirectory(name) }
        #expect(!folder.removeDirectory(name))
        #expect(DirectoryHandle.link(folder, "own", folder, name) != 0)
        #expect(TestWorld.tree(victim) == ["sub", "x.wav"])
    }

    @Test func fileIsNotCreatedThroughSymlink() throws {
        let folder = try DirectoryHandle(world.output)
        for target in [victim, world.folder.path("nowhere")] {
            world.folder.write([7], to: "victim")
            let link = world.output.appending("link")
            TestWorld.link(link, to: target)
            #expect(throws: FileSystemError(link, code: EEXIST)) { try folder.create("link") }
            #expect(throws: FileSystemError.notRegular(link)) {
                try folder.openOwn("link", O_RDWR)
            }
            unlink(link.text)
        }
        #expect(TestFolder.bytes(of: victim) == [7])
        #expect((try? FileSystem.status(world.folder.path("nowhere"))) == nil)
    }

    /// A pipe that nobody writes to is not waited for; a device is not even opened.
    @Test func onlyARegularFileIsOpened() throws {
        let folder = try DirectoryHandle(world.output)
        mkfifo(world.output.appending("pipe").text, 0o644)
        world.makeFolder(world.output.appending("folder"))
        var names: [Pathname] = ["pipe", "folder"]
        if mknod(world.output.appending("device").text, S_IFCHR | 0o644, makedev(1, 5)) == 0 {
            names.append("device")
        }
        for name in names {
            let error = FileSystemError.notRegular(world.output.appending(name))
            #expect(throws: error) { try folder.openOwn(name, O_RDONLY) }
            #expect(throws: FileSystemError.self) { try folder.openRegular(name) }
        }
    }

    private func makedev(_ major: UInt, _ minor: UInt) -> UInt { major << 8 | minor }

    /// rename(2) does nothing where both names are links to one file.
    @Test func renamingHardLinkOntoItsTwinLeavesOneName() throws {
        let folder = try DirectoryHandle(world.output)
        world.folder.write([1], to: "output/new")
        #expect(DirectoryHandle.link(folder, "new", folder, "old") == 0)
        try folder.rename("new", to: "old")
        #expect(TestWorld.tree(world.output) == ["old"])
    }
}

/// The files at the top of an output that are opened to be written again.
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
        #expect(TestFolder.bytes(of: mark).starts(with: "This folder".utf8))
        // The lock is on the new one.
        #expect(refusal() == .outputBusy(output, holder: nil))
        held.release()
        #expect(refusal() == nil)
        #expect(TestWorld.tree(output) == [".tapedeck"])
    }

    /// The backup of links and the output are two outputs from then on, each with its own lock.
    @Test func hardLinkedBackupGetsItsOwnMarker() throws {
        #expect(refusal() == nil)
        let before = TestFolder.bytes(of: mark)
        let copy = folder.path("backup")
        try FileSystem.makeFolder(copy)
        #expect(link(mark.text, copy.appending(".tapedeck").text) == 0)
        let held = try OutputFolder(copy, root: folder.path)
        #expect(refusal() == nil)
        held.release()
        #expect(TestFolder.bytes(of: mark) == before)
        #expect(
            try FileSystem.status(mark).number
                != FileSystem.status(copy.appending(".tapedeck")).number)
    }

    @Test(arguments: [OutputMarkKind.link, .dangling, .pipe, .folder])
    func nonRegularMarkerOrJournalIsRefused(kind: OutputMarkKind) throws {
        let victim = folder.write([7], to: "victim")
        for name in [".tapedeck", ".tapedeck.journal"] as [Pathname] {
            try kind.make(output.appending(name), victim: victim)
            #expect(refusal() == .outputFileNotRegular(output.appending(name)))
            try kind.remove(output.appending(name))
        }
        #expect(refusal() == nil)
        #expect(TestFolder.bytes(of: victim) == [7])
    }

    @Test func markerOrJournalOfAnotherUserIsRefused() throws {
        for name in [".tapedeck", ".tapedeck.journal"] as [Pathname] {
            let path = folder.write([], to: Pathname("output").appending(name))
            guard chown(path.text, 65_534, 65_534) == 0 else { return }
            #expect(refusal() == .outputFileOfAnother(path))
            #expect(TestFolder.bytes(of: path).isEmpty)
            try FileSystem.remove(path)
        }
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

    @Test func hardLinkedJournalIsReplacedNotOverwritten() throws {
        var journal = JournalFile(in: output)
        try journal.append([JournalExample.fact("a.wav")])
        let path = output.appending(JournalFile.name)
        let before = TestFolder.bytes(of: path)
        let backup = folder.path("backup")
        #expect(link(path.text, backup.text) == 0)
        var next = JournalFile(in: output)
        try next.append([JournalExample.fact("b.wav")])
        #expect(TestFolder.bytes(of: backup) == before)
        let facts = try RecoveredJournal.read(in: output).allFacts
        #expect(facts.map(\.entry.name) == ["a.wav", "b.wav"])
        #expect(TestWorld.tree(output) == [JournalFile.name])
    }
}

/// What somebody may have put in the place of a mark.
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
