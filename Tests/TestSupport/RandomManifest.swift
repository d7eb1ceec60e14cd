import Recordings

/// Manifests, and facts of a journal, with everything in them that there can be.
package enum RandomManifest {
    private static let names: [Pathname] = [
        "b.wav", "a \"quoted\\\" name\n.wav", "é.wav", "e\u{301}.wav", "🎙️.wav", "\u{1}.wav",
        Pathname(bytes: [0x63, 0xE9, 0x2E, 0x77]),
        "\u{1}\u{1f}\u{7f}\u{80}\u{2028}\u{2029}\u{feff}",
        "\u{8}\t\n\u{b}\u{c}\r\u{e}\u{10}\u{1a}\u{10FFFF}",
    ]

    /// A manifest of nine recordings with names of all kinds.
    package static func manifest(seed: UInt64) -> Manifest {
        var random = SeededGenerator(seed: seed)
        return Manifest(
            folder: random.pick(names), recipe: recipe(&random), recipeFingerprint: "f",
            recordings: names.map { entry($0, &random) })
    }

    /// A fact of a journal.
    package static func fact(seed: UInt64) -> JournalFact {
        var random = SeededGenerator(seed: seed)
        let count = Int.random(in: 0...3, using: &random)
        let entry = entry(random.pick(names), &random)
        return JournalFact(
            folder: random.chance(percent: 20) ? .empty : random.pick(names), entry: entry,
            staged: names[..<count].map { StagedFile(temporary: $0.adding(suffix: "~"), name: $0) },
            obsolete: Array(names[count...].prefix(Int.random(in: 0...2, using: &random))))
    }

    /// Each member is missing now and then, where it may.
    private static func entry(
        _ name: Pathname, _ random: inout SeededGenerator
    ) -> ManifestEntry {
        let status = random.pick(ManifestEntry.Status.allCases)
        var entry = ManifestEntry(name: name, status: status, source: nil)
        entry.source = optional(
            FileStamp(
                bytes: Int64.random(in: 0...Int64.max, using: &random),
                modifiedNanoseconds: Int64.random(in: Int64.min...Int64.max, using: &random)),
            &random)
        entry.format = optional(
            AudioFormat(
                container: random.pick(AudioContainer.allCases),
                encoding: random.pick(SampleEncoding.allCases),
                sampleRateHertz: random.pick([8000, 11025, 44100, 192_000]), channels: 2,
                frames: Int64.random(in: 0...1 << 40, using: &random)), &random)
        entry.levels = optional(
            Levels(
                peakDBFS: [nil, decimal(&random)], rmsDBFS: [decimal(&random), nil],
                dcOffset: [decimal(&random), 0], clippedSamples: [0, 12],
                samplesBeyondFullScale: [], nonFiniteSamples: optional([3, 0], &random)),
            &random)
        entry.decoding = optional(
            Decoding(
                by: .libav, because: optional(.formatChanges, &random),
                raw: optional("s16le,8000,1", &random), revision: 3), &random)
        var metadata = RecordingMetadata()
        (metadata.recordedAt, metadata.recordedAtFrom) = ("2026-05-01T05:30:00+01:00", .guano)
        metadata.tags = ["album": "\"ü\""]
        entry.metadata = optional(metadata, &random)
        entry.decoderMessage = optional("Error A : 00; \"Error\" 1", &random)
        entry.silence = optional(silence(&random), &random)
        entry.waveforms = optional(
            [
                WaveformFile(
                    path: name.adding(suffix: ".dat"), samplesPerPixel: 256, bits: 8, channels: 1,
                    length: 12, bytes: 44, sha256: "00ff")
            ], &random)
        entry.trimmed = optional(
            TrimmedFile(
                path: name, durationSeconds: decimal(&random), bytes: 9, sha256: "ab",
                edits: [
                    Edit(sourceFrames: 0..<5, trimmedFrame: 0),
                    Edit(sourceFrames: 7..<1 << 40, trimmedFrame: 5),
                ]), &random)
        entry.trimmed?.waveforms = random.pick([
            nil,
            [
                WaveformFile(
                    path: name.adding(suffix: ".trimmed.dat"), samplesPerPixel: 480, bits: 16,
                    channels: 2, length: 3, bytes: 48, sha256: "00fe")
            ],
        ])
        entry.notTrimmed = optional(random.pick(TrimRefusal.allCases), &random)
        entry.failure = optional(failure(&random), &random)
        entry.recipe = optional(recipe(&random), &random)
        entry.leftBehind = optional([name.adding(suffix: ".flac"), "x"], &random)
        entry.sourceSHA256 = optional("cafe", &random)
        // Of what could not be looked at, nothing was made.
        if entry.source == nil { (entry.waveforms, entry.trimmed) = (nil, nil) }
        var other = entry
        other.source = FileStamp(bytes: 8, modifiedNanoseconds: -3)
        entry.earlier = optional(other.generations, &random)
        return entry
    }

    private static func silence(_ random: inout SeededGenerator) -> SilenceMap {
        var map = SilenceMap(
            noiseFloorDBFS: optional(decimal(&random), &random),
            signalToNoiseDecibels: optional(decimal(&random), &random),
            confidence: optional(decimal(&random), &random), separable: random.chance(percent: 50),
            silent: random.chance(percent: 50),
            intervalsSeconds: [[0, 1.25], [min(decimal(&random).magnitude, 1), 1e9]])
        map.thresholdDecibels = optional(decimal(&random), &random)
        var segment = SoundSegment(startSeconds: 0.5, endSeconds: 1.25)
        segment.levelDBFS = optional(decimal(&random), &random)
        segment.signalToNoiseDecibels = optional(decimal(&random), &random)
        segment.confidence = optional(decimal(&random), &random)
        map.segments = random.pick([nil, [], [segment]])
        return map
    }

    private static func failure(_ random: inout SeededGenerator) -> RecordingFailure {
        RecordingFailure(
            stage: random.pick(Stage.allCases),
            reason: random.pick(RecordingFailure.Reason.allCases),
            detail: optional("no\tway: \"x\" \u{1b}[0m", &random), code: optional(-5, &random),
            frame: optional(7, &random), expected: optional(.max, &random))
    }

    private static func recipe(_ random: inout SeededGenerator) -> Recipe {
        var recipe = Recipe()
        recipe.waveform.samplesPerPixel = random.pick([[], [256], [256, 1024]])
        recipe.waveform.pixelsPerSecond = random.pick([nil, nil, 100])
        recipe.waveform.points = random.pick([nil, nil, 1_000])
        if !recipe.waveform.hasFixedZooms {
            recipe.waveform.samplesPerPixel = WaveformRecipe.usualZooms
        }
        recipe.waveform.subjects = random.pick([[.source], [.trimmed], [.source, .trimmed]])
        recipe.waveform.format = random.pick(WaveformRecipe.Format.allCases)
        recipe.waveform.splitChannels = random.chance(percent: 50)
        recipe.silence.detector = random.pick(SilenceRecipe.Detector.allCases)
        recipe.silence.minimumSeconds = decimal(&random).magnitude
        recipe.silence.minimumSoundSeconds = decimal(&random).magnitude
        recipe.silence.sensitivityDecibels = decimal(&random)
        recipe.silence.thresholdDBFS = optional(decimal(&random), &random)
        recipe.silence.activity = random.pick(SilenceRecipe.Activity.allCases)
        recipe.trim.keepSilenceSeconds = decimal(&random)
        recipe.trim.longestGapSeconds = optional(decimal(&random), &random)
        recipe.trim.keptGapShare = optional(decimal(&random), &random)
        recipe.trim.fadeMilliseconds = decimal(&random)
        recipe.trim.minimumConfidence = optional(decimal(&random).magnitude, &random)
        recipe.trim.mode = random.pick(TrimRecipe.Mode.allCases)
        recipe.trim.format = random.pick(TrimRecipe.Format.allCases)
        return recipe
    }

    private static func optional<Value>(
        _ value: Value, _ random: inout SeededGenerator
    ) -> Value? {
        random.chance(percent: 85) ? value : nil
    }

    /// Mostly numbers as they occur in manifests, and now and then any finite one at all.
    package static func decimal(_ random: inout SeededGenerator) -> Double {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: return random.pick([0, -0.0, 1, -1, 1e9, 1e15, 1e16, 1e22, 0.0001, 0.00001, 1e-7])
        case 1: return Double(Int.random(in: -1 << 53...1 << 53, using: &random))
        case 2:
            let any = Double(bitPattern: random.next())
            return any.isFinite ? any : .leastNonzeroMagnitude
        case 3: return Double.random(in: -1...1, using: &random)
        default:
            let size = random.pick([1e-3, 1, 1e3, 1e10])
            return Double.random(in: -size...size, using: &random)
                .rounded(toDecimals: Int.random(in: 0...7, using: &random))
        }
    }
}
