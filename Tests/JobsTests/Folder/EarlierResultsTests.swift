import Jobs
import Recordings
import TestSupport
import Testing

@Suite struct EarlierResultsTests {
    private let folderRecipe = recipe(bits: 16)

    private static func recipe(bits: Int) -> Recipe {
        var recipe = Recipe()
        recipe.waveform.bits = bits
        return recipe
    }

    private func entry(_ name: Pathname, bytes: Int64 = 1, recipe: Recipe? = nil) -> ManifestEntry {
        let stamp = FileStamp(bytes: bytes, modifiedNanoseconds: 0)
        var entry = ManifestEntry(name: name, status: .done, source: stamp)
        entry.recipe = recipe
        return entry
    }

    private func manifest(_ entries: [ManifestEntry]) -> Manifest {
        Manifest(folder: "A", recipe: folderRecipe, recipeFingerprint: "", recordings: entries)
    }

    private func fact(_ name: Pathname, bytes: Int64) -> JournalFact {
        JournalFact(folder: "A", entry: entry(name, bytes: bytes, recipe: Recipe()))
    }

    /// Name, size and waveform bits of each entry: what tells where it came from.
    private func merged(_ manifest: Manifest?, _ facts: [JournalFact]) -> [String] {
        EarlierResults.merge(
            manifest: manifest.map { EarlierManifest($0) }, facts: EarlierFacts(facts).all
        ).map {
            "\($0.entry.name) \($0.entry.value.source?.bytes ?? 0) \($0.recipe.value.waveform.bits)"
        }
    }

    @Test func mergeIsEmptyWithoutManifestOrJournal() {
        #expect(merged(nil, []) == [])
    }

    @Test func entryRecipeOverridesFolderRecipe() {
        let manifest = manifest([entry("a"), entry("b", recipe: Self.recipe(bits: 8))])
        #expect(merged(manifest, []) == ["a 1 16", "b 1 8"])
    }

    @Test func journalFactsOverrideManifestEntries() {
        let manifest = manifest([entry("b"), entry("d")])
        let facts = [fact("c", bytes: 2), fact("b", bytes: 3), fact("a", bytes: 4)]
        #expect(merged(manifest, facts) == ["a 4 8", "b 3 8", "c 2 8", "d 1 16"])
        #expect(merged(nil, facts) == ["a 4 8", "b 3 8", "c 2 8"])
    }

    @Test func lastJournalFactOfRecordingWins() {
        let facts = [fact("a", bytes: 2), fact("b", bytes: 9), fact("a", bytes: 3)]
        #expect(merged(manifest([entry("a")]), facts) == ["a 3 8", "b 9 8"])
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func packedJournalFactsRoundTrip(seed: UInt64) {
        let facts = RandomManifest.manifest(seed: seed).recordings.map { entry in
            JournalFact(
                folder: "A", entry: entry,
                staged: entry.made.map { StagedFile(temporary: ".1", name: $0) },
                obsolete: entry.leftBehind ?? [])
        }
        for (fact, kept) in zip(facts, EarlierFacts(facts).all) {
            var entry = fact.entry
            entry.recipe = nil
            #expect(kept.entry.value == entry)
            #expect(kept.recipe?.value == fact.entry.recipe)
            #expect(kept.staged == fact.staged && (kept.leftovers?.names ?? []) == fact.obsolete)
        }
    }

    @Test func manifestEntriesAreSortedAndDeduplicated() {
        let manifest = manifest(
            [entry("c"), entry("a", bytes: 2), entry("b"), entry("a", bytes: 3)])
        #expect(merged(manifest, []) == ["a 3 16", "b 1 16", "c 1 16"])
        #expect(merged(manifest, [fact("b", bytes: 9)]) == ["a 3 16", "b 9 8", "c 1 16"])
    }

    @Test func namesDifferingInNormalisationStayDistinct() {
        let facts = [fact("e\u{301}", bytes: 2)]
        #expect(merged(manifest([entry("é")]), facts).count == 2)
    }
}

// MARK: - Files that a crash left between two places

extension EarlierResultsTests {
    /// An entry with a waveform and a copy, of which it says what their bytes are.
    private func doneFact(
        staged: [StagedFile] = [], obsolete: [Pathname] = []
    ) -> JournalFact {
        var entry = Example.doneEntry("a.wav")
        entry.waveforms?[0].sha256 = "d1"
        entry.trimmed = TrimmedFile(
            path: "a.wav", durationSeconds: 1, bytes: 2_000, sha256: "d2", edits: [])
        return JournalFact(folder: "A", entry: entry, staged: staged, obsolete: obsolete)
    }

