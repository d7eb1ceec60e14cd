/// The contents of one folder's `manifest.json`.
package struct Manifest: Hashable, Codable, Sendable {
    /// The format version; increased when readers of the file would have to change.
    package static let currentVersion = 1

    /// The folder, relative to the root; "." for the root itself.
    package var folder: Pathname
    package var recipe: Recipe
    /// Hexadecimal SHA-256 of the recipe as encoded here.
    package var recipeFingerprint: String
    /// Sorted by the bytes of their names.
    package var recordings: [ManifestEntry]
    package var version: Int

    package init(
        folder: Pathname, recipe: Recipe, recipeFingerprint: String, recordings: [ManifestEntry]
    ) {
        self.folder = folder.orDot
        self.recipe = recipe
        self.recipeFingerprint = recipeFingerprint
        // Entries are large, and most lists are sorted already: compare names in place first.
        let isSorted = recordings.indices.dropFirst()
            .allSatisfy { recordings[$0 - 1].name < recordings[$0].name }
        self.recordings = isSorted ? recordings : recordings.sorted { $0.name < $1.name }
        self.version = Manifest.currentVersion
    }
}

extension Pathname {
    /// A folder's spelling in a manifest, relative to the root; "." is the root itself.
    package var orDot: Pathname { isEmpty ? "." : self }
}
