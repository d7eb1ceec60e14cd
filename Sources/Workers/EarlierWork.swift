import Jobs
import Recordings
import ReducerKit

/// What a folder's manifest and the journal tell of earlier runs, held against the files that are
/// there now.
///
/// Asked for recordings in the order of their names, as both the manifest and a listing have them.
struct EarlierWork: ~Copyable {
    private let path: Pathname
    /// `nil` where there is none yet.
    private let folder: OpenFolder?
    private let recipe: Boxed<Recipe>
    /// Ascending by name.
    private let entries: [ManifestEntry]
    /// The first entry that may still be asked for.
    private var cursor = 0
    /// Entries that nobody has asked for, and none will any more.
    private var passed: [Int] = []
    /// In a dry run: outputs that a run would put in their places.
    private var unmoved: Set<Pathname> = []

    /// Ends what a crash interrupted in the folder, and reads what is known of it; a dry run only
    /// reads.
    ///
    /// A manifest that is missing, damaged or of another version counts as none.
    init(in output: Pathname, facts: [JournalFact], isDryRun: Bool) {
        path = output
        folder = try? OpenFolder(output)
        let manifest = try? ManifestFile.read(in: output)
        recipe = Boxed(manifest?.recipe ?? Recipe())
        entries =
            facts.isEmpty
            ? manifest?.recordings ?? [] : EarlierResults.merge(manifest: manifest, facts: facts)
        finishMoves(of: facts, isDryRun: isDryRun)
        if !isDryRun { cleanUp() }
    }

    /// Whether it was a recording before, which it then still is, whatever its name.
    mutating func knows(_ name: Pathname) -> Bool { find(name) != nil }

    /// The earlier work on a recording.
    mutating func take(_ name: Pathname) -> PreviousWork? {
        guard let place = find(name) else { return nil }
        cursor = place + 1
        return work(entries[place])
    }

    /// What was not taken.
    mutating func rest() -> [PreviousWork] {
        let left = passed + (cursor..<entries.count)
        return left.filter { entries[$0].ownsItsOutputs }.map { work(entries[$0]) }
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

    private func work(_ entry: ManifestEntry) -> PreviousWork {
        PreviousWork(
            entry: Boxed(entry), recipe: entry.recipe.map { Boxed($0) } ?? recipe,
            damage: EarlierResults.damage(to: entry) { name in
                // In a dry run it is still under its temporary name.
                unmoved.contains(name)
                    ? entry.recordedStamp(of: name) : (try? folder?.status(of: name))?.stamp
            })
    }

    /// Moves files to their places that a crash kept from it.
    private mutating func finishMoves(of facts: [JournalFact], isDryRun: Bool) {
        let moves = EarlierResults.unfinishedMoves(in: facts) { name in
            (try? StagedOutput.receipt(of: path.appending(name)))?.sha256
        }
        for file in moves {
            if isDryRun {
                unmoved.insert(file.name)
            } else {
                // One that cannot be moved is missing, and will be made again.
                try? FileSystem.rename(
                    path.appending(file.temporary), to: path.appending(file.name))
            }
        }
    }

    /// Removes temporary files that a run left which was killed.
    ///
    /// No other run can be writing here: this one holds the output's lock.
    private func cleanUp() {
        let names = (try? folder?.names(beginningWith: ".tapedeck.")) ?? []
        for name in names where StagedOutput.isTemporary(name) {
            try? FileSystem.remove(path.appending(name))
        }
    }
}

extension ManifestEntry {
    /// The stamp that a file of this recording has to have.
    fileprivate func recordedStamp(of file: Pathname) -> FileStamp? {
        let bytes =
            trimmed?.path == file ? trimmed?.bytes : waveforms?.first { $0.path == file }?.bytes
        guard let bytes, let source else { return nil }
        return FileStamp(bytes: bytes, modifiedNanoseconds: source.modifiedNanoseconds)
    }
}
