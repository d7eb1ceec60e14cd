import Dispatch
import Jobs
import Recordings
import Synchronization

extension ResultTree {
    /// The result of `summarise()`.
    package struct Status: Sendable {
        package var summary: ResultSummary
        /// Covers the requested folder; damaged lines are counted for the whole journal.
        package var journal: JournalSummary
        package var troubles: [Trouble]
    }

    /// Counts the results in manifests and journal, without accessing recordings.
    ///
    /// Distributes folders over the cores.
    package func summarise() -> Status {
        let (facts, journalTrouble) = journal()
        let (folders, folderTroubles) = folders(facts)
        let total = Mutex(Status(summary: .init(), journal: .init(), troubles: []))
        // Small slices, so that the cores finish at about the same time.
        let slice = max(1, folders.count / 64)
        let slices = (folders.count + slice - 1) / slice
        SystemThread.share(slices) { index in
            let some = folders[(index * slice)..<min((index + 1) * slice, folders.count)]
            let counted = count(some, facts)
            total.withLock { $0.add(counted) }
        }
        var status = total.withLock { $0 }
        status.journal.damagedLines = facts?.damaged ?? []
        status.troubles =
            [journalTrouble].compactMap { $0 } + folderTroubles
            + Set(status.troubles).sorted { $0.path < $1.path }
        return status
    }

    private func count(
        _ folders: ArraySlice<Pathname>, _ journal: RecoveredJournal?
    ) -> Status {
        var status = Status(summary: .init(), journal: .init(), troubles: [])
        for folder in folders {
            var facts: [ResultOutcome] = []
            do throws(FileSystemError) {
                facts = try journal?.read(in: folder, ResultOutcome.init) ?? []
            } catch {
                status.troubles.append(journalTrouble(error))
            }
            do throws(ResultTrouble) {
                let manifest = try ManifestSkimmer.read(
                    in: output.appending(folder), ResultOutcome.init)
                status.count(manifest, facts, in: folder)
            } catch {
                status.count(nil, facts, in: folder)
                status.troubles.append(trouble(withManifestIn: folder, error))
            }
        }
        return status
    }
}

extension ResultTree.Status {
    /// Counts one folder: the manifest's entries, overridden by later journal records.
    fileprivate mutating func count(
        _ manifest: ManifestSkimmer.Skimmed<[ResultOutcome]>?, _ facts: [ResultOutcome],
        in folder: Pathname
    ) {
        guard manifest != nil || !facts.isEmpty else { return }
        summary.countFolder()
        let recipe = manifest?.recipe ?? Recipe()
        // A record of a missing recording has an earlier run's settings: nothing was processed.
        let newest = facts.last { $0.status != .sourceMissing }?.recipe ?? recipe
        var latest: [Pathname: ResultOutcome] = [:]
        for fact in facts { latest[fact.name] = fact }
        journal.outcomes += latest.count
        for outcome in manifest?.entries ?? [] where latest.isEmpty || latest[outcome.name] == nil {
            summary.count(outcome, in: folder, recipe: recipe, newest: newest)
        }
        for outcome in latest.values {
            summary.count(outcome, in: folder, recipe: recipe, newest: newest)
        }
    }

    fileprivate mutating func add(_ other: ResultTree.Status) {
        summary.add(other.summary)
        journal.outcomes += other.journal.outcomes
        troubles += other.troubles
    }
}
