import Foundation
import Jobs
import Recordings
import ReducerKit
import TestSupport
import Testing

@testable import Workers

@Suite struct ManifestFileTests {
    private let world = TestWorld()
    private var file: Pathname { world.output.appending("A/manifest.json") }

    /// Entries with everything an entry may hold.
    private static let entries: [ManifestEntry] = {
        let stamp = FileStamp(bytes: 3, modifiedNanoseconds: 1_778_049_123_000_000_001)
        var done = ManifestEntry(name: "b \"\\/\n🎙️.wav", status: .done, source: stamp)
        done.format = AudioFormat(
            container: .wav, encoding: .pcm16, sampleRateHertz: 8000, channels: 2, frames: 8001)
        done.levels = Levels(
            peakDBFS: [-3.25, nil], rmsDBFS: [-20, nil], dcOffset: [0.000001, 0],
            clippedSamples: [0, 1], samplesBeyondFullScale: [0, 0])
        done.silence = SilenceMap(
            noiseFloorDBFS: nil, signalToNoiseDecibels: 34.5, confidence: 0.93, separable: true,
            silent: false, intervalsSeconds: [[0, 0.5], [0.7, 1.000125]])
        done.waveforms = [
            WaveformFile(
                path: "b.dat", samplesPerPixel: 256, bits: 8, channels: 1, length: 32, bytes: 84,
                sha256: "00ff")
        ]
        done.trimmed = TrimmedFile(
            path: "b.wav", durationSeconds: 0.7, bytes: 99, sha256: "ff00",
            edits: [Edit(sourceFrames: 10..<5600, trimmedFrame: 0)])
        done.recipe = Recipe()
        var failed = ManifestEntry(
            name: Pathname(bytes: [0x61, 0xFF]), status: .failed, source: nil)
        failed.failure = RecordingFailure(
            stage: .decode, reason: .other, detail: "a\nb", code: 5, frame: 6, expected: 7)
        var plain = ManifestEntry(name: "a.wav", status: .done, source: stamp)
        plain.notTrimmed = .nothingToCut
        return [done, failed, plain]
    }()

    private func order(
        _ entries: [ManifestEntry] = entries, superfluous: [Pathname] = []
    ) -> ManifestOrder {
        ManifestOrder(
            folder: "A", recipe: Boxed(Recipe()), entries: entries.map { SettledEntry($0) },
            obsolete: superfluous)
    }

    private func lines() -> [String] {
        String(decoding: TestFolder.bytes(of: file), as: UTF8.self).components(separatedBy: "\n")
    }

    @Test func writtenManifestIsReadBackUnchanged() throws {
        try world.write(order())
        let manifest = try ManifestFile.read(in: world.output.appending("A"))
        #expect(manifest.folder == "A")
        #expect(manifest.recipe == Recipe())
        #expect(manifest.recipeFingerprint == ManifestFile.fingerprint(of: Recipe()))
        #expect(manifest.version == 1)
        #expect(manifest.recordings == Self.entries.sorted { $0.name < $1.name })
        #expect(manifest.recordings.map(\.name.hexadecimal)[1] == "61ff")
    }

    @Test func eachRecordingHasItsOwnLine() throws {
        try world.write(order())
        let lines = lines()
        #expect(lines.count == 6)
        #expect(lines[0].hasSuffix(#""recordings":["#))
        #expect(lines[4] == #"],"version":1}"#)
        #expect(lines[5].isEmpty)
        #expect(lines[1].contains(#""name":"a.wav""#))
        #expect(lines[2].contains(#""name":{"bytes":"61ff"}"#))
    }