    private func file(_ temporary: Pathname, _ name: Pathname) -> StagedFile {
        StagedFile(temporary: temporary, name: name)
    }

    /// What is moved where files with these digests are found, each as long as it should be.
    private func moves(
        _ facts: [JournalFact], finding digest: (Pathname) -> String?
    ) -> [StagedFile] {
        EarlierResults.unfinishedMoves(
            in: EarlierFacts(facts).all,
            stamp: { (name) throws(Never) in
                digest(name).map {
                    FileStamp(bytes: $0 == "d2" ? 2_000 : 100, modifiedNanoseconds: 1)
                }
            }, digest: { (name) throws(Never) in digest(name) })
    }

    @Test func onlyFilesWithMatchingDigestsAreMoved() {
        let drawn = file(".1", "a.wav.dat")
        let copy = file(".2", "a.wav")
        let facts = [doneFact(staged: [drawn, copy])]
        let table: [(digests: [Pathname: String], moves: [StagedFile])] = [
            ([".1": "d1", ".2": "d2"], [drawn, copy]),
            ([".1": "d1"], [drawn]),
            ([".1": "d2", ".2": "d1"], []),
            ([".1": "", ".2": "d2"], [copy]),
            // What bears its own name already needs no move.
            (["a.wav.dat": "d1", "a.wav": "d2"], []),
            ([:], []),
        ]
        for (digests, moves) in table {
            #expect(
                Set(self.moves(facts) { digests[$0] }) == Set(moves), "\(digests)")
        }
    }

    @Test func stagedFileWithForeignNameIsNotMoved() {
        let foreign = [
            file(".1", "../a.wav.dat"), file(".1", "b.wav.dat"), file(".1", "/a.wav.dat"),
            file(".1", "a.wav/x"), file(".1", ""), file(".1", ".."), file(".1", "manifest.json"),
            // Nor from a place where no run leaves its files.
            file("../.1", "a.wav.dat"), file("x", "a.wav.dat"), file("", "a.wav.dat"),
            file(".x/1", "a.wav.dat"), file("..", "a.wav.dat"), file("/.1", "a.wav.dat"),
        ]
        for file in foreign {
            var fact = doneFact(staged: [file])
            // Even where the entry names it and the bytes would match.
            fact.entry.waveforms?[0].path = file.name
            #expect(moves([fact]) { _ in "d1" } == [], "\(file)")
        }
    }

    /// The waveforms of silent recordings are alike to the byte.
    @Test func stagedFileMustMatchSizeAndTimestamp() {
        let drawn = file(".1", "a.wav.dat")
        for (bytes, time) in [(100, 2), (101, 1), (100, 1)] as [(Int64, Int64)] {
            let found = FileStamp(bytes: bytes, modifiedNanoseconds: time)
            let moves = EarlierResults.unfinishedMoves(
                in: EarlierFacts([doneFact(staged: [drawn])]).all,
                stamp: { (name) throws(Never) in name == ".1" ? found : nil },
                digest: { (_) throws(Never) in "d1" })
            #expect(moves == (bytes == 100 && time == 1 ? [drawn] : []))
        }
    }

    @Test func lastFactOwnsReusedTemporaryName() {
        var other = doneFact(staged: [file(".1", "b.wav.dat")])
        other.entry.name = "b.wav"
        other.entry.waveforms?[0].path = "b.wav.dat"
        let drawn = file(".1", "a.wav.dat")
        let first = doneFact(staged: [drawn])
        #expect(moves([first, other]) { _ in "d1" } == other.staged)
        #expect(moves([other, first]) { _ in "d1" } == [drawn])
    }

    @Test func stagedFileMissingFromEntryIsNotMoved() {
        let fact = doneFact(staged: [file(".1", "a.wav.64.dat")])
        #expect(moves([fact]) { _ in "d1" } == [])
    }

