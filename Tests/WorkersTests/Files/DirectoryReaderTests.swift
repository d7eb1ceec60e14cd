import Foundation
import Recordings
import TestSupport
import Testing

@testable import Workers

@Suite struct DirectoryReaderTests {
    private let folder = TestFolder()

    @Test func statusByNameMatchesStatusByPath() throws {
        let names: [Pathname] = ["a", "b\n", Pathname(bytes: [0x61, 0xFF])]
        for name in names { folder.write([1, 2, 3], to: name) }
        TestWorld.link(folder.path("link"), to: "a")
        let open = try DirectoryReader(folder.path)
        for name in names + ["link"] {
            #expect(try open.status(of: name) == FileSystem.status(folder.path(name)))
        }
        #expect(try open.status(of: "link", followingLink: false).kind == .link)
        #expect(open.kind(of: FileSystem.Name(name: "link", kind: nil)) == .link)
        #expect(open.kind(of: FileSystem.Name(name: "gone", kind: nil)) == nil)
    }

    @Test func missingNameIsReportedInError() throws {
        let open = try DirectoryReader(folder.path)
        do {
            _ = try open.status(of: "gone")
            Issue.record("there is no such file")
        } catch {
            #expect(error.path == folder.path("gone"))
            #expect(error.code == ENOENT)
        }
    }

    @Test func fileOrMissingPathIsRefused() {
        let file = folder.write([], to: "file")
        for (path, code) in [(file, ENOTDIR), (folder.path("gone"), ENOENT)] {
            do {
                _ = try DirectoryReader(path)
                Issue.record("\(path) is no folder")
            } catch {
                #expect(error.path == path && error.code == code)
            }
        }
    }

    @Test func namesCanBeListedRepeatedly() throws {
        folder.write([], to: "...")
        folder.write([], to: "a")
        let open = try DirectoryReader(folder.path)
        for _ in 0..<2 {
            #expect(try Set(open.names().map(\.name)) == ["...", "a"])
        }
    }

    @Test func visibleNamesAreSortedByBytes() throws {
        let names: [Pathname] = [
            "B", "a", "a b", "a.b", "ab", "b", "caf\u{E9}", "cafe\u{301}", "\u{10FFFF}",
            Pathname(bytes: [0x61, 0xFF]), Pathname(bytes: [0xFF]),
        ]
        for name in names.shuffled() + [".a", "..."] { folder.write([], to: name) }
        TestWorld.link(folder.path("~"), to: "gone")
        let listed = try DirectoryReader(folder.path).visibleNames()
        #expect(listed.map(\.name) == (names + ["~"]).sorted())
        #expect(listed.filter { $0.kind == .link }.map(\.name) == ["~"])
    }

    @Test func namesAreFilteredByPrefix() throws {
        for name in [".x.1", ".x", ".y", "x", ".x.2"] as [Pathname] {
            folder.write([], to: name)
        }
        let open = try DirectoryReader(folder.path)
        #expect(try Set(open.names(beginningWith: ".x.")) == [".x.1", ".x.2"])
        #expect(try Set(open.names(beginningWith: ".")).count == 4)
        #expect(try open.names(beginningWith: "..").isEmpty)
    }
}
