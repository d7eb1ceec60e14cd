import Foundation
import Recordings
import TestSupport
import Testing

@testable import Workers

@Suite struct FileSystemTests {
    private let folder = TestFolder()

    @Test func makeFolderCreatesParentFolders() throws {
        try FileSystem.makeFolder(folder.path("a/b/c"))
        try FileSystem.makeFolder(folder.path("a/b/c"))
        #expect(TestWorld.tree(folder.path) == ["a", "a/b", "a/b/c"])
    }

    @Test func makeFolderFailsWhereAFileExists() {
        let file = folder.write([], to: "file")
        for path in [file, file.appending("below")] {
            let error = #expect(throws: FileSystemError.self) {
                try FileSystem.makeFolder(path)
            }
            #expect(error?.code == ENOTDIR)
        }
    }

    /// The system says that the folder above is missing although it is there.
    @Test func makeFolderThrowsWhenSystemRefuses() {
        let error = #expect(throws: FileSystemError.self) {
            try FileSystem.makeFolder("/proc/tapedeck-test/a")
        }
        #expect(error?.code == ENOENT)
    }

    @Test func readingPipeFolderOrDeviceThrows() {
        let pipe = folder.path("pipe")
        #expect(mkfifo(pipe.text, 0o600) == 0)
        for (path, code) in [(pipe, ENODEV), (folder.path, EISDIR), ("/dev/zero", ENODEV)] {
            let error = #expect(throws: FileSystemError.self) {
                try FileSystem.contents(of: path)
            }
            #expect(error?.code == code)
        }
    }

    @Test func namesOfAnyBytesAreListed() throws {
        let names: [Pathname] = [
            "a\nb", "\"", "🎙️", "caf\u{E9}", "cafe\u{301}", Pathname(bytes: [0x61, 0xFF]), ".x",
        ]
        for name in names { folder.write([], to: name) }
        #expect(try Set(FileSystem.names(in: folder.path).map(\.name)) == Set(names))
    }

    @Test func statusFollowsSymlinksUnlessDisabled() throws {
        let file = folder.write([1, 2], to: "file")
        TestWorld.link(folder.path("link"), to: "file")
        #expect(try FileSystem.status(folder.path("link")) == FileSystem.status(file))
        #expect(try FileSystem.status(folder.path("link"), followingLink: false).kind == .link)
    }

    @Test(arguments: [0, 1, 1_778_049_123_000_000_001, -1, -1_500_000_000, -2_000_000_000])
    func timestampIsSetToTheNanosecond(nanoseconds: Int64) throws {
        let file = folder.write([], to: "file")
        try FileSystem.setModified(file, nanoseconds: nanoseconds)
        #expect(try FileSystem.status(file).stamp.modifiedNanoseconds == nanoseconds)
    }

    @Test(arguments: [9_300_000_000, -9_300_000_000])
    func timestampOutsideInt64IsClamped(seconds: Int) throws {
        let file = folder.write([], to: "file")
        let times = [timespec(tv_sec: seconds, tv_nsec: 1), timespec(tv_sec: seconds, tv_nsec: 1)]
        let isSet = file.withCString { utimensat(AT_FDCWD, $0, times, 0) } == 0
        var info = stat()
        // Not every file system keeps such a time.
        guard isSet, file.withCString({ lstat($0, &info) }) == 0, info.st_mtim.tv_sec == seconds
        else { return }
        let found = try FileSystem.status(file).stamp.modifiedNanoseconds
        #expect(found == (seconds < 0 ? .min : .max))
    }

    @Test(arguments: [0, 1, 1 << 18, (1 << 18) + 1, 700_000])
    func fileOfAnyLengthIsReadCompletely(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        let file = folder.write(bytes, to: "file")
        #expect(try FileSystem.contents(of: file) == bytes)
    }

    /// Such a file says that it has no bytes.
    @Test func procFileWithZeroSizeIsRead() throws {
        let text = try FileSystem.contents(of: "/proc/self/status")
        #expect(text.count > 100)
    }

    @Test func readingFolderThrowsEISDIR() {
        let error = #expect(throws: FileSystemError.self) {
            try FileSystem.contents(of: folder.path)
        }
        #expect(error?.code == EISDIR)
    }

    @Test func removingMissingFileSucceeds() throws {
        let file = folder.write([], to: "file")
        try FileSystem.remove(file)
        try FileSystem.remove(file)
        #expect(TestWorld.tree(folder.path).isEmpty)
    }
}
