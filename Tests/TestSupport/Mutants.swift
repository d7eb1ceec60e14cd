import Jobs
import Recordings
import ReducerKit

/// Bugs to plant into a run, to see that the simulation finds them.
package enum Mutant: String, CaseIterable, Sendable {
    // In the decisions:
    case losingAnswers, startingTwice, recordingBeforeSync, missingAStaleStage
    case writingManifestsEarly, publishingBeforeRecording
    case removingObsoleteOutputsEarly, discardingAtOnce
    // In those of watched runs:
    case forgettingWhatWasWritten, ignoringOverflows, keepingStaleResults, believingToKnow
    // In how they are carried out:
    case recoveringWithoutSync, sharingTemporaryNames, placingBeforeSync

    package var reducer: SimulatedWorld.RunReducer {
        let sound = JobStore.uncheckedReducer
        return switch self {
        case .losingAnswers: sound.losingAnswers
        case .startingTwice: sound.startingTwice
        case .recordingBeforeSync: sound.recordingBeforeSync
        case .missingAStaleStage: sound.missingAStaleStage
        case .writingManifestsEarly: sound.writingManifestsEarly
        case .publishingBeforeRecording: sound.publishingBeforeRecording
        case .removingObsoleteOutputsEarly: sound.removingObsoleteOutputsEarly
        case .discardingAtOnce: sound.discardingAtOnce
        case .forgettingWhatWasWritten: sound.forgettingWhatWasWritten
        case .ignoringOverflows: sound.ignoringOverflows
        case .keepingStaleResults: sound.keepingStaleResults
        case .believingToKnow: sound.believingToKnow
        case .recoveringWithoutSync, .sharingTemporaryNames, .placingBeforeSync: sound
        }
    }

    private var isOfWatchedRuns: Bool {
        switch self {
        case .forgettingWhatWasWritten, .ignoringOverflows, .keepingStaleResults,
            .believingToKnow:
            true
        default: false
        }
    }

    /// The first of the seeds that finds it, with what is wrong.
    package func firstFailure(in seeds: Range<UInt64>) -> SimulatedWorld.Failure? {
        for seed in seeds {
            var world = SimulatedWorld(seed: seed, isWatched: isOfWatchedRuns, mutant: self)
            do throws(SimulatedWorld.Failure) {
                try world.run()
            } catch {
                return error
            }
        }
        return nil
    }
}

extension Reducer<JobStore.State, JobStore.Action, JobStore.Command> {
    /// The second group never hears that its files are in their places.
    fileprivate var losingAnswers: Reducer {
        Reducer { state, action, order in
            if case .commit(.published(2, _)) = action { return }
            self(&state, action, order)
        }
    }

    fileprivate var startingTwice: Reducer {
        Reducer { state, action, order in
            self(&state, action) { command in
                order(command)
                if case .job(let id, .listen) = command, id.index == 3 { order(command) }
            }
        }
    }

    fileprivate var recordingBeforeSync: Reducer {
        Reducer { state, action, order in
            for command in self(&state, action) {
                if case .commit(.sync(let group, _)) = command {
                    self(&state, .commit(.synced(group)), order)
                } else {
                    order(command)
                }
            }
        }
    }

    /// It does not see that other cuts are wanted.
    fileprivate var missingAStaleStage: Reducer {
        Reducer { state, action, order in
            guard case .scan(.listed(let id, var listing)) = action else {
                return self(&state, action, order)
            }
            let folder = state.scan.folders.contains(id) ? state.scan.folders[id].path : .empty
            let wanted = state.configuration.recipes[folder].value.trim
            for index in listing.recordings.indices {
                listing.recordings[index].previous?.recipe.value.trim = wanted
            }
            self(&state, .scan(.listed(id, listing)), order)
        }
    }

    /// It does not wait for the other recordings of a folder.
    fileprivate var writingManifestsEarly: Reducer {
        Reducer { state, action, order in
            self(&state, action, order)
            guard case .commit(.published) = action, case .running = state.phase else { return }
            let recipes = state.configuration.recipes
            let early = state.folders.ids.filter { state.folders[$0].needsManifest }
            for id in early {
                let recipe = recipes[state.folders[id].path]
                let manifest = state.folders[id].manifestOrder(recipe: recipe)
                state.manifestsInFlight.insert(id)
                order(.writeManifest(id, manifest))
            }
        }
    }

    fileprivate var publishingBeforeRecording: Reducer {
        Reducer { state, action, order in
            self(&state, action) { command in
                if case .commit(.record(let group, let outcomes, _)) = command {
                    order(.commit(.publish(group, outcomes)))
                }
                order(command)
            }
        }
    }

    /// They go before the record has what takes their place.
    fileprivate var removingObsoleteOutputsEarly: Reducer {
        Reducer { state, action, order in
            self(&state, action) { command in
                if case .commit(.sync(_, let outcomes)) = command {
                    for outcome in outcomes {
                        let made = Set(outcome.entry.value.outputs)
                        let old = outcome.previous?.value.outputs.filter { !made.contains($0) }
                        let files = (old ?? []).map { StagedFile(temporary: $0, name: $0) }
                        order(.commit(.discard(folder: outcome.path, files)))
                    }
                }
                order(command)
            }
        }
    }

    /// What could not be moved goes before the record has that it could not.
    fileprivate var discardingAtOnce: Reducer {
        Reducer { state, action, order in
            let underway = state.commit.underway
            if case .commit(.published(_, let misplaced)) = action {
                for outcome in underway?.outcomes ?? []
                where misplaced.contains(where: { $0.id == outcome.id }) {
                    order(.commit(.discard(folder: outcome.path, outcome.staged)))
                }
            }
            self(&state, action, order)
        }
    }
}
