import FoundationEssentials
import Jobs
import Recordings
import TestSupport
import Testing

@testable import Workers

/// The reader by hand is held against the general decoder, and against damage.
@Suite struct ManifestReaderTests {
    private func read(_ text: [UInt8]) throws -> Manifest {
        try JSONCursor.read(text) { (json) throws(JSONCursor.Malformed) in try Manifest(&json) }
    }

    private func decoded(_ text: [UInt8]) throws -> Manifest {
        try JSONDecoder().decode(Manifest.self, from: Data(text))
    }

    /// A manifest in which every member occurs that there is, with values of all sizes.
    private func manifest(seed: UInt64) -> Manifest {
        var random = SeededGenerator(seed: seed)
        let names: [Pathname] = [
            "b.wav", "a \"quoted\\\" name\n.wav", "é.wav", "e\u{301}.wav", "🎙️.wav", "\u{1}.wav",
            Pathname(bytes: [0x63, 0xE9, 0x2E, 0x77]),
        ]
        let entries = names.map { name in
            var entry = ManifestEntry(
                name: name, status: random.pick([.done, .failed]),
                source: FileStamp(
                    bytes: Int64.random(in: 0...Int64.max, using: &random),
                    modifiedNanoseconds: Int64.random(in: Int64.min...Int64.max, using: &random)))
            entry.format = AudioFormat(
                container: random.pick(AudioContainer.allCases),
                encoding: random.pick(SampleEncoding.allCases),
                sampleRateHertz: random.pick([8000, 11025, 44100, 192_000]), channels: 2,
                frames: Int64.random(in: 0...1 << 40, using: &random))
            entry.levels = Levels(
                peakDBFS: [nil, decimal(&random, 2)], rmsDBFS: [decimal(&random, 2), nil],
                dcOffset: [decimal(&random, 6), 0], clippedSamples: [0, 12],
                samplesBeyondFullScale: [3, 0])
            entry.silence = SilenceMap(
                noiseFloorDBFS: random.chance(percent: 50) ? decimal(&random, 1) : nil,
                signalToNoiseDecibels: nil, confidence: decimal(&random, 2), separable: true,
                silent: false,
                intervalsSeconds: [[0, 1.25], [decimal(&random, 6).magnitude, 1e9]])
            entry.waveforms = [
                WaveformFile(
                    path: name.adding(suffix: ".dat"), samplesPerPixel: 256, bits: 8, channels: 1,
                    length: 12, bytes: 44, sha256: "00ff")
            ]
            let edits = [Edit(sourceFrames: 0..<5, trimmedFrame: 0)]
            entry.trimmed = TrimmedFile(
                path: name, durationSeconds: 0.000123, bytes: 9, sha256: "ab", edits: edits)
            entry.notTrimmed = random.pick(TrimRefusal.allCases)
            entry.failure = RecordingFailure(
                stage: random.pick(Stage.allCases),
                reason: random.pick(RecordingFailure.Reason.allCases), detail: "no\tway: \"x\"",
                code: -5, frame: 7, expected: 9)
            var recipe = Recipe()
            recipe.waveform.samplesPerPixel = [256, 1024]
            recipe.trim.keepSilenceSeconds = decimal(&random, 3)
            entry.recipe = recipe
            entry.leftBehind = [name.adding(suffix: ".flac")]
            entry.sourceSHA256 = "cafe"
            return entry
        }
        return Manifest(
            folder: random.pick(names), recipe: Recipe(), recipeFingerprint: "f",
            recordings: entries)
    }

