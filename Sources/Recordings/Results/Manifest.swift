/// What `manifest.json` of one folder says.
package struct Manifest: Hashable, Codable, Sendable {
    /// Grows when a reader of the file would have to change.
    package static let currentVersion = 1

    /// The folder, relative to the root; "." for the root itself.
    package var folder: Pathname
    package var recipe: Recipe
    /// SHA-256 of the recipe as written here, in hexadecimal.
    package var recipeFingerprint: String
    /// Ascending by the bytes of their names.
    package var recordings: [ManifestEntry]
    package var version: Int

    package init(
        folder: Pathname, recipe: Recipe, recipeFingerprint: String, recordings: [ManifestEntry]
    ) {
        self.folder = folder.orDot
        self.recipe = recipe
        self.recipeFingerprint = recipeFingerprint
        // Entries are large: most come in order, and their names can be compared where they are.
        let isSorted = recordings.indices.dropFirst()
            .allSatisfy { recordings[$0 - 1].name < recordings[$0].name }
        self.recordings = isSorted ? recordings : recordings.sorted { $0.name < $1.name }
        self.version = Manifest.currentVersion
    }
}

extension Pathname {
    /// As a manifest spells a folder below the root: the root itself is ".".
    package var orDot: Pathname { isEmpty ? "." : self }
}
