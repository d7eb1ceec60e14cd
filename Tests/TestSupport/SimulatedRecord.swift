import Jobs
import Recordings
import ReducerKit

/// The record of an output as a value, with the changes that `OutputRecord` makes by transactions:
/// a change is whole and on the disk, or it did not happen.
package struct SimulatedRecord: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        /// Without its recipe.
        package var entry: ManifestEntry
        package var recipe: Recipe
        package var identity: UInt64?
    }

    package struct Folder: Hashable, Sendable {
        package var entries: [Pathname: Entry] = [:]
        package var files: [RecordedFile] = []
        package var recipe: Recipe?
        /// What was printed last; `nil` if the manifest is still to be.
        package var printed: Manifest?
    }

    /// A file that was renamed to its final name.
    package struct LandedFile: Hashable, Sendable {
        package var folder: Pathname
        package var file: StagedFile

        package init(folder: Pathname, file: StagedFile) {
            self.folder = folder
            self.file = file
        }
    }

    package private(set) var folders: [Pathname: Folder] = [:]

    package init() {}

    /// Folders with results, ascending.
    package var places: [Pathname] {
        folders.filter { !$0.value.entries.isEmpty || !$0.value.files.isEmpty }.keys.sorted()
    }

    package mutating func add(_ facts: [JournalFact], landed: [LandedFile] = []) {
        place(landed)
        for fact in facts { folders[fact.folder, default: Folder()].add(fact) }
    }

    /// The entry of a recording, without its recipe.
    package func entry(_ place: RecordedPlace) -> ManifestEntry? {
        folders[place.folder]?.entries[place.name]?.entry
    }

    /// Adds which file each recording was, and whether there is that under another name.
    package func addIdentities(to works: inout [PreviousWork], in folder: Pathname) {
        for index in works.indices {
            let name = works[index].entry.name
            guard let known = folders[folder]?.entries[name], known.identity != nil else {
                continue
            }
            works[index].identity = known.identity
            works[index].isElsewhere = isElsewhere(name, of: folder)
        }
    }

    /// Whether a recording's file has another name by now.
    func isElsewhere(_ name: Pathname, of folder: Pathname) -> Bool {
        guard let known = folders[folder]?.entries[name], known.identity != nil else {
            return false
        }
        return folders.contains { path, other in
            other.entries.values.contains {
                $0.identity == known.identity && $0.entry.source == known.entry.source
                    && $0.entry.status == .done && $0.entry.failure == nil
                    && (path != folder || $0.entry.name != name)
            }
        }
    }

    /// Results under other names of a file, or of one with this content.
    /// - Parameter isFree: whether no recording has that name, or only another file than this.
    package func find(
        _ order: FindingOrder, digest: String,
        isFree: (RecordedPlace, _ isSameFile: Bool) -> Bool
    ) -> FormerWork? {
        let own = RecordedPlace(folder: order.source.folder, name: order.source.name)
        let all = folders.sorted { $0.key < $1.key }.flatMap { path, folder in
            folder.entries.values.sorted { $0.entry.name < $1.entry.name }
                .filter { $0.entry.failure == nil }
                .map { (RecordedPlace(folder: path, name: $0.entry.name), $0) }
        }.filter { $0.0 != own }
        let found =
            all.first { place, known in
                known.identity != nil && known.identity == order.identity
                    && known.entry.source == order.source.stamp && isFree(place, true)
            }
            ?? all.first { place, known in
                order.goesByContent && known.entry.sourceSHA256 == digest
                    && known.entry.source?.bytes == order.source.stamp.bytes
                    && isFree(place, false)
            }
        guard let (place, known) = found else { return nil }
        var work = PreviousWork(
            entry: SettledEntry(known.entry), recipe: Boxed(known.recipe),
            identity: known.identity)
        work.whole = Boxed(known.entry)
        return FormerWork(place: place, work: work)
    }

    /// Puts entries there as if they had been recorded.
    package mutating func put(_ entries: [ManifestEntry], by recipe: Recipe, in folder: Pathname) {
        for entry in entries { folders[folder, default: Folder()].put(entry, by: recipe) }
        folders[folder]?.recipe = recipe
    }

    package mutating func place(_ landed: [LandedFile]) {
        for landed in landed { folders[landed.folder]?.place(landed.file) }
    }

    package mutating func endRecovery(of folder: Pathname) { folders[folder]?.endRecovery() }

    package mutating func update(_ orders: [ManifestOrder]) {
        for order in orders { folders[order.folder, default: Folder()].update(order) }
    }

    package mutating func didPrint(
        _ folder: Pathname, _ manifest: Manifest?, removed: [Pathname]
    ) {
        folders[folder]?.didPrint(manifest, removed: removed)
        let isEmpty = folders[folder].map { $0.entries.isEmpty && $0.files.isEmpty } ?? true
        if manifest == nil, isEmpty { folders[folder] = nil }
    }

    /// Only what there is of recordings that are gone.
    package var remains: SimulatedRecord {
        var remains = self
        for (path, folder) in folders {
            let gone = folder.entries.filter { $0.value.entry.status == .sourceMissing }
            remains.folders[path]?.entries = gone
            remains.folders[path]?.files = folder.files.filter {
                gone[$0.recording] != nil && $0.state != .obsolete
            }
        }
        return remains
    }
}

