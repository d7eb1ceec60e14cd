import Jobs
import Recordings

extension Ledger {
    /// What is wrong with the whole of a run that has ended.
    func violationAtEnd(_ state: JobStore.State) -> String? {
        if finishes != 1 { return "the run finished \(finishes) times" }
        let isInTrouble =
            if case .finished(let reason?) = state.phase { reason.isTrouble } else { false }
        if isInTrouble != (stops == 1) { return "the run is in trouble and does not say so" }
        for (folder, listing) in listings {
            for scanned in listing.recordings {
                let place = Place(folder: folder, name: scanned.name)
                let ends = (settled[place] == nil ? 0 : 1) + (planned.contains(place) ? 1 : 0)
                if ends > 1 { return "\(scanned.name) has ended twice" }
                if ends == 0, !isStopping { return "\(scanned.name) has not come to an end" }
            }
            if isInTrouble { continue }
            if let sentence = violationAtEnd(of: folder, listing) { return sentence }
        }
        return violation(of: state.summary)
    }

    private func violationAtEnd(of folder: Pathname, _ listing: FolderListing) -> String? {
        let work = settled.filter {
            $0.key.folder == folder && (!$0.value.isUpToDate || $0.value.whole != nil)
        }
        let isDue = !work.isEmpty && !configuration.isDryRun
        guard manifests[folder] != nil else {
            return isDue ? "work in \"\(folder)\" stands in no manifest" : nil
        }
        let isOfAnotherRecipe = listing.recipe.map { $0 != configuration.recipes[folder] } ?? false
        let isNews = listing.unseen.contains {
            $0.entry.status != .sourceMissing || !$0.isLeft || isPruning || $0.isElsewhere
                || moved.contains(Place(folder: folder, name: $0.entry.name))
        }
        let isBack = listing.recordings.contains {
            $0.previous?.entry.status == .sourceMissing
        }
        if work.isEmpty, !isNews, !isBack, !listing.isRecovered, !isOfAnotherRecipe {
            return "the manifest of \"\(folder)\" was written for nothing"
        }
        return nil
    }

    private func violation(of summary: Summary) -> String? {
        let entries = settled.values
        let counts: [(String, Int, Int)] = [
            ("found", summary.recordings, listings.values.reduce(0) { $0 + $1.recordings.count }),
            (
                "up to date", summary.upToDate,
                entries.count { $0.entry.status == .done && $0.isUpToDate }
            ),
            (
                "failed", summary.failed,
                entries.count { $0.entry.status == .failed && !$0.isUpToDate }
            ),
            (
                "still failed", summary.stillFailed,
                entries.count { $0.entry.status == .failed && $0.isUpToDate }
            ),
            (
                "done", summary.done,
                entries.count { $0.entry.status == .done && !$0.isUpToDate }
            ),
            ("planned", summary.planned, planned.count),
            ("missing", summary.missing, configuration.prunesMissing ? 0 : gone.count),
            ("pruned", summary.pruned, configuration.prunesMissing ? gone.count : 0),
        ]
        for (what, said, counted) in counts where said != counted {
            return "\(said) recordings are said to be \(what), \(counted) are"
        }
        return nil
    }
}
