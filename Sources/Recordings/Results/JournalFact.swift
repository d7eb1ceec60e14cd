/// What became of one recording, as the journal keeps it until a manifest does.
///
/// A fact stands by itself: losing one line of a journal loses nothing of another's.
package struct JournalFact: Hashable, Codable, Sendable {
    /// Relative to the root; empty for the root itself.
    package var folder: Pathname
    /// Always with the recipe by which it was made.
    package var entry: ManifestEntry
    /// Outputs that were complete and on the disk when the fact was written, under names of their
    /// own; they move to their places only afterwards.
    package var staged: [StagedFile]
    /// Earlier outputs of the recording that this entry no longer names.
    package var obsolete: [Pathname]
    /// What was said of those when they were made, if it was: the manifest that said it may be gone
    /// before they are.
    package var earlier: [EarlierOutputs]?

    package init(
        folder: Pathname, entry: ManifestEntry, staged: [StagedFile] = [],
        obsolete: [Pathname] = [], earlier: [EarlierOutputs]? = nil
    ) {
        self.folder = folder
        self.entry = entry
        self.staged = staged
        self.obsolete = obsolete
        self.earlier = earlier
    }
}

/// A complete output that is not in its place yet.
package struct StagedFile: Hashable, Codable, Sendable {
    /// Its name for now, in the same folder.
    package var temporary: Pathname
    /// Its name in the output folder of the recording's folder.
    package var name: Pathname

    package init(temporary: Pathname, name: Pathname) {
        self.temporary = temporary
        self.name = name
    }
}
