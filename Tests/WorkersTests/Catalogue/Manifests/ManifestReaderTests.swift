import FoundationEssentials
import Jobs
import Recordings
import TestSupport
import Testing

@testable import Workers

/// The reader by hand is held against the general decoder, and against damage.
@Suite struct ManifestReaderTests {
    /// What is read of a manifest.
    private struct Read: Equatable {
        var folder: Pathname
        var recipe: Recipe
        var recordings: [ManifestEntry]

        init(_ skimmed: ManifestSkimmer.Skimmed<[ManifestEntry]>) {
            folder = skimmed.folder
            recipe = skimmed.recipe
            recordings = skimmed.entries
        }

        init(_ manifest: Manifest) {
            folder = manifest.folder
            recipe = manifest.recipe
            recordings = manifest.recordings
        }
    }

    private func read(_ text: [UInt8]) throws -> Read {
        let skimmed = try ManifestSkimmer.read(text, into: [] as [ManifestEntry]) {
            (entries, json) throws(JSONCursor.Malformed) in
            entries.append(try ManifestEntry(&json))
        }
        return Read(skimmed)
    }

    private func decoded(_ text: [UInt8]) throws -> Manifest {
        try JSONDecoder().decode(Manifest.self, from: Data(text))
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func randomManifestsMatchJSONDecoder(seed: UInt64) throws {
        let manifest = RandomManifest.manifest(seed: seed)
        let text = ManifestFile.bytes(of: manifest)
        #expect(try read(text) == Read(manifest))
        #expect(try decoded(text) == manifest)
    }

    @Test func reorderedAndUnknownKeysAndWhitespaceAreAccepted() throws {
        let text = """
            { "version" : 1, "new": {"a": [1.5e3, true, null, "\\u00e9", {}]},
              "recordings":[ {"status":"done","name":"\\ud83c\\udf99.wav" } ],
              "recipeFingerprint":"", "recipe" : {}, "folder":"." }

            """
        let manifest = try read(Array(text.utf8))
        #expect(manifest.recordings.map(\.name) == ["\u{1F399}.wav"])
        #expect(
            Read(try decoded(Array(text.replacing("\"recipe\" : {}", with: recipe).utf8)))
                == manifest)
    }

    private var recipe: String {
        """
        "recipe":{"silence":{"activity":"speech","detector":"learned","method":11,"minimumSeconds":0.5,
        "minimumSoundSeconds":0.2,"sensitivityDecibels":0},"trim":{"fadeMilliseconds":5,
        "format":"auto","keepSilenceSeconds":0.25,"longestGapSeconds":1,"mode":"edges"},
        "waveform":{"bits":8,"format":"dat","samplesPerPixel":[256],"splitChannels":false}}
        """
    }

    @Test func earlierTrimSettingsReadAsCurrentDefaults() throws {
        let text =
            "{\(recipe),\"folder\":\".\",\"recipeFingerprint\":\"\",\"recordings\":[],\"version\":1}"
        #expect(try read(Array(text.utf8)).recipe == Recipe())
        #expect(try decoded(Array(text.utf8)).recipe == Recipe())
    }

    @Test func recipeOfEarlierMethodDiffersFromCurrent() throws {
        let text = """
            {"folder":".","recipe":{"silence":{"method":1,"minimumSeconds":0.5}},
            "recipeFingerprint":"","recordings":[],"version":1}

            """
        var earlier = Recipe()
        earlier.silence.method = 1
        #expect(try read(Array(text.utf8)).recipe == earlier)
        #expect(earlier != Recipe())
    }

    @Test func truncatedManifestIsRefused() {
        let text = ManifestFile.bytes(of: RandomManifest.manifest(seed: 1))
        // The last byte is the line's end, without which the manifest is still whole.
        for count in stride(from: 0, to: text.count - 1, by: 23) {
            #expect(throws: ResultTrouble.self) { try read(Array(text[..<count])) }
        }
    }

    @Test func randomDamageDoesNotCrashReader() {
        let text = ManifestFile.bytes(of: RandomManifest.manifest(seed: 2))
        var random = SeededGenerator(seed: 3)
        var refused = 0
        for _ in 0..<800 {
            var damaged = text
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: damaged.indices, using: &random)
                damaged[place] = random.pick(Array("\"\\{}[],:0-9u.eE x\u{0}".utf8))
            }
            guard let manifest = try? read(damaged) else {
                refused += 1
                continue
            }
            // What can be read can be written.
            let lines = manifest.recordings.map(ManifestFile.line(of:))
            #expect(lines.allSatisfy { !$0.isEmpty })
        }
        #expect(refused > 300)
    }

    @Test(arguments: [
        ("[[0,1.25]", "[[0]"), ("[[0,1.25]", "[[2,1.25]"), ("[[0,1.25]", "[[0,1e999]"),
        ("\"channels\":2", "\"channels\":0"), ("\"channels\":2", "\"channels\":-1"),
        ("\"sourceFrames\":[0,5]", "\"sourceFrames\":[5,0]"),
        ("\"frames\":", "\"frames\":9000000000000000000,\"x\":"),
    ])
    func entriesWithInvalidValuesAreRefused(whole: String, damaged: String) {
        let text = String(
            decoding: ManifestFile.bytes(of: RandomManifest.manifest(seed: 4)), as: UTF8.self)
        #expect(text.contains(whole))
        #expect(throws: ResultTrouble.self) {
            try read(Array(text.replacing(whole, with: damaged).utf8))
        }
    }
}
