import Jobs
import Recordings
import TestSupport
import Testing

@testable import Workers

/// Manifests are read where there is no record: of an earlier version, or outside an output.
@Suite struct ManifestReadingTests {
    private let folder = TestFolder()

    private func read(_ text: [UInt8]) throws -> Result<Manifest, ResultTrouble> {
        try ManifestFile.read(folder.write(text, to: OutputNames.manifest))
    }

    private func read(_ text: String) throws -> Result<Manifest, ResultTrouble> {
        try read(Array(text.utf8))
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func manifestIsReadBackUnchanged(seed: UInt64) throws {
        let manifest = RandomManifest.manifest(seed: seed)
        #expect(try read(ManifestFile.bytes(of: manifest)).get() == manifest)
    }

    @Test func reorderedAndUnknownKeysAndWhitespaceAreAccepted() throws {
        let text = """
            { "version" : 1, "new": {"a": [1.5e3, true, null, "\\u00e9", {}]},
              "recordings":[ {"status":"done","name":"\\ud83c\\udf99.wav" } ],
              "recipeFingerprint":"", \(recipe), "folder":"." }

            """
        #expect(try read(text).get().recordings.map(\.name) == ["\u{1F399}.wav"])
    }

    private var recipe: String {
        """
        "recipe":{"silence":{"method":1,"minimumSeconds":0.5},"trim":{"fadeMilliseconds":5,
        "format":"auto","keepSilenceSeconds":0.25,"longestGapSeconds":1,"mode":"edges"},
        "waveform":{"bits":8,"format":"dat","samplesPerPixel":[256],"splitChannels":false}}
        """
    }

    /// A version did not know all settings of today.
    @Test func missingSettingsReadAsDefaults() throws {
        let text =
            "{\(recipe),\"folder\":\".\",\"recipeFingerprint\":\"\",\"recordings\":[],\"version\":1}"
        var earlier = Recipe()
        earlier.silence.method = 1
        #expect(try read(text).get().recipe == earlier)
    }

    @Test func decodingWithoutRevisionIsOfFirstVersion() throws {
        var manifest = RandomManifest.manifest(seed: 4)
        manifest.recordings[0].decoding = Decoding(by: .libsndfile, revision: 7)
        let text = String(decoding: ManifestFile.bytes(of: manifest), as: UTF8.self)
        let without = text.replacing(",\"revision\":7", with: "")
        #expect(without != text)
        #expect(try read(without).get().recordings[0].decoding?.revision == 1)
    }

    @Test func truncatedManifestIsDamaged() throws {
        let text = ManifestFile.bytes(of: RandomManifest.manifest(seed: 1))
        // The last byte is the line's end, without which the manifest is still whole.
        for count in stride(from: 0, to: text.count - 1, by: 23) {
            #expect(try read(Array(text[..<count])) == .failure(.damaged))
        }
    }

    @Test func laterManifestVersionIsReported() throws {
        let manifest = RandomManifest.manifest(seed: 1)
        let text = String(decoding: ManifestFile.bytes(of: manifest), as: UTF8.self)
        let later = text.replacing("\"version\":1}", with: "\"version\":2}")
        #expect(try read(later) == .failure(.ofLaterVersion))
        // Whatever else is new in it.
        let newer = #"{"version":2,"recordings":{"a":1},"recipe":{}}"#
        #expect(try read(newer) == .failure(.ofLaterVersion))
    }

    @Test func randomDamageDoesNotCrash() throws {
        let text = ManifestFile.bytes(of: RandomManifest.manifest(seed: 2))
        var random = SeededGenerator(seed: 3)
        var refused = 0
        for _ in 0..<800 {
            var damaged = text
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: damaged.indices, using: &random)
                damaged[place] = random.pick(Array("\"\\{}[],:0-9u.eE x\u{0}".utf8))
            }
            guard let manifest = try? read(damaged).get() else {
                refused += 1
                continue
            }
            // What can be read can be written.
            #expect(!JSONLine.bytes(manifest).isEmpty)
        }
        #expect(refused > 300)
    }

    @Test(arguments: [
        ("[[0,1.25]", "[[0]"), ("[[0,1.25]", "[[2,1.25]"), ("[[0,1.25]", "[[0,1e999]"),
        ("\"channels\":2", "\"channels\":0"), ("\"channels\":2", "\"channels\":-1"),
        ("\"sourceFrames\":[0,5]", "\"sourceFrames\":[5,0]"),
        ("\"frames\":", "\"frames\":9000000000000000000,\"x\":"),
    ])
    func implausibleValuesAreRefused(whole: String, damaged: String) throws {
        let text = String(
            decoding: ManifestFile.bytes(of: RandomManifest.manifest(seed: 4)), as: UTF8.self)
        #expect(text.contains(whole))
        #expect(try read(text.replacing(whole, with: damaged)) == .failure(.damaged))
    }

    @Test(arguments: ["../b.wav", "a/b.wav", ".."])
    func namesThatLeadOutAreRefused(name: String) throws {
        let text = String(
            decoding: ManifestFile.bytes(
                of: Manifest(
                    folder: ".", recipe: Recipe(), recipeFingerprint: "",
                    recordings: [Example.doneEntry("b.wav")])), as: UTF8.self)
        let other = text.replacing("\"path\":\"b.wav.dat\"", with: "\"path\":\"\(name)\"")
        #expect(other != text)
        #expect(try read(other) == .failure(.damaged))
    }
}
