import Recordings
import ReducerKit

/// What earlier runs tell of the recordings in a folder, held against the files that are there now.
///
/// It is asked for recordings in the order of their names, as both manifests and listings have
/// them.
package struct EarlierWork {
    /// Of the file of a name in the folder; `nil` where there is none.
    package typealias Stamp = (Pathname) -> FileStamp?

    private let recipe: Boxed<Recipe>
    /// Ascending by name.
    private let entries: [ManifestEntry]
    /// The first entry that may still be asked for.
    private var cursor = 0
    /// Entries that were not asked for, and will not be any more.
    private var passed: [Int] = []

    /// - Parameters:
    ///   - manifest: `nil` where it is missing, damaged or of another version.
    ///   - facts: what the journal tells of the folder, in order of writing.
    package init(manifest: Manifest?, facts: [JournalFact]) {
        recipe = Boxed(manifest?.recipe ?? Recipe())
        entries =
            facts.isEmpty
            ? manifest?.recordings ?? [] : EarlierResults.merge(manifest: manifest, facts: facts)
    }

    /// Whether it was a recording before, which it then still is, whatever its name.
    package mutating func knows(_ name: Pathname) -> Bool { find(name) != nil }

    /// The earlier work on a recording, which is taken once.
    package mutating func take(_ name: Pathname, stamp: Stamp) -> PreviousWork? {
        guard let place = find(name) else { return nil }
        cursor = place + 1
        return work(entries[place], stamp)
    }

    /// What was not taken.
    package func rest(stamp: Stamp) -> [PreviousWork] {
        (passed + (cursor..<entries.count)).filter { entries[$0].ownsItsOutputs }
            .map { work(entries[$0], stamp) }
    }

    private mutating func find(_ name: Pathname) -> Int? {
        while cursor < entries.count, entries[cursor].name < name {
            passed.append(cursor)
            cursor += 1
        }
        guard cursor < entries.count, entries[cursor].name == name,
            entries[cursor].ownsItsOutputs
        else { return nil }
        return cursor
    }

    private func work(_ entry: ManifestEntry, _ stamp: Stamp) -> PreviousWork {
        PreviousWork(
            entry: Boxed(entry), recipe: entry.recipe.map { Boxed($0) } ?? recipe,
            damage: EarlierResults.damage(to: entry, stamp: stamp))
    }
}
