import Recordings
import ReducerKit

/// Writes outcomes to the disk in groups, in a crash-safe order.
///
/// The files of a group are synced under temporary names; then one transaction records them; then
/// they are renamed into place. The next group gathers until the clock ticks, so that
/// 100,000 small recordings do not cost 100,000 syncs.
package enum Commit {
    /// The size at which a group is committed without waiting, by the number of earlier groups.
    ///
    /// Larger groups cost fewer syncs, but a full disk or a crash loses more: never more than a
    /// quarter of what earlier full groups have written.
    package static func fullGroup(after groups: Int) -> Int {
        switch groups {
        case ..<8: 16
        case ..<16: 32
        default: 64
        }
    }

    /// The outcome of a recording, not certain to be on the disk yet.
    package struct Outcome: Hashable, Codable, Sendable {
        package var id: RecordingID
        package var folder: FolderID
        /// The folder's path, relative to the root.
        package var path: Pathname
        package var entry: Boxed<ManifestEntry>
        /// Distinguishes the recording's file from every other; `nil` if unknown.
        package var identity: UInt64?
        /// Complete files that are not yet moved into place.
        package var staged: [StagedFile]
        /// The recording's earlier entry; `nil` if it is new.
        package var previous: Boxed<ManifestEntry>?
        /// Complete files that could not be moved to their places.
        ///
        /// The record names them until it has this outcome: they are deleted only then.
        package var abandoned: [StagedFile] = []

        package init(
            id: RecordingID, folder: FolderID, path: Pathname, entry: Boxed<ManifestEntry>,
            identity: UInt64? = nil, staged: [StagedFile] = [],
            previous: Boxed<ManifestEntry>? = nil
        ) {
            self.previous = previous
            self.id = id
            self.folder = folder
            self.path = path
            self.entry = entry
            self.identity = identity
            self.staged = staged
        }
    }

    /// Outcomes whose commit has ended.
    package struct Ended: Equatable, Sendable {
        /// Those that are on the disk, for their folders to record.
        package var landed: [Outcome] = []
        /// Those that were dropped and are left to the next run.
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
        /// Whether the next group may wait, because more outcomes may come soon.
        package var awaitsMore = false
        /// Whether the gathered outcomes have waited long enough.
        package var isDue = false
        package var underway: Group?
        /// Number of groups begun.
        package var groups = 0
        /// Whether nothing can be written any more, so that all further outcomes are dropped.
        package var isBroken = false

        package init() {}

        /// Number of outcomes that are not certain to be on the disk.
        package var count: Int { gathering.count + (underway?.outcomes.count ?? 0) }
    }

    /// The large cases are boxed, so that actions are cheap to hand from reducer to reducer.
    package enum Action: Hashable, Codable, Sendable {
        case synced(Int)
        indirect case syncFailed(Int, RecordingFailure)
        case recorded(Int)
        indirect case recordFailed(Int, RecordingFailure)
        /// The files are in place, except those of the misplaced recordings.
        case published(Int, [Misplacement])
    }

    /// A recording whose files could not all be moved into place.
    package struct Misplacement: Hashable, Codable, Sendable {
        package var id: RecordingID
        package var failure: RecordingFailure
        /// Names of the files that were moved before the failure.
        package var landed: [Pathname]

        package init(id: RecordingID, failure: RecordingFailure, landed: [Pathname]) {
            self.id = id
            self.failure = failure
            self.landed = landed
        }
    }

    package enum Command: Hashable, Codable, Sendable {
        /// Sync the staged files to the disk. Answered by `synced` or `syncFailed`.
        case sync(Int, [Outcome])
        /// Record the outcomes in one transaction. Answered by `recorded` or `recordFailed`.
        case record(Int, [Outcome], Recipes)
        /// Move the staged files to their places. Answered by `published`.
        case publish(Int, [Outcome])
        /// Delete staged files that nothing will name. Not answered.
        case discard(folder: Pathname, [StagedFile])
    }
}

extension Commit.Outcome {
    /// The recording's name.
    package var name: Pathname { entry.value.name }
}

extension JournalFact {
    /// The record of an outcome, with the recipe that made it.
    package init(_ outcome: Commit.Outcome, _ recipes: Recipes) {
        var entry = outcome.entry.value
        entry.recipe = entry.recipe ?? recipes[outcome.path].value
        self.init(folder: outcome.path, entry: entry, staged: outcome.staged)
        abandoned = outcome.abandoned
        identity = outcome.identity
    }
}
