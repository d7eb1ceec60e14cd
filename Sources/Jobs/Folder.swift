import Recordings

/// One folder with recordings: what is settled in it, and what is still to come.
package struct Folder: Hashable, Codable, Sendable {
    /// Relative to the root; empty for the root itself.
    package var path: Pathname
    package var names = OutputNames()
    /// Settled recordings.
    package var entries: [ManifestEntry] = []
    /// Earlier work on recordings that this run has not settled yet.
    package var previous: [RecordingID: PreviousWork] = [:]
    /// Earlier work on recordings that this run does not look at.
    package var unlisted: [PreviousWork] = []
    /// Recordings that are not settled.
    package var unsettled = 0
    /// Whether its manifest no longer says what is so.
    package var needsManifest = false
    /// Earlier outputs of recordings that were done anew and did not need them again.
    package var obsolete: [Pathname] = []

    package init(path: Pathname) {
        self.path = path
    }

    /// Takes in what became of a recording; gives back the entry as the manifest will show it.
    package mutating func settle(
        _ id: RecordingID, as entry: ManifestEntry, recipe: WaveformRecipe
    ) -> ManifestEntry {
        let before = previous.removeValue(forKey: id)
        unsettled -= 1
        return settle(entry, instead: before?.entry, recipe: recipe)
    }

    /// Takes in an entry in the place of an earlier one.
    package mutating func settle(
        _ entry: ManifestEntry, instead before: ManifestEntry?, recipe: WaveformRecipe
    ) -> ManifestEntry {
        let kept = Set(entry.outputs)
        let superfluous = (before?.outputs ?? []).filter { !kept.contains($0) }
        var entry = entry
        switch entry.status {
        case .done: obsolete += superfluous
        case .failed:
            // Under a name that is not its own any more, another may write by now.
            let owned = names.owned(by: entry.name, recipe)
            let left = superfluous.filter { owned.contains($0) }
            entry.leftBehind = left.isEmpty ? nil : left
        }
        entries.append(entry)
        needsManifest = true
        return entry
    }

    /// The order that brings the manifest up to date.
    ///
    /// Earlier work that this run has not come to keeps its place, with the recipe it was made by,
    /// unless one of its outputs now bears the name of another's: the next run does it again.
    package mutating func manifestOrder(recipe: Recipe) -> ManifestOrder {
        needsManifest = false
        let settled = Set(entries.flatMap(\.outputs))
        let earlier = (previous.values + unlisted)
            .filter { settled.isDisjoint(with: $0.entry.outputs) }
            .map { $0.entry(in: recipe) }
        let named = settled.union(earlier.flatMap(\.outputs))
        defer { obsolete = [] }
        return ManifestOrder(
            folder: path, recipe: recipe,
            entries: (entries + earlier).sorted { $0.name < $1.name },
            obsolete: obsolete.filter { !named.contains($0) }.sorted())
    }
}

extension PreviousWork {
    /// The entry as a manifest with the given recipe has to show it.
    func entry(in recipe: Recipe) -> ManifestEntry {
        var entry = entry
        entry.recipe = self.recipe == recipe ? nil : self.recipe
        return entry
    }
}

extension ManifestEntry {
    /// Names of the files made of this recording.
    package var outputs: [Pathname] {
        (waveforms ?? []).map(\.path) + (trimmed.map { [$0.path] } ?? []) + (leftBehind ?? [])
    }
}
