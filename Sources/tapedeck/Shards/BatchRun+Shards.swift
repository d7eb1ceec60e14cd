import Jobs
import Recordings
import Reports
import Workers

extension BatchRun {
    /// Plans shards and says how many recordings they have.
    func plan(shards: Int) throws {
        try ExitStatus.end(saying: FailureText.sentence(for:)) { () throws(RunRefusal) in
            let places = try RunPlaces.resolve(
                paths: options.paths, output: options.output, isMoved: options.repeats.moved)
            guard let file = try settingsFile(places) else { return .usage }
            let plan = try ShardSession.planAnew(
                places, isMoved: options.repeats.moved, count: shards, version: Tapedeck.version
            ) { (record) throws(RunRefusal) in try change(record, places, file).after }
            tell(of: plan.unread)
            if !options.quiet {
                StandardStream.output.write(
                    ShardText.planned(shards, recordings: plan.facts.recordings) + "\n")
            }
            return .allWell
        }
    }

    /// Leaves exports to the merge, in a shard; those that are not wanted any more are removed.
    /// - Returns: the exports for which a shard keeps what only decoding shows.
    func leaveExports(
        _ configuration: inout JobStore.Configuration, _ places: RunPlaces, _ record: OutputRecord
    ) -> ExportChoice? {
        guard places.shard != nil else {
            if configuration.exports == nil, (try? record.hasExports) == true {
                configuration.exports = ExportChoice()
            }
            return nil
        }
        defer { configuration.exports = nil }
        return configuration.exports
    }

    private func tell(of unread: [FileSystemError]) {
        for error in unread {
            StandardStream.complain(
                ShardText.leftToMerge(RunPlaces.shown(error.path), detail: error.detail))
        }
    }

    /// Works on one shard; makes the plan if there is none.
    func work(
        on shard: Shard, in places: RunPlaces, _ file: RunSettingsFile, _ jobs: Int,
        _ trace: TraceWriter?, _ signals: StopSignals?
    ) throws(RunRefusal) -> ExitStatus {
        let patience = ShardSession.Patience(
            tell: { StandardStream.complain(ShardText.waiting(for: shard, holder: $0)) },
            isStopped: { signals?.pending != nil })
        do throws(RunRefusal) {
            let plan = try ShardSession.plan(
                places, patience, isMoved: options.repeats.moved, count: shard.count,
                version: Tapedeck.version
            ) { (record) throws(RunRefusal) in try change(record, places, file).after }
            tell(of: plan.unread)
            try require(plan.facts.settings, places)
            let session = try ShardSession(
                shard, of: plan, places, patience, version: Tapedeck.version)
            return try work(in: session, file, jobs, trace, signals)
        } catch {
            if case .outputBusy = error, let signal = signals?.pending { return ExitStatus(signal) }
            throw error
        }
    }

    private func work(
        in session: borrowing ShardSession, _ file: RunSettingsFile, _ jobs: Int,
        _ trace: TraceWriter?, _ signals: StopSignals?
    ) throws(RunRefusal) -> ExitStatus {
        var status = ExitStatus.allWell
        if !session.places.targets.isEmpty {
            var own = self
            own.planned = session.plan.facts.settings
            status = try own.run(
                in: session.places, file, session.folder.record, session.folder.setAside, jobs,
                trace, signals)
        }
        if status == .allWell || status == .someFailed { try session.finish() }
        if let aside = session.folder.closeRecord() {
            StandardStream.complain(
                FailureText.damagedRecord(
                    setAside: RunPlaces.shown(session.places.catalogue).appending(aside)))
        }
        return status
    }

    /// Refuses options that the plan was not made with; what a settings file says, it knows.
    private func require(
        _ planned: OutputSettings, _ places: RunPlaces
    ) throws(RunRefusal) {
        let change = SettingsChange(
            planned, file: RunSettingsFile().settings, given: options.given,
            forgets: options.source.forgets)
        let isSame = change.after.usual == planned.usual && change.after.folders == planned.folders
        guard !isSame else { return }
        throw .shards(
            places.shownOutput, .otherSettings(changes: SettingsText.changes(change)))
    }
}
