import FoundationEssentials
import Jobs
import Recordings
import ReducerKit
import TestSupport
import Testing

@testable import Workers

/// Manifests printed from a record are held against the same ones spelled from values.
@Suite struct ManifestTextTests {
    private func record(_ manifest: Manifest) throws -> OutputRecord {
        let record = try OutputRecord()
        try record.put(manifest.recordings, in: manifest.folder, recipe: manifest.recipe)
        return record
    }

    private func pieces(_ manifest: Manifest, of record: OutputRecord) throws -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        try ManifestText.write(manifest.folder, manifest.recipe, of: record) { pieces.append($0) }
        return pieces
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func printedManifestHoldsWhatWasRecorded(seed: UInt64) throws {
        var manifest = RandomManifest.manifest(seed: seed)
        manifest.recipeFingerprint = fingerprint(of: manifest.recipe)
        let text = try pieces(manifest, of: record(manifest)).flatMap { $0 }
        #expect(text == ManifestFile.bytes(of: manifest))
        #expect(try JSONDecoder().decode(Manifest.self, from: Data(text)) == manifest)
    }

    /// A long one leaves in several pieces, which are the text together.
    @Test func longManifestIsWrittenInSeveralChunks() throws {
        let entries = (0..<60 as Range<UInt64>).flatMap { seed in
            RandomManifest.manifest(seed: seed).recordings.map { entry in
                var entry = entry
                entry.name = Pathname(bytes: Array("\(seed) ".utf8) + entry.name.bytes)
                return entry
            }
        }
        let manifest = Manifest(
            folder: "A", recipe: Recipe(),
            recipeFingerprint: fingerprint(of: Recipe()), recordings: entries)
        let pieces = try pieces(manifest, of: record(manifest))
        #expect(pieces.count > 1)
        #expect(pieces.flatMap { $0 } == ManifestFile.bytes(of: manifest))
    }

    @Test func failedWriteEndsPrinting() throws {
        let manifest = RandomManifest.manifest(seed: 3)
        let record = try record(manifest)
        let full = FileSystemError("x", code: 28)
        #expect(throws: full) {
            try ManifestText.write(manifest.folder, manifest.recipe, of: record) {
                (_) throws(FileSystemError) in throw full
            }
        }
        #expect(try record.contents(of: manifest.folder).works.count == 9)
    }
}
