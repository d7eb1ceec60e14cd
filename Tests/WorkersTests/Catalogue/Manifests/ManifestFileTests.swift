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
        var done = ManifestEntry(name: "b \"\\\n🎙️.wav", status: .done, source: stamp)
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
        var other = Recipe()
        other.waveform.bits = 16
        done.recipe = other
        var failed = ManifestEntry(
            name: Pathname(bytes: [0x61, 0xFF]), status: .failed, source: nil)
        failed.failure = RecordingFailure(
            stage: .decode, reason: .other, detail: "a\nb", code: 5, frame: 6, expected: 7)
        var plain = ManifestEntry(name: "a.wav", status: .done, source: stamp)
        plain.notTrimmed = .nothingToCut
        return [done, failed, plain]
    }()

    /// Has a manifest printed of these, which are recorded first.
    private func order(_ entries: [ManifestEntry] = entries) throws -> ManifestOrder {
        try world.settle(entries, in: "A")
        return ManifestOrder(folder: "A", recipe: Boxed(Recipe()))
    }

    /// One that leaves no recording in the manifest.
    private var emptying: ManifestOrder {
        ManifestOrder(folder: "A", recipe: Boxed(Recipe()), forgetting: Self.entries.map(\.name))
    }

    private func lines() -> [String] {
        String(decoding: TestFolder.bytes(of: file), as: UTF8.self).components(separatedBy: "\n")
    }

    @Test func writtenManifestIsReadBackUnchanged() throws {
        try world.print(order())
        let manifest = try ManifestFile.read(in: world.output.appending("A"))
        #expect(manifest.folder == "A")
        #expect(manifest.recipe == Recipe())
        #expect(manifest.recipeFingerprint == fingerprint(of: Recipe()))
        #expect(manifest.version == 1)
        #expect(manifest.recordings == Self.entries.sorted { $0.name < $1.name })
        #expect(manifest.recordings.map(\.name.hexadecimal)[1] == "61ff")
    }

    @Test func eachRecordingHasItsOwnLine() throws {
        try world.print(order())
        let lines = lines()
        #expect(lines.count == 6)
        #expect(lines[0].hasSuffix(#""recordings":["#))
        #expect(lines[4] == #"],"version":1}"#)
        #expect(lines[5].isEmpty)
        #expect(lines[1].contains(#""name":"a.wav""#))
        #expect(lines[2].contains(#""name":{"bytes":"61ff"}"#))
    }

    @Test func keysAreSortedAtAllLevels() throws {
        try world.print(order())
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
        try world.print(emptying)
        #expect(lines().count == 2)
        #expect(try ManifestFile.read(in: world.output.appending("A")).recordings.isEmpty)
    }

    @Test func rootFolderIsWrittenAsDot() throws {
        try world.print(ManifestOrder(folder: .empty, recipe: Boxed(Recipe())))
        #expect(try ManifestFile.read(in: world.output).folder == ".")
    }

    @Test func manifestBytesDoNotDependOnEntryOrder() throws {
        try world.print(order())
        let other = TestWorld()
        for entry in Self.entries.reversed() {
            try other.settle([entry], in: "A")
            try other.print(ManifestOrder(folder: "A", recipe: Boxed(Recipe())))
        }
        #expect(
            TestFolder.bytes(of: other.output.appending("A/manifest.json"))
                == TestFolder.bytes(of: file))
    }

    /// A run that did not reach a recording says what it was made with.
    @Test func recipeIsNamedOnlyWhereItDiffers() throws {
        try world.settle(Self.entries, in: "A")
        var recipe = Recipe()
        recipe.waveform.bits = 16
        try world.print(ManifestOrder(folder: "A", recipe: Boxed(recipe)))
        let manifest = try ManifestFile.read(in: world.output.appending("A"))
        #expect(manifest.recipe == recipe)
        #expect(manifest.recordings.map(\.recipe) == [Recipe(), Recipe(), nil])
    }

    @Test func unchangedManifestIsNotRewritten() throws {
        try world.print(order())
        try FileSystem.setModified(file, nanoseconds: 5)
        let before = try FileSystem.status(file)
        try world.print(order())
        #expect(try FileSystem.status(file) == before)
        try world.print(emptying)
        #expect(try FileSystem.status(file) != before)
    }

    @Test func writingLeavesNoTemporaryFiles() throws {
        try world.print(order())
        try world.print(emptying)
        #expect(TestWorld.tree(world.output) == ["A", "A/manifest.json"])
    }

    @Test func manifestIsReplacedAtomically() throws {
        try world.print(order())
        let reader = try #require(FileHandle(forReadingAtPath: file.text))
        try world.print(emptying)
        // Whoever has the old one open still reads it to its end.
        let old = try #require(try reader.readToEnd())
        #expect(try JSONDecoder().decode(Manifest.self, from: old).recordings.count == 3)
    }

    private static let copy = [UInt8](repeating: 7, count: 2000)

    /// Records a copy of `b.wav`, and puts it in its place.
    private func addCopy() throws {
        var before = Example.doneEntry("b.wav")
        before.trimmed = TrimmedFile(
            path: "b.wav.flac", durationSeconds: 1, bytes: 2000,
            sha256: SHA256.hexadecimal(of: Self.copy), edits: [])
        try world.settle([before], in: "A")
        world.makeFolder(world.output.appending("A"))
        world.folder.write(Self.copy, to: "output/A/b.wav.flac")
    }

    @Test func onlyObsoleteFilesAreRemoved() throws {
        try addCopy()
        world.folder.write([], to: "output/A/kept.dat")
        let spared = try world.print(
            ManifestOrder(folder: "A", recipe: Boxed(Recipe()), forgetting: ["b.wav"]))
        #expect(spared == [])
        #expect(TestWorld.tree(world.output) == ["A", "A/kept.dat", "A/manifest.json"])
    }

    /// While the disk is busy with the manifests, somebody moves an original there.
    @Test func obsoleteCopyReplacedBeforePublishIsKept() throws {
        try addCopy()
        let order = ManifestOrder(folder: "A", recipe: Boxed(Recipe()), forgetting: ["b.wav"])
        try world.record.update([order])
        let ownership = world.ownership
        var staged = try ManifestFile.stage(order, of: world.record, ownership)
        world.folder.write([1, 2, 3], to: "output/A/b.wav.flac")
        try staged.publish(ownership)
        #expect(staged.spared == ["b.wav.flac"])
        #expect(TestFolder.bytes(of: world.output.appending("A/b.wav.flac")) == [1, 2, 3])
    }

    /// A file of a name that another recording has since is not that one's.
    @Test func obsoleteFileWhoseNameIsTakenIsKept() throws {
        try addCopy()
        var heir = Example.doneEntry("b")
        heir.trimmed = TrimmedFile(
            path: "b.wav.flac", durationSeconds: 1, bytes: 3,
            sha256: SHA256.hexadecimal(of: [1, 2, 3]), edits: [])
        try world.record.update([
            ManifestOrder(folder: "A", recipe: Boxed(Recipe()), forgetting: ["b.wav"]),
            try order([heir]),
        ])
        try world.print(ManifestOrder(folder: "A", recipe: Boxed(Recipe())))
        #expect(TestWorld.tree(world.output) == ["A", "A/b.wav.flac", "A/manifest.json"])
        #expect(try world.record.files(named: "b.wav.flac", in: "A").map(\.recording) == ["b"])
    }

    @Test func writingBelowAFileFails() throws {
        FileSystem.removeEmptyFolders([world.output])
        world.folder.write([], to: "output")
        let failure = RecordingFailure(stage: .manifest, reason: .placeTaken)
        let order = try order()
        #expect(throws: failure) { try world.print(order) }
    }

    @Test func recipeFingerprintIsSHA256OfItsJSON() {
        // The SHA-256 of
        // {"silence":{"activity":"speech","detector":"learned",…},"trim":{…},"waveform":{…}}.
        #expect(
            fingerprint(of: Recipe())
                == "6636ab04485af815dc5782236e1ff42592e07f090477bd2b464f163c35d56019")
        var other = Recipe()
        other.trim.fadeMilliseconds = 6
        #expect(fingerprint(of: other) != fingerprint(of: Recipe()))
    }
}
