import Recordings
import ReducerKit

/// What earlier runs tell of the recordings in a folder, held against the files that are there now.
package struct EarlierWork {
    private let recipe: Boxed<Recipe>
    private let entries: [ManifestEntry]
    private let stamp: (Pathname) -> FileStamp?
    /// Where in `entries` a recording is, until it is taken.
    private var places: [Pathname: Int]

    /// - Parameters:
    ///   - manifest: `nil` where it is missing, damaged or of another version.
    ///   - facts: what the journal tells of the folder, in order of writing.
    ///   - stamp: of the file of a name in the folder; `nil` where there is none.
    package init(
        manifest: Manifest?, facts: [JournalFact], stamp: @escaping (Pathname) -> FileStamp?
    ) {
        recipe = Boxed(manifest?.recipe ?? Recipe())
        entries =
            facts.isEmpty
            ? manifest?.recordings ?? [] : EarlierResults.merge(manifest: manifest, facts: facts)
        self.stamp = stamp
        places = [:]
        places.reserveCapacity(entries.count)
        for (place, entry) in entries.enumerated() where entry.ownsItsOutputs {
            places[entry.name] = place
        }
    }

    /// Whether it was a recording before, which it then still is, whatever its name.
    package func knows(_ name: Pathname) -> Bool { places[name] != nil }

    /// The earlier work on a recording; what is not taken is in `rest`.
    package mutating func take(_ name: Pathname) -> PreviousWork? {
        places.removeValue(forKey: name).map { work(entries[$0]) }
    }

    package var rest: [PreviousWork] {
        places.values.sorted().map { work(entries[$0]) }
    }

    private func work(_ entry: ManifestEntry) -> PreviousWork {
        PreviousWork(
            entry: Boxed(entry), recipe: entry.recipe.map { Boxed($0) } ?? recipe,
            damage: EarlierResults.damage(to: entry, stamp: stamp))
    }
}