    @Test func keysAreSortedAtAllLevels() throws {
        try world.write(order())
        for line in lines()[1...3] {
            let text = line.last == "," ? String(line.dropLast()) : line
            let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
            #expect(keys(inOrderOf: text) == sortedKeys(of: object))
        }
        let whole = try JSONSerialization.jsonObject(with: Data(TestFolder.bytes(of: file)))
        #expect(
            keys(inOrderOf: lines().joined(separator: "\n")) == sortedKeys(of: whole))
    }

    /// All keys of an object and of what is in it, as they follow each other when sorted.
    private func sortedKeys(of json: Any) -> [String] {
        if let object = json as? [String: Any] {
            return object.keys.sorted().flatMap { key in
                [key] + (object[key].map { sortedKeys(of: $0) } ?? [])
            }
        }
        return (json as? [Any])?.flatMap { sortedKeys(of: $0) } ?? []
    }

    /// All keys of a JSON text as they stand there.
    private func keys(inOrderOf text: String) -> [String] {
        text.matches(of: /"((?:[^"\\]|\\.)*)":/).map { String($0.1) }
    }

    @Test func folderWithoutRecordingsGetsEmptyList() throws {
        try world.write(order([]))
        #expect(lines().count == 2)
        #expect(try ManifestFile.read(in: world.output.appending("A")).recordings.isEmpty)
    }

    @Test func rootFolderIsWrittenAsDot() throws {
        let order = ManifestOrder(
            folder: .empty, recipe: Boxed(Recipe()), entries: [])
        try world.write(order)
        #expect(try ManifestFile.read(in: world.output).folder == ".")
    }

    @Test func manifestBytesDoNotDependOnEntryOrder() throws {
        try world.write(order())
        let first = TestFolder.bytes(of: file)
        try FileSystem.remove(file)
        try world.write(order(Self.entries.reversed()))
        #expect(TestFolder.bytes(of: file) == first)
    }

    @Test func unchangedManifestIsNotRewritten() throws {
        try world.write(order())
        let folder = world.output.appending("A")
        try FileSystem.setModified(file, nanoseconds: 5)
        try FileSystem.setModified(folder, nanoseconds: 6)
        let before = try FileSystem.status(file)
        try world.write(order())
        #expect(try FileSystem.status(file) == before)
        #expect(try FileSystem.status(folder).stamp.modifiedNanoseconds == 6)
        try world.write(order([]))
        #expect(try FileSystem.status(file) != before)
    }

    @Test func writingLeavesNoTemporaryFiles() throws {
        try world.write(order())
        try world.write(order([]))
        #expect(TestWorld.tree(world.output) == ["A", "A/manifest.json"])
    }

    @Test func manifestIsReplacedAtomically() throws {
        try world.write(order())
        let reader = try #require(FileHandle(forReadingAtPath: file.text))
        try world.write(order([]))
        // Whoever has the old one open still reads it to its end.
        let old = try #require(try reader.readToEnd())
        #expect(try JSONDecoder().decode(Manifest.self, from: old).recordings.count == 3)
    }

    @Test func onlyObsoleteFilesAreRemoved() throws {
        world.makeFolder(world.output.appending("A"))
        for name in ["old.dat", "kept.dat"] as [Pathname] {
            world.folder.write([], to: Pathname("output/A").appending(name))
        }
        let superfluous: [Pathname] = ["gone.dat", "old.dat"]
        try world.write(order(superfluous: superfluous))
        #expect(TestWorld.tree(world.output) == ["A", "A/kept.dat", "A/manifest.json"])
    }

    /// While the disk is busy with the manifests, somebody moves an original there.
    @Test func obsoleteCopyReplacedBeforePublishIsKept() throws {
        let folder = world.output.appending("A")
        world.makeFolder(folder)
        let copy = [UInt8](repeating: 7, count: 2000)
        var before = Example.doneEntry("b.wav")
        before.trimmed = TrimmedFile(
            path: "b.wav.flac", durationSeconds: 1, bytes: 2000,
            sha256: SHA256.hexadecimal(of: copy), edits: [])
        try world.write(order([before]))
        world.folder.write(copy, to: "output/A/b.wav.flac")
        let ownership = OutputOwnership(world.places, .none)
        var staged = try ManifestFile.stage(
            order([], superfluous: ["b.wav.flac"]), ownership)
        try staged.prepare(ownership)
        world.folder.write([1, 2, 3], to: "output/A/b.wav.flac")
        try staged.publish(ownership)
        #expect(staged.spared == ["b.wav.flac"])
        #expect(TestFolder.bytes(of: folder.appending("b.wav.flac")) == [1, 2, 3])
    }

    @Test func writingBelowAFileThrowsENOTDIR() {
        FileSystem.removeEmptyFolders([world.output])
        world.folder.write([], to: "output")
        let error = #expect(throws: FileSystemError.self) {
            try world.write(order())
        }
        #expect(error?.code == ENOTDIR)
    }

    @Test func recipeFingerprintIsSHA256OfItsJSON() {
        // The SHA-256 of
        // {"silence":{"activity":"speech","detector":"learned",…},"trim":{…},"waveform":{…}}.
        #expect(
            ManifestFile.fingerprint(of: Recipe())
                == "23221c0a79d56f463f5f9717ac4184c3f42bd250e4b662baed61d9bd50dd1da6")
        var other = Recipe()
        other.trim.fadeMilliseconds = 6
        #expect(ManifestFile.fingerprint(of: other) != ManifestFile.fingerprint(of: Recipe()))
    }
}