extension SimulatedRecord.Folder {
    /// What a manifest says of the folder.
    func manifest(_ order: ManifestOrder) -> Manifest {
        Manifest(
            folder: order.folder, recipe: order.recipe.value, recipeFingerprint: "",
            recordings: entries.values.map { known in
                var entry = known.entry
                entry.recipe = known.recipe == order.recipe.value ? nil : known.recipe
                return entry
            })
    }

    /// Ascending by name.
    package var sorted: [ManifestEntry] { entries.values.map(\.entry).sorted { $0.name < $1.name } }

    /// Ascending by name.
    package var works: [PreviousWork] {
        entries.values.sorted { $0.entry.name < $1.entry.name }.map {
            PreviousWork(entry: SettledEntry($0.entry), recipe: Boxed($0.recipe))
        }
    }

    fileprivate mutating func add(_ fact: JournalFact) {
        let name = fact.entry.name
        for file in fact.staged {
            for other in files where other.name == file.name && other.recording != name {
                switch other.state {
                case .current:
                    entries[other.recording] = nil
                    for index in files.indices
                    where files[index].name == file.name
                        && files[index].recording == other.recording
                    {
                        files[index].state = .obsolete
                    }
                case .kept: dropKept(file.name, of: other.recording)
                case .obsolete: break
                }
            }
        }
        put(
            fact.entry, by: fact.entry.recipe ?? Recipe(), staged: fact.staged,
            abandoned: fact.abandoned)
        entries[name]?.identity = fact.identity
        if fact.entry.status != .sourceMissing { recipe = fact.entry.recipe ?? Recipe() }
        printed = nil
    }

    private mutating func remove(_ recording: Pathname) {
        entries[recording] = nil
        for index in files.indices where files[index].recording == recording {
            files[index].state = .obsolete
        }
    }

    private mutating func dropKept(_ name: Pathname, of recording: Pathname) {
        guard var known = entries[recording] else { return }
        known.entry.leaveBehind(only: (known.entry.leftBehind ?? []).filter { $0 != name })
        put(known.entry, by: known.recipe)
    }

    fileprivate mutating func put(
        _ entry: ManifestEntry, by recipe: Recipe, staged: [StagedFile] = [],
        abandoned: [StagedFile] = []
    ) {
        var bare = entry
        bare.recipe = nil
        let known = entries[entry.name]
        entries[entry.name] = SimulatedRecord.Entry(
            entry: bare, recipe: recipe, identity: known?.identity)
        let own = files.filter { $0.recording == entry.name }
        files.removeAll { $0.recording == entry.name }
        files += own.updated(for: entry, staged: staged, abandoned: abandoned)
    }

    fileprivate mutating func place(_ file: StagedFile) {
        let isNamed = files.contains {
            $0.name == file.name && $0.temporary == file.temporary && $0.state != .obsolete
        }
        if isNamed { files.removeAll { $0.name == file.name && $0.state == .obsolete } }
        for index in files.indices
        where files[index].name == file.name && files[index].temporary == file.temporary {
            files[index].temporary = nil
        }
    }

    fileprivate mutating func endRecovery() {
        let staged = Set(
            files.filter { $0.temporary != nil && $0.state != .obsolete }.map(\.name))
        files.removeAll { $0.state == .obsolete && staged.contains($0.name) }
        for index in files.indices {
            files[index].temporary = nil
            if entries[files[index].recording] == nil { files[index].state = .obsolete }
        }
    }

    fileprivate mutating func update(_ order: ManifestOrder) {
        for (name, change) in order.changes.sorted(by: { $0.key < $1.key }) {
            let known = entries[name]
            guard let entry = change.applied(to: known?.entry, named: name) else {
                remove(name)
                continue
            }
            let own = change.failure == nil ? known?.recipe : nil
            put(entry, by: own ?? order.recipe.value)
        }
        recipe = order.recipe.value
        printed = nil
    }

    /// Whether there are files whose recording has no entry.
    var hasOrphans: Bool {
        files.contains { $0.state != .obsolete && entries[$0.recording] == nil }
    }

    /// Files to be deleted, unless another takes their name.
    var obsoleteFiles: [RecordedFile] {
        let named = Set(files.filter { $0.state != .obsolete }.map(\.name))
        return files.filter { $0.state == .obsolete && !named.contains($0.name) }
    }

    fileprivate mutating func didPrint(_ manifest: Manifest?, removed: [Pathname]) {
        let placed = Set(files.filter { $0.state != .obsolete && $0.temporary == nil }.map(\.name))
        files.removeAll {
            $0.state == .obsolete && (removed.contains($0.name) || placed.contains($0.name))
        }
        printed = manifest
    }
}
