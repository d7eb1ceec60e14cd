import Recordings
import ReducerKit

/// One folder with recordings: what is settled in it, and what is still to come.
package struct Folder: Hashable, Codable, Sendable {
    /// What its recordings have in common.
    package var context: Boxed<Job.FolderContext>
    /// Settled recordings; a watch needs them for the next listing.
    package var entries: [PreviousWork] = []
    /// Earlier work on recordings that this run has not settled yet.
    package var previous: [RecordingID: PreviousWork] = [:]
    /// Earlier work on recordings that this run does not look at.
    package var unlisted: [PreviousWork] = []
    /// Recordings that are gone, as long as a run without a watch may find them under other names.
    package var gone: Set<Pathname> = []
    /// Recordings that are not settled.
    package var unsettled = 0
    /// Whether its manifest no longer says what is so.
    package var needsManifest = false
    /// What the record does not say yet.
    package var changes = RecordChanges()
    /// What is recorded with the manifest that was ordered last, as long as that may still fail.
    package var ordered = RecordChanges()
    /// Results under another name that recordings are taking over.
    package var moves: [RecordingID: FormerWork] = [:]
    /// Whether something has changed that is looked at when the present work is done.
    package var isOutdated = false
    /// When it came to be looked after.
    package var loadedSeconds = 0.0
    /// When its manifest was last ordered; `nil` where it was not.
    package var manifestSeconds: Double?

    package init(_ context: Boxed<Job.FolderContext>) {
        self.context = context
    }

    /// Whether no recording is left in it.
    package var isEmpty: Bool { entries.isEmpty && unlisted.isEmpty && unsettled == 0 }

    /// Relative to the root; empty for the root itself.
    package var path: Pathname { context.value.folder }

    /// Takes over an outcome that is recorded.
    package mutating func settle(_ id: RecordingID) {
        if !previous.isEmpty { previous[id] = nil }
        unsettled -= 1
        needsManifest = true
    }

    /// Drops changes to a recording whose outcome is about to be recorded.
    package mutating func dropChanges(of recording: Pathname) {
        changes.drop(recording)
        ordered.drop(recording)
    }

    /// Retains a settled recording's result for the next listing.
    package mutating func keep(_ work: PreviousWork) {
        var work = work
        (work.damage, work.check, work.whole) = ([], nil, nil)
        if work.isElsewhere { work.isElsewhere = false }
        entries.append(work)
    }

    /// Notes a change to an entry that is not recorded yet.
    package mutating func note(_ change: RecordChange, of recording: Pathname) {
        changes.add(change, to: recording)
        needsManifest = true
    }

    /// The order that brings record and manifest up to date.
    package mutating func manifestOrder(recipe: Boxed<Recipe>) -> ManifestOrder {
        needsManifest = false
        ordered = changes
        changes = RecordChanges()
        return ManifestOrder(folder: path, recipe: recipe, changes: ordered.changes)
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
