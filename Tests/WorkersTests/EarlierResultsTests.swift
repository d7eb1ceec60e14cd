import Recordings
import TestSupport
import Testing

@testable import Workers

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
        EarlierResults.merge(manifest: manifest, facts: facts).map {
            "\($0.name) \($0.source?.bytes ?? 0) \($0.recipe?.waveform.bits ?? 0)"
        }
    }

    @Test func isEmptyWhereNothingIsKnown() {
        #expect(merged(nil, []) == [])
    }

    @Test func givesEachEntryItsRecipe() {
        let manifest = manifest([entry("a"), entry("b", recipe: Self.recipe(bits: 8))])
        #expect(merged(manifest, []) == ["a 1 16", "b 1 8"])
    }

    @Test func putsFactsOnTopOfTheManifest() {
        let manifest = manifest([entry("b"), entry("d")])
        let facts = [fact("c", bytes: 2), fact("b", bytes: 3), fact("a", bytes: 4)]
        #expect(merged(manifest, facts) == ["a 4 8", "b 3 8", "c 2 8", "d 1 16"])
        #expect(merged(nil, facts) == ["a 4 8", "b 3 8", "c 2 8"])
    }

    @Test func believesTheLastFactAboutARecording() {
        let facts = [fact("a", bytes: 2), fact("b", bytes: 9), fact("a", bytes: 3)]
        #expect(merged(manifest([entry("a")]), facts) == ["a 3 8", "b 9 8"])
    }

    @Test func takesNamesThatLookAlikeForTwo() {
        let facts = [fact("e\u{301}", bytes: 2)]
        #expect(merged(manifest([entry("é")]), facts).count == 2)
    }
}
