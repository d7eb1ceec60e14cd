import Jobs
import Recordings
import TestSupport
import Testing

@testable import Workers

@Suite struct ReplacedFolderCheckTests {
    private let world = TestWorld()

    private final class Mounts {
        var text = ""
    }

    private func move(_ old: Pathname, _ new: Pathname) throws {
        try FileSystem.rename(world.folder.path(old), to: world.folder.path(new))
    }

    @Test func replacedFolderIsReportedAsGone() throws {
        let places = RunPlaces(
            root: world.root, output: world.output,
            targets: [.folder("a"), .recording(folder: "b", name: "c.wav")])
        for name in ["a", "b", "new"] as [Pathname] {
            world.makeFolder(world.root.appending(name))
        }
        var watcher = ReplacedFolderCheck(places)
        #expect(watcher.look() == [])
        // What is put into one is for others to tell.
        world.add("a/x.wav")
        #expect(watcher.look() == [])
        try move("source/a", "source/old")
        try move("source/new", "source/a")
        let gone = { (names: [Pathname]) in
            [WatchReport.noticed(names.map { FileEvent(folder: $0, kind: .gone) })]
        }
        #expect(watcher.look() == gone(["a"]))
        #expect(watcher.look() == [])
        // The whole way to them.
        try move("source", "elsewhere")
        #expect(watcher.look() == gone(["a", "b"]))
        try move("elsewhere", "source")
        #expect(watcher.look() == gone(["a", "b"]))
        #expect(watcher.look() == [])
    }

    @Test func mountsBelowWatchedFoldersAreReported() {
        let places = RunPlaces(root: "/in", output: "/out", targets: [.folder("a")])
        let mounts = Mounts()
        func line(_ number: Int, _ place: String) -> String {
            "\(number) 1 7:0 / \(place) rw,relatime - ext4 /dev/loop0 rw\n"
        }
        mounts.text = line(20, "/") + line(21, "/in/b")
        var watcher = ReplacedFolderCheck(places) { Array(mounts.text.utf8) }
        #expect(watcher.look() == [])
        mounts.text += line(22, "/in/b/c") + line(23, "/in/ab")
        #expect(watcher.look() == [])
        for place in ["/in/a", "/in/a/card", #"/somewhere\040else"#] {
            mounts.text += line(24, place)
            #expect(watcher.look() == [.overflowed], "\(place)")
            #expect(watcher.look() == [])
        }
        mounts.text = line(20, "/")
        #expect(watcher.look() == [.overflowed])
    }

    @Test func systemMountsIncludeTheRoot() {
        let lines = ReplacedFolderCheck.systemMounts().split(separator: UInt8(ascii: "\n"))
        #expect(lines.contains { $0.split(separator: UInt8(ascii: " "))[4] == [0x2F] })
    }
}
