import Recordings
import TestSupport
import Testing

@testable import Workers

@Suite struct BenchScratchTests {
    private let world = TestWorld()

    @Test func scratchFolderIsRemovedWithoutFollowingSymlinks() throws {
        let scratch = try BenchScratch()
        try FileSystem.makeFolder(scratch.path.appending("A/B"))
        try FileSystem.makeFolder(scratch.path.appending("C"))
        TestWorld.link(scratch.path.appending("A/link"), to: world.root)
        world.add("b.wav")
        scratch.remove("C")
        #expect(TestWorld.tree(scratch.path) == ["A", "A/B", "A/link"])
        scratch.remove()
        #expect(throws: FileSystemError.self) { try FileSystem.status(scratch.path) }
        #expect(TestWorld.tree(world.root) == ["b.wav"])
    }
}
