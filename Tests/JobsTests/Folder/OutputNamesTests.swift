import Recordings
import TestSupport
import Testing

@testable import Jobs

@Suite struct OutputNamesTests {
    private func names(
        _ sources: [Pathname], others: [Pathname] = [], zooms: [Int] = [256]
    ) -> (OutputNames, WaveformRecipe) {
        var recipe = WaveformRecipe()
        recipe.samplesPerPixel = zooms
        return (OutputNames(sources: sources.sorted(), others: others, recipe: recipe), recipe)
    }

    @Test func newRecordingAvoidsNameOfOrphanedCopy() {
        let recipe = WaveformRecipe()
        let sources: [Pathname] = ["b.mp3", "b.mp3.flac"]
        let names = OutputNames(
            sources: sources, others: [], held: ["b.mp3.dat": "b.mp3", "b.mp3.flac": "b.mp3"],
            recipe: recipe)
        #expect(names.trimmed("b.mp3.flac", as: .same) == "b.mp3.flac.2.flac")
        #expect(names.waveforms(of: "b.mp3.flac", recipe) == ["b.mp3.flac.dat"])
        // What is held is the gone one's own.
        #expect(names.waveforms(of: "b.mp3", recipe) == ["b.mp3.dat"])
        let free = OutputNames(sources: sources, others: [], recipe: recipe)
        #expect(free.trimmed("b.mp3.flac", as: .same) == "b.mp3.flac")
    }

    @Test func outputNameIsSourceNamePlusSuffix() {
        let (names, recipe) = names(["b.mp3", "b.wav"])
        #expect(names == OutputNames())
        #expect(names.waveforms(of: "b.wav", recipe) == ["b.wav.dat"])
        #expect(names.waveforms(of: "b.mp3", recipe) == ["b.mp3.dat"])
        #expect(names.trimmed("b.wav", as: .same) == "b.wav")
        #expect(names.trimmed("b.wav", as: .wav) == "b.wav.wav")
        #expect(names.trimmed("b.wav", as: .flac) == "b.wav.flac")
    }

