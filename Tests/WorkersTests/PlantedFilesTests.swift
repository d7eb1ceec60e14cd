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
