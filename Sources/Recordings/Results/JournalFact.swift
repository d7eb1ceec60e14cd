/// The outcome of one recording, as it is recorded.
package struct JournalFact: Hashable, Codable, Sendable {
    /// Relative to the root; empty for the root itself.
    package var folder: Pathname
    /// Always includes the recipe that produced it.
    package var entry: ManifestEntry
    /// Complete outputs, synced to disk under temporary names before the outcome is recorded; they
    /// are renamed only afterwards.
    package var staged: [StagedFile]
    /// Complete files that could not be renamed, and are deleted instead.
    package var abandoned: [StagedFile] = []
    /// Distinguishes the recording's file from every other; `nil` if unknown.
    package var identity: UInt64?
    /// Earlier outputs of the recording that this entry no longer names.
    package var obsolete: [Pathname]

    /// As in the journals of versions without a record, which said neither what was
    /// abandoned nor which file it was.
    private enum CodingKeys: CodingKey {
        case folder, entry, staged, obsolete
    }

    package init(
        folder: Pathname, entry: ManifestEntry, staged: [StagedFile] = [],
        obsolete: [Pathname] = []
    ) {
        self.folder = folder
        self.entry = entry
        self.staged = staged
        self.obsolete = obsolete
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