    @Test func obsoleteOutputsAreListedWithoutForeignNames() {
        let facts = [
            doneFact(obsolete: ["a.wav.json", "../a.wav", "b.wav"]),
            doneFact(obsolete: ["a.wav.64.dat", "a.wav/x", ""]),
        ]
        #expect(
            EarlierResults.superfluous(in: EarlierFacts(facts).all) == [
                Leftovers(["a.wav.json"], of: "a.wav", toldOf: []),
                Leftovers(["a.wav.64.dat"], of: "a.wav", toldOf: []),
            ])
    }

    // MARK: Damage

    private static let second: Int64 = 1_000_000_000

    /// Damage to an entry whose waveform of 100 bytes and copy of 2000 are as said.
    private func damage(
        source: Int64 = 4 * second, waveform: FileStamp?, copy: FileStamp?
    ) -> [OutputDamage] {
        var entry = doneFact().entry
        entry.source?.modifiedNanoseconds = source
        return EarlierResults.damage(to: entry) {
            ["a.wav.dat": waveform, "a.wav": copy][$0] ?? nil
        }
    }

    private func stamp(_ bytes: Int64, _ time: Int64 = 4 * second) -> FileStamp {
        FileStamp(bytes: bytes, modifiedNanoseconds: time)
    }

    private func missing(_ name: Pathname, _ stage: Stages) -> OutputDamage {
        OutputDamage(name: name, kind: .missing, stage: stage)
    }

    private func altered(_ name: Pathname, _ stage: Stages) -> OutputDamage {
        OutputDamage(name: name, kind: .altered, stage: stage)
    }

    @Test func missingAndAlteredOutputsAreReported() {
        let waveform = stamp(100)
        let copy = stamp(2_000)
        #expect(damage(waveform: waveform, copy: copy) == [])
        #expect(damage(waveform: nil, copy: copy) == [missing("a.wav.dat", .waveform)])
        #expect(damage(waveform: waveform, copy: nil) == [missing("a.wav", .trim)])
        #expect(damage(waveform: stamp(99), copy: copy) == [altered("a.wav.dat", .waveform)])
        #expect(
            damage(waveform: waveform, copy: stamp(2_000, 4 * Self.second + 1))
                == [altered("a.wav", .trim)])
        #expect(
            damage(waveform: nil, copy: stamp(1))
                == [missing("a.wav.dat", .waveform), altered("a.wav", .trim)])
    }

    @Test func timestampsRoundedToTwoSecondsAreAccepted() {
        let table: [(source: Int64, output: Int64, isWhole: Bool)] = [
            (5 * Self.second, 4 * Self.second, true), (5 * Self.second, 6 * Self.second, true),
            (5 * Self.second, 5 * Self.second + 1, false),
            (7 * Self.second, 4 * Self.second, false), (6 * Self.second, 4 * Self.second, false),
            (-Self.second, 0, true), (-Self.second, -2 * Self.second, true),
            (.max, .max, true), (.max, 0, false), (.min, .max, false), (.min, 0, false),
        ]
        for (source, output, isWhole) in table {
            let found = damage(
                source: source, waveform: stamp(100, output), copy: stamp(2_000, source))
            #expect(found.isEmpty == isWhole, "\(source) \(output)")
        }
    }

    @Test func recordingWithoutOutputsHasNoDamage() {
        var failed = ManifestEntry(name: "a.wav", status: .failed, source: Example.stamp)
        #expect(EarlierResults.damage(to: failed) { _ in nil } == [])
        failed.source = nil
        #expect(EarlierResults.damage(to: failed) { _ in nil } == [])
    }

    @Test func entryOwnsOnlyOutputsNamedAfterIt() {
        for path in ["a.wav", "a.wav.2.flac", "a.wav.dat"] as [Pathname] {
            var entry = doneFact().entry
            entry.trimmed?.path = path
            #expect(entry.ownsItsOutputs, "\(path)")
        }
        for path in ["b.wav", "../a.wav", "a.wav/x", "", "/a.wav", ".."] as [Pathname] {
            var entry = doneFact().entry
            entry.trimmed?.path = path
            #expect(!entry.ownsItsOutputs, "\(path)")
            var left = ManifestEntry(name: "a.wav", status: .failed, source: nil)
            left.leftBehind = [path]
            #expect(!left.ownsItsOutputs, "\(path)")
            left.leftBehind = ["a.wav"]
            left.earlier = entry.generations
            #expect(!left.ownsItsOutputs, "\(path)")
        }
    }
}
