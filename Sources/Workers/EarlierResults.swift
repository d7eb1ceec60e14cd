import Recordings

/// What is known of a folder's recordings from earlier runs.
package enum EarlierResults {
    /// The entries of a manifest with what a journal tells since put on top: of several facts about
    /// a recording the last one counts.
    ///
    /// Ascending by name, each with the recipe by which it was made.
    package static func merge(
        manifest: Manifest?, facts: [JournalFact]
    ) -> [ManifestEntry] {
        var entries = manifest?.recordings ?? []
        if !facts.isEmpty {
            var latest: [Pathname: ManifestEntry] = [:]
            for fact in facts { latest[fact.entry.name] = fact.entry }
            entries.removeAll { latest[$0.name] != nil }
            entries = (entries + latest.values).sorted { $0.name < $1.name }
        }
        let recipe = manifest?.recipe ?? Recipe()
        for index in entries.indices where entries[index].recipe == nil {
            entries[index].recipe = recipe
        }
        return entries
    }
}
