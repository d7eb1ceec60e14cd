import Jobs
import Recordings
import ReducerKit
import TestSupport

@testable import Workers

extension OutputRecord {
    /// Records results as an earlier run did that printed no manifest.
    func put(
        _ entries: [ManifestEntry], in folder: Pathname, recipe: Recipe = Recipe()
    ) throws(FileSystemError) {
        let facts = entries.map { entry in
            var entry = entry
            entry.recipe = entry.recipe ?? recipe
            return JournalFact(folder: folder, entry: entry)
        }
        try add(facts)
        try update([ManifestOrder(folder: folder, recipe: Boxed(recipe))])
    }
}
