import Recordings
import ReducerKit

/// One folder with recordings: what is settled in it, and what is still to come.
package struct Folder: Hashable, Codable, Sendable {
    /// What its recordings have in common.
    package var context: Boxed<Job.FolderContext>
    /// Settled recordings.
    package var entries: [SettledEntry] = []
    /// Earlier work on recordings that this run has not settled yet.
    package var previous: [RecordingID: PreviousWork] = [:]
    /// Earlier work on recordings that this run does not look at.
    package var unlisted: [PreviousWork] = []
    /// Recordings that are not settled.
    package var unsettled = 0
    /// Whether its manifest no longer says what is so.
    package var needsManifest = false
    /// What the record does not say yet.
    package var changes = RecordChanges()
    /// What is recorded with the manifest that was ordered last, as long as that may still fail.
    package var ordered = RecordChanges()
    /// Recordings that were somewhere else before.
    package var origins: [RecordingID: Origin] = [:]
    /// Recordings of other folders that were here before and are not done yet.
    package var holds = 0
    /// Whether something has changed that is looked at when the present work is done.
    package var isOutdated = false
    /// When it came to be looked after.
    package var loadedSeconds = 0.0
    /// When its manifest was last ordered; `nil` where it was not.
    package var manifestSeconds: Double?

    /// Where a recording was before.
    package struct Origin: Hashable, Codable, Sendable {
        package var folder: FolderID
        /// The folder's path, relative to the root.
        package var path: Pathname
        /// What was made of it there.
        package var entry: Boxed<ManifestEntry>

        package init(folder: FolderID, path: Pathname, entry: Boxed<ManifestEntry>) {
            self.folder = folder
            self.path = path
            self.entry = entry
        }
    }

    package init(_ context: Boxed<Job.FolderContext>) {
        self.context = context
    }

    /// Whether no recording is left in it.
    package var isEmpty: Bool { entries.isEmpty && unlisted.isEmpty && unsettled == 0 }

    /// Relative to the root; empty for the root itself.
    package var path: Pathname { context.value.folder }

    /// The outcome of a recording, which retains earlier outputs if it failed: they may be the
    /// last.
    package func outcome(
        of entry: Boxed<ManifestEntry>, after previous: ManifestEntry
    ) -> Boxed<ManifestEntry> {
        guard entry.value.status == .failed else { return entry }
        let named = Set(entry.value.outputs)
        var entry = entry
        entry.value.leaveBehind(
            previous.outputs.filter { !named.contains($0) }, toldOf: previous.generations)
        return entry
    }

    /// Takes over an outcome that is recorded.
    package mutating func settle(_ id: RecordingID, as entry: SettledEntry) {
        if !previous.isEmpty { previous[id] = nil }
        unsettled -= 1
        entries.append(entry)
        needsManifest = true
    }

    /// Drops changes to a recording whose outcome is about to be recorded.
    package mutating func dropChanges(of recording: Pathname) {
        changes.drop(recording)
        ordered.drop(recording)
    }

    /// Takes over an entry that is not recorded yet.
    package mutating func amend(_ entry: SettledEntry) {
        entries.append(entry)
        note(entry)
    }

    /// Notes an entry that is not recorded yet.
    package mutating func note(_ entry: SettledEntry) {
        changes.amend(entry)
        needsManifest = true
    }

    /// Forgets a recording, with all that was made of it.
    package mutating func forget(_ recording: Pathname) {
        changes.remove(recording)
        needsManifest = true
    }

    /// The order that brings record and manifest up to date.
    package mutating func manifestOrder(recipe: Boxed<Recipe>) -> ManifestOrder {
        needsManifest = false
        ordered = changes
        changes = RecordChanges()
        return ManifestOrder(
            folder: path, recipe: recipe,
            amended: ordered.amended.values.sorted { $0.name < $1.name },
            removed: ordered.removed.sorted())
    }

    /// Takes in that the manifest that was ordered last is written.
    package mutating func takeManifest() { ordered = RecordChanges() }

    /// Has the manifest that was ordered last, and could not be written, ordered again some time.
    package mutating func takeBackManifest() {
        needsManifest = true
        changes.merge(ordered)
        takeManifest()
    }

    /// Lets go of all that only a manifest needs, once it holds everything.
    package mutating func rest() {
        entries = []
        previous = [:]
        unlisted = []
        manifestSeconds = nil
        takeManifest()
    }
}

extension PreviousWork {
    /// The entry as a manifest with the given recipe has to show it.
    func entry(in recipe: Boxed<Recipe>) -> SettledEntry {
        let own = self.recipe == recipe ? nil : self.recipe.value
        guard entry.recipe != own else { return entry }
        var entry = entry
        entry.value.recipe = own
        return entry
    }
}