    @Test func onlyFirstZoomHasPlainSuffix() {
        var (names, recipe) = names(["b.wav"], zooms: [512, 64, 4096])
        #expect(
            names.waveforms(of: "b.wav", recipe)
                == ["b.wav.dat", "b.wav.64.dat", "b.wav.4096.dat"])
        recipe.format = .json
        recipe.samplesPerPixel = [64]
        names = OutputNames(sources: ["b.wav"], others: [], recipe: recipe)
        #expect(names.waveforms(of: "b.wav", recipe) == ["b.wav.json"])
    }

    @Test func waveformsOfTheCopyHaveTheirOwnNames() {
        var (names, recipe) = names(["b.mp3"], zooms: [512, 64])
        #expect(names.waveforms(of: "b.mp3", recipe, drawing: .trimmed) == [])
        recipe.subjects = [.source, .trimmed]
        #expect(names.waveforms(of: "b.mp3", recipe) == ["b.mp3.dat", "b.mp3.64.dat"])
        #expect(
            names.waveforms(of: "b.mp3", recipe, drawing: .trimmed)
                == ["b.mp3.trimmed.dat", "b.mp3.trimmed.64.dat"])
        recipe.subjects = [.trimmed]
        #expect(names.waveforms(of: "b.mp3", recipe) == [])
        let sources: [Pathname] = ["b", "b.trimmed"]
        names = OutputNames(sources: sources, others: [], recipe: recipe)
        #expect(
            sources.flatMap { names.waveforms(of: $0, recipe, drawing: .trimmed) } == [
                "b.trimmed.dat", "b.trimmed.64.dat", "b.trimmed.trimmed.dat",
                "b.trimmed.trimmed.64.dat",
            ])
        recipe.subjects = [.source, .trimmed]
        names = OutputNames(sources: sources, others: [], recipe: recipe)
        #expect(
            names.waveforms(of: "b.trimmed", recipe)
                == ["b.trimmed.2.dat", "b.trimmed.2.64.dat"])
    }

    @Test func oneZoomHasThePlainSuffix() {
        var (names, recipe) = names(["b"], zooms: [512, 64])
        recipe.points = 100
        recipe.format = .floatJSON
        #expect(names.waveforms(of: "b", recipe) == ["b.json"])
        (recipe.points, recipe.pixelsPerSecond) = (nil, 50)
        names = OutputNames(sources: ["b", "b.json"], others: [], recipe: recipe)
        #expect(names.waveforms(of: "b", recipe) == ["b.2.json"])
    }

    @Test func recordingNameIsReservedForItsOwnCopy() {
        let (names, _) = names(["b.mp3", "b.mp3.flac"])
        #expect(names.trimmed("b.mp3", as: .flac) == "b.mp3.2.flac")
        #expect(names.trimmed("b.mp3.flac", as: .same) == "b.mp3.flac")
    }

    @Test func copyIsNumberedWhenAFolderHasItsName() {
        let (names, recipe) = names(["b.wav"], others: ["b.wav"])
        #expect(names.trimmed("b.wav", as: .same) == "b.wav.2.wav")
        #expect(names.waveforms(of: "b.wav", recipe) == ["b.wav.dat"])
    }

    @Test func waveformIsNumberedWhenAFolderHasItsName() {
        let (names, recipe) = names(["b.wav"], others: ["b.wav.dat"])
        #expect(names.waveforms(of: "b.wav", recipe) == ["b.wav.2.dat"])
    }

    @Test func outputsNeverTakeTheManifestName() {
        let (names, recipe) = names(["manifest", "manifest.json"])
        #expect(names.trimmed("manifest.json", as: .same) == "manifest.json.2.json")
        #expect(names.waveforms(of: "manifest.json", recipe) == ["manifest.json.dat"])
        var json = WaveformRecipe()
        json.format = .json
        let drawn = OutputNames(sources: ["manifest"], others: [], recipe: json)
        #expect(drawn.waveforms(of: "manifest", json) == ["manifest.2.json"])
    }

    @Test func takenNumbersAreSkipped() {
        let (names, recipe) = names(["a", "a.2", "a.dat"], others: ["a.2.dat"])
        #expect(names.waveforms(of: "a", recipe) == ["a.3.dat"])
        #expect(names.waveforms(of: "a.2", recipe) == ["a.2.2.dat"])
        #expect(names.waveforms(of: "a.dat", recipe) == ["a.dat.dat"])
    }

    @Test func firstRecordingInNameOrderGetsContestedName() {
        let (names, recipe) = names(["a", "a.512"], zooms: [256, 512])
        #expect(names.waveforms(of: "a", recipe) == ["a.dat", "a.512.dat"])
        #expect(names.waveforms(of: "a.512", recipe) == ["a.512.2.dat", "a.512.512.dat"])
    }

    @Test func namesDifferingInNormalisationStayDistinct() {
        let composed = Pathname("\u{e9}.wav")
        let decomposed = Pathname("e\u{301}.wav")
        let (names, recipe) = names([composed, decomposed])
        #expect(names == OutputNames())
        #expect(names.waveforms(of: composed, recipe) != names.waveforms(of: decomposed, recipe))
    }

    @Test func nonUTF8NameIsPreserved() {
        let name = Pathname(bytes: [0xff, 0x2e, 0x77])
        let (names, recipe) = names([name])
        #expect(names.waveforms(of: name, recipe).map(\.bytes) == [[0xff] + ".w.dat".utf8])
    }

    /// A folder in which names meet: sources and others, ascending.
    private func crowd(
        _ random: inout SeededGenerator
    ) -> (sources: [Pathname], others: [Pathname], recipe: WaveformRecipe) {
        var known: Set<Pathname> = []
        for _ in 0..<Int.random(in: 1...12, using: &random) {
            let parts = (0...Int.random(in: 0...3, using: &random)).map { _ in
                random.pick([
                    "a", "2", "64", "3", "trimmed", "dat", "flac", "wav", "manifest", "json",
                ])
            }
            known.insert(Pathname(parts.joined(separator: ".")))
        }
        let names = known.sorted()
        let others = names.filter { _ in random.chance(percent: 30) }
        var recipe = WaveformRecipe()
        recipe.samplesPerPixel = random.pick([[256], [256, 64], [64, 2, 3]])
        recipe.subjects = random.pick([[.source], [.trimmed], [.source, .trimmed]])
        recipe.format = random.pick(WaveformRecipe.Format.allCases)
        return (names.filter { !others.contains($0) }, others, recipe)
    }

    @Test func outputNamesInAFolderAreDistinct() {
        for seed in 0..<1_000 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            let (sources, others, recipe) = crowd(&random)
            let names = OutputNames(sources: sources, others: others, recipe: recipe)
            let given = sources.flatMap { source in
                WaveformRecipe.Subject.allCases.flatMap {
                    names.waveforms(of: source, recipe, drawing: $0)
                }
                    + [TrimmedContainer.same, .wav, .flac].map { names.trimmed(source, as: $0) }
            }
            #expect(Set(given).count == given.count, "seed \(seed)")
            #expect(Set(others).isDisjoint(with: given), "seed \(seed)")
            #expect(!given.contains(OutputNames.manifest), "seed \(seed)")
        }
    }

    @Test func namesMatchExhaustiveConflictSearch() {
        var renamed = 0
        for seed in 0..<1_000 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            let (sources, others, recipe) = crowd(&random)
            let all = sources + others + [OutputNames.manifest]
            // A recording may be called like a manifest.
            let mayMeet = all.indices.contains { place in
                all.indices.contains { $0 != place && all[$0].begins(with: all[place]) }
            }
            let slowly = OutputNames(
                of: sources, among: Set(all), recipe: recipe, mayMeet: mayMeet)
            let names = OutputNames(
                sources: sources, others: others.shuffled(using: &random), recipe: recipe)
            #expect(names == slowly, "seed \(seed)")
            if !slowly.areNatural { renamed += 1 }
        }
        // Both roads were taken.
        #expect((100...900).contains(renamed), "\(renamed)")
    }

    @Test func outputsWithOutdatedNamesAreDetected() {
        var recipe = Recipe()
        recipe.trim.format = .flac
        var entry = Example.doneEntry("b.mp3")
        func misnamed(_ names: OutputNames) -> [Bool] {
            [
                names.misnamesWaveforms(of: SettledEntry(entry), recipe.waveform),
                names.misnamesCopy(of: SettledEntry(entry), recipe.trim),
            ]
        }
        let (alone, _) = names(["b.mp3"])
        #expect(misnamed(alone) == [false, false])
        entry.notTrimmed = nil
        entry.trimmed = TrimmedFile(
            path: "b.mp3.flac", durationSeconds: 1, bytes: 1, sha256: "", edits: [])
        #expect(misnamed(alone) == [false, false])
        let (beside, _) = names(["b.mp3", "b.mp3.flac", "b.mp3.dat"])
        #expect(misnamed(beside) == [true, true])
        entry.waveforms = nil
        #expect(misnamed(alone) == [true, false])
    }

    @Test func copyWithoutItsWaveformsIsDetected() {
        var entry = Example.doneEntry("b.wav")
        var recipe = WaveformRecipe()
        func isMisnamed(_ names: OutputNames = OutputNames()) -> Bool {
            names.misnamesCopyWaveforms(of: SettledEntry(entry), recipe)
        }
        recipe.subjects = [.source, .trimmed]
        #expect(!isMisnamed(), "where there is no copy, it has no waveforms")
        entry.trimmed = TrimmedFile(
            path: "b.wav", durationSeconds: 1, bytes: 1, sha256: "", edits: [])
        #expect(isMisnamed())
        entry.trimmed?.waveforms = [Example.waveform("b.wav.trimmed.dat")]
        #expect(!isMisnamed())
        let beside = OutputNames(
            sources: ["b.wav"], others: ["b.wav.trimmed.dat"], recipe: recipe)
        #expect(isMisnamed(beside))
        recipe.subjects = [.source]
        #expect(isMisnamed())
    }
}
