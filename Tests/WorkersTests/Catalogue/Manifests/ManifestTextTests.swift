import Foundation
import Recordings
import TestSupport
import Testing

@testable import Workers

@Suite struct ManifestTextTests {
    private let folder = TestFolder()
    private let manifest = RandomManifest.manifest(seed: 3)

    private func isAll(of bytes: [UInt8]) -> Bool {
        ManifestText(manifest).isAll(of: folder.write(bytes, to: "manifest.json"))
    }

    @Test func onlyByteIdenticalFileMatches() {
        let bytes = ManifestFile.bytes(of: manifest)
        #expect(isAll(of: bytes))
        #expect(!isAll(of: bytes.dropLast()))
        #expect(!isAll(of: bytes + [UInt8(ascii: " ")]))
        #expect(!isAll(of: Array(bytes.prefix { $0 != UInt8(ascii: "\n") }) + [10]))
        for place in stride(from: 0, to: bytes.count, by: 97) {
            var other = bytes
            other[place] ^= 1
            #expect(!isAll(of: other))
        }
    }

    @Test func missingOrSpecialFilesDoNotMatch() {
        #expect(!ManifestText(manifest).isAll(of: folder.path("nothing")))
        #expect(!ManifestText(manifest).isAll(of: folder.path("")))
        // Which would wait for somebody to write to it.
        #expect(mkfifo(folder.path("pipe").text, 0o644) == 0)
        #expect(!ManifestText(manifest).isAll(of: folder.path("pipe")))
        // Which has no end, and no line.
        #expect(!ManifestText(manifest).isAll(of: "/dev/zero"))
    }

    /// A long one leaves in several pieces, which are the text together.
    @Test func longManifestIsWrittenInSeveralChunks() {
        var long = manifest
        long.recordings = (0..<60).flatMap { RandomManifest.manifest(seed: $0).recordings }
        var pieces: [[UInt8]] = []
        ManifestText(long).write { pieces.append($0) }
        #expect(pieces.count > 1)
        #expect(pieces.dropLast().allSatisfy { $0.last == UInt8(ascii: "\n") })
        let lines = pieces.flatMap { $0 }.split(separator: UInt8(ascii: "\n"))
        #expect(lines.count == long.recordings.count + 2)
        for (line, entry) in zip(lines.dropFirst(), long.recordings) {
            #expect(line.starts(with: ManifestFile.line(of: entry)))
        }
    }
}
