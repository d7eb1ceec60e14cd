import Jobs
import Recordings
import TestSupport
import Testing

@testable import Workers

@Suite struct PictureFileTests {
    private let folder = TestFolder()
    private static let picture: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2]

    @Test func pictureOverwritesPictureOrEmptyFile() throws {
        let path = folder.path("a.png")
        try PictureFile.write(Self.picture, to: path)
        #expect(TestFolder.bytes(of: path) == Self.picture)
        try PictureFile.write(Self.picture + [3], to: path)
        #expect(TestFolder.bytes(of: path) == Self.picture + [3])
        // An empty file, as mktemp makes one, holds nothing that could be lost.
        folder.write([], to: "b.png")
        try PictureFile.write(Self.picture, to: folder.path("b.png"))
        let names = try FileSystem.names(in: folder.path).map(\.name)
        #expect(Set(names) == ["a.png", "b.png"])
    }

    @Test(arguments: [
        "<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "<?xml version=\"1.0\"?>\n<svg/>",
        "<?xml version=\"1.0\"?>\n<!-- drawn by hand -->\n<!DOCTYPE svg>\n<svg></svg>",
    ])
    func pictureOverwritesVectorPicture(text: String) throws {
        let path = folder.write(Array(text.utf8), to: "a.svg")
        try PictureFile.write(Array("<svg/>".utf8), to: path)
        #expect(TestFolder.bytes(of: path) == Array("<svg/>".utf8))
    }

    @Test(arguments: [
        [0x52], Array(picture.dropLast(3)), Array("RIFF....WAVE".utf8),
        Array("<?xml version=\"1.0\"?><gpx></gpx>".utf8), Array("<html><svg/></html>".utf8),
        Array("a list of <svg".utf8), Array("<sv".utf8),
        Array("<?xml version=\"1.0\"?>".utf8) + Array(repeating: 32, count: 5_000)
            + Array("<svg/>".utf8),
    ])
    func otherFileIsNotOverwritten(bytes: [UInt8]) {
        let path = folder.write(bytes, to: "a.wav")
        #expect(throws: PictureRefusal.holdsSomethingElse(path)) {
            try PictureFile.write(Self.picture, to: path)
        }
        #expect(TestFolder.bytes(of: path) == bytes)
    }

    @Test func unwritablePathIsRefused() throws {
        let missing = folder.path("nowhere/a.png")
        #expect(throws: PictureRefusal.self) {
            try PictureFile.write(Self.picture, to: missing)
        }
        #expect(throws: PictureRefusal.self) {
            try PictureFile.write(Self.picture, to: folder.path)
        }
        #expect(try FileSystem.names(in: folder.path).isEmpty)
    }
}
