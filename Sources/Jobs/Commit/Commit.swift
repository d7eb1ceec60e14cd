import Recordings
import ReducerKit

/// How outcomes get onto the disk: in groups, and in an order that a crash cannot undo.
///
/// The files of a group are synced under temporary names; then the journal records them, and is
/// synced; then they are renamed into place. Meanwhile the next group gathers, until the clock
/// ticks: so 100,000 small recordings do not cost 100,000 syncs.
package enum Commit {
    /// As many outcomes as are worth a sync of their own, when there were so many groups before.
    ///
    /// Larger groups cost less, and a full disk or a crash takes more of them: never more than a
    /// quarter of what full groups before have brought onto the disk.
    package static func fullGroup(after groups: Int) -> Int {
        switch groups {
        case ..<8: 16
        case ..<16: 32
        default: 64
        }
    }

    /// What has become of a recording and is not on the disk for certain.
    package struct Outcome: Hashable, Codable, Sendable {
        package var id: RecordingID
        package var folder: FolderID
        /// The folder's path, relative to the root.
        package var path: Pathname
        package var entry: Boxed<ManifestEntry>
        /// Complete files that are not in their places.
        package var staged: [StagedFile]
        /// Earlier outputs that the entry no longer names.
        package var obsolete: [Pathname]
        /// Earlier outputs under names that the entry goes on naming.
        package var replaced: [Pathname]
        /// What was said of both when they were made.
        package var earlier: [EarlierOutputs] = []
        /// Complete files that could not be moved to their places.
        ///
        /// The journal names them until it has this outcome: they go only then.
        package var abandoned: [StagedFile] = []

        package init(
            id: RecordingID, folder: FolderID, path: Pathname, entry: Boxed<ManifestEntry>,
            staged: [StagedFile] = [], obsolete: [Pathname] = [], replaced: [Pathname] = []
        ) {
            self.replaced = replaced
            self.id = id
            self.folder = folder
            self.path = path
            self.entry = entry
            self.staged = staged
            self.obsolete = obsolete
        }
    }

    /// Outcomes whose way to the disk has ended.
    package struct Ended: Equatable, Sendable {
        /// Those that are safe, for their folders to take.
        package var landed: [Outcome] = []
        /// Those that were given up, and are left to the next run.
        package var dropped: [Outcome] = []
    }

    package enum Step: Hashable, Codable, Sendable {
        case syncing, recording, publishing
    }

    package struct Group: Hashable, Codable, Sendable {
        package var number: Int
        package var step: Step
        package var outcomes: [Outcome]

        package init(number: Int, step: Step, outcomes: [Outcome]) {
            self.number = number
            self.step = step
            self.outcomes = outcomes
        }
    }

    package struct State: Hashable, Codable, Sendable {
        /// Outcomes for the next group.
        package var gathering: [Outcome] = []
        /// Whether more of them may come soon, so that the next group may wait for them.
        package var awaitsMore = false
        /// Whether what has gathered has waited for long enough.
        package var isDue = false
        package var underway: Group?
        /// Groups begun.
        package var groups = 0
        /// Whether the next group waits until manifests hold what the journal has, and it is put
        /// away.
        package var isHeld = false
        /// Whether nothing can be kept any more, so that all that still comes is given up.
        package var isBroken = false

        package init() {}

        /// Outcomes that are not on the disk for certain.
        package var count: Int { gathering.count + (underway?.outcomes.count ?? 0) }
    }

    /// The large cases are boxed, so that actions are cheap to hand from reducer to reducer.
    package enum Action: Hashable, Codable, Sendable {
        case synced(Int)
        indirect case syncFailed(Int, RecordingFailure)
        case recorded(Int)
        indirect case recordFailed(Int, RecordingFailure)
        /// The files are in their places, but for those of some recordings.
        case published(Int, [Misplacement])
    }

    /// A recording whose files could not all be moved to their places.
    package struct Misplacement: Hashable, Codable, Sendable {
        package var id: RecordingID
        package var failure: RecordingFailure
        /// Names of those that were moved before.
        package var landed: [Pathname]

        package init(id: RecordingID, failure: RecordingFailure, landed: [Pathname]) {
            self.id = id
            self.failure = failure
            self.landed = landed
        }
    }

    package enum Command: Hashable, Codable, Sendable {
        /// Bring the staged files onto the disk. Answered by `synced` or `syncFailed`.
        case sync(Int, [Outcome])
        /// Append to the journal, and sync it. Answered by `recorded` or `recordFailed`.
        case record(Int, [Outcome], Boxed<Recipe>)
        /// Move the staged files to their places. Answered by `published`.
        case publish(Int, [Outcome])
        /// Remove staged files that nobody will name. Not answered.
        case discard(folder: Pathname, [StagedFile])
    }
}

extension Commit.Outcome {
    /// The recording's name.
    package var name: Pathname { entry.value.name }

    /// What is to go, now that the outcome is safe.
    var leftovers: Leftovers? {
        obsolete.isEmpty ? nil : Leftovers(obsolete, of: name, toldOf: earlier)
    }
}

extension JournalFact {
    /// An outcome as the journal has it: by itself, with the recipe by which it was made.
    package init(_ outcome: Commit.Outcome, recipe: Recipe) {
        var entry = outcome.entry.value
        entry.recipe = entry.recipe ?? recipe
        let told = outcome.earlier.telling(of: outcome.obsolete)
        self.init(
            folder: outcome.path, entry: entry, staged: outcome.staged,
            obsolete: outcome.obsolete, earlier: told.isEmpty ? nil : told)
    }
}