    private func decimal(_ random: inout SeededGenerator, _ decimals: Int) -> Double {
        Double.random(in: -1e4...1e4, using: &random).rounded(toDecimals: decimals)
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func readsWhatTheGeneralDecoderReads(seed: UInt64) throws {
        let manifest = manifest(seed: seed)
        let text = ManifestFile.bytes(of: manifest)
        #expect(try read(text) == manifest)
        #expect(try decoded(text) == manifest)
    }

    @Test func takesKeysInAnyOrderWhiteSpaceAndKeysThatItDoesNotKnow() throws {
        let text = """
            { "version" : 1, "new": {"a": [1.5e3, true, null, "\\u00e9", {}]},
              "recordings":[ {"status":"done","name":"\\ud83c\\udf99.wav" } ],
              "recipeFingerprint":"", "recipe" : {}, "folder":"." }

            """
        let manifest = try read(Array(text.utf8))
        #expect(manifest.recordings.map(\.name) == ["\u{1F399}.wav"])
        #expect(
            try decoded(Array(text.replacing("\"recipe\" : {}", with: recipe).utf8)) == manifest)
    }

    private var recipe: String {
        """
        "recipe":{"silence":{"method":1,"minimumSeconds":0.5},"trim":{"fadeMilliseconds":5,
        "format":"auto","keepSilenceSeconds":0.2,"longestGapSeconds":1,"mode":"edges"},
        "waveform":{"bits":8,"format":"dat","samplesPerPixel":[256],"splitChannels":false}}
        """
    }

    @Test(arguments: ["0", "-0.05", "1e-7", "123456789.123456789", "-1.5E+2", "9007199254740993"])
    func roundsNumbersAsTheLibraryDoes(text: String) throws {
        let value = try JSONCursor.read(Array(text.utf8)) { (json) throws(JSONCursor.Malformed) in
            try json.number()
        }
        #expect(value == Double(text))
    }

    @Test(arguments: ["", "+1", ".5", "1.", "-", "e5", "1 2", "--1", "1e", "Infinity", "nan"])
    func refusesWhatIsNoNumber(text: String) {
        #expect(throws: JSONCursor.Malformed.self) {
            try JSONCursor.read(Array(text.utf8)) { (json) throws(JSONCursor.Malformed) in
                try json.number()
            }
        }
    }

    @Test func refusesEveryBeginningOfAManifest() {
        let text = ManifestFile.bytes(of: manifest(seed: 1))
        // The last byte is the line's end, without which the manifest is still whole.
        for count in stride(from: 0, to: text.count - 1, by: 23) {
            #expect(throws: JSONCursor.Malformed.self) { try read(Array(text[..<count])) }
        }
    }

    @Test func survivesAnyDamage() {
        let text = ManifestFile.bytes(of: manifest(seed: 2))
        var random = SeededGenerator(seed: 3)
        var refused = 0
        for _ in 0..<800 {
            var damaged = text
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: damaged.indices, using: &random)
                damaged[place] = random.pick(Array("\"\\{}[],:0-9u.eE x\u{0}".utf8))
            }
            if (try? read(damaged)) == nil { refused += 1 }
        }
        #expect(refused > 300)
    }

    @Test(arguments: [
        ("[[0,1.25]", "[[0]"), ("[[0,1.25]", "[[2,1.25]"), ("[[0,1.25]", "[[0,1e999]"),
        ("\"channels\":2", "\"channels\":0"), ("\"channels\":2", "\"channels\":-1"),
        ("\"sourceFrames\":[0,5]", "\"sourceFrames\":[5,0]"),
    ])
    func refusesWhatNoRunCouldWorkWith(whole: String, damaged: String) {
        let text = String(decoding: ManifestFile.bytes(of: manifest(seed: 4)), as: UTF8.self)
        #expect(text.contains(whole))
        #expect(throws: JSONCursor.Malformed.self) {
            try read(Array(text.replacing(whole, with: damaged).utf8))
        }
    }

    @Test func refusesNestingWithoutEnd() {
        let text = Array(String(repeating: "[", count: 100_000).utf8)
        #expect(throws: JSONCursor.Malformed.self) {
            try JSONCursor.read(text) { (json) throws(JSONCursor.Malformed) in try json.skip() }
        }
    }
}
