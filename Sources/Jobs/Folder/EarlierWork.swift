import Recordings
import ReducerKit

/// What earlier runs tell of the recordings in a folder, held against the files that are there now.
///
/// It is asked for recordings in the order of their names, as both manifests and listings have
/// them.
package struct EarlierWork {
    /// Of the file of a name in the folder; `nil` where there is none.
    package typealias Stamp = (Pathname) -> FileStamp?

    /// Ascending by name; of their outputs nothing is known yet.
    private let works: [PreviousWork]
    /// The first that may still be asked for.
    private var cursor = 0
    /// Those that were not asked for, and will not be any more.
    private var passed: [Int] = []

    /// - Parameter works: ascending by name, each once.
    package init(_ works: [PreviousWork]) { self.works = works }

    /// Whether it was a recording before, which it then still is, whatever its name.
    package mutating func knows(_ name: Pathname) -> Bool {
        find(name) && works[cursor].entry.ownsItsOutputs
    }

    /// The earlier work on a recording, which is taken once.
    package mutating func take(_ name: Pathname, stamp: Stamp) -> PreviousWork? {
        guard find(name), var work = believed(works[cursor], stamp) else { return nil }
        cursor += 1
        // Shares the memory of a name that is the same.
        work.entry.name = name
        return work
    }

    /// What was not taken.
    package func rest(stamp: Stamp) -> [PreviousWork] {
        (passed + (cursor..<works.count)).compactMap { believed(works[$0], stamp) }
    }

    /// Moves the cursor to where an entry of that name is, or would be; whether it is there.
    private mutating func find(_ name: Pathname) -> Bool {
        while cursor < works.count, works[cursor].entry.name < name {
            passed.append(cursor)
            cursor += 1
        }
        return cursor < works.count && works[cursor].entry.name == name
    }

    /// Work with what has become of its outputs; `nil` where it is not to be believed.
    private func believed(_ work: PreviousWork, _ stamp: Stamp) -> PreviousWork? {
        guard work.entry.ownsItsOutputs else { return nil }
        var work = work
        work.damage = EarlierResults.damage(to: work.entry, stamp: stamp)
        return work
    }
}
