/// The outcome of one recording, journaled until the manifest contains it.
///
/// Each fact is independent: losing one journal line affects no other.
package struct JournalFact: Hashable, Codable, Sendable {
    /// Relative to the root; empty for the root itself.
    package var folder: Pathname
    /// Always includes the recipe that produced it.
    package var entry: ManifestEntry
    /// Complete outputs, synced to disk under temporary names before the fact was written; they are
    /// renamed only afterwards.
    package var staged: [StagedFile]
    /// Complete files that could not be renamed, and are deleted instead.
    package var abandoned: [StagedFile] = []
    /// Earlier outputs of the recording that this entry no longer names.
    package var obsolete: [Pathname]
    /// Earlier records of the obsolete files, if there are any: the manifest that had them may be
    /// overwritten before the files are deleted.
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

/// A complete output that still has a temporary name.
package struct StagedFile: Hashable, Codable, Sendable {
    /// Its temporary name, in the same folder.
    package var temporary: Pathname
    /// Its final name in the output folder of the recording's folder.
    package var name: Pathname

    package init(temporary: Pathname, name: Pathname) {
        self.temporary = temporary
        self.name = name
    }
}
