import Jobs
import Recordings
import ReducerKit

/// A manifest as a run has it printed.
package struct PrintedManifest: Hashable, Sendable {
    package var folder: Pathname
    package var recipe: Boxed<Recipe>
    /// Ascending by name; with their recipes, if these are not the folder's.
    package var entries: [ManifestEntry]
    /// Files that are deleted with it.
    package var superfluous: [Pathname]
    package var isLast: Bool
}

extension SimulatedRecord {
    /// Carries out an order, and returns what was printed.
    package mutating func print(_ order: ManifestOrder) -> PrintedManifest {
        update([order])
        let folder = folders[order.folder] ?? Folder()
        let manifest = folder.manifest(order)
        let superfluous = Set(folder.obsoleteFiles.map(\.name)).sorted()
        didPrint(order.folder, order.isLast ? nil : manifest, removed: superfluous)
        return PrintedManifest(
            folder: order.folder, recipe: order.recipe,
            entries: manifest.recordings, superfluous: superfluous, isLast: order.isLast)
    }

    /// Adds what a listing tells of earlier results, unless it is there.
    package mutating func seed(_ listing: FolderListing, of folder: Pathname) {
        let works = listing.recordings.compactMap(\.previous) + listing.unseen
        for work in works where folders[folder]?.entries[work.entry.name] == nil {
            let entry =
                work.whole?.value
                ?? ManifestEntry(name: work.entry.name, status: work.entry.status, source: nil)
            put([entry], by: work.recipe.value, in: folder)
        }
    }
}
