import Recordings
import Reports
import Synchronization

/// Tells open pages what has changed: in the record, and in the state of a run of this process.
///
/// A message is the text of an event's data (JSON). Whoever misses one notices by the sum of times
/// in the next, and asks for all rows again. All calls block on the disk.
package final class ServedFeed: Sendable {
    /// What the pages of a folder were told.
    private struct Told {
        var seconds: Int64 = 0
        /// Entries of that time, by name.
        var latest: [Pathname: Int] = [:]
        /// What was said of the run.
        var run = ""
    }

    private struct State {
        var version: Int64?
        var folders: [Pathname: Told] = [:]
        /// Whether the list of folders has to be told, and when it may be: to count all recordings
        /// takes long.
        var list = (isStale: false, due: ContinuousClock.now)
        /// What is known of the run.
        var facts: (@Sendable () -> WatchFacts)?
    }

    package let output: ServedOutput
    private let state = Mutex(State())

    /// The number of recordings in work or waited for that pages list, at most.
    package static let mostPending = 64

    package init(_ output: ServedOutput) { self.output = output }

    /// - Parameter facts: of the run, called whenever pages are told of it; `nil` once it is over.
    package func tell(of facts: (@Sendable () -> WatchFacts)?) {
        state.withLock { $0.facts = facts }
    }

    /// The first message for a page of a folder, with the rows that changed at or after a time.
    package func welcome(to folder: Pathname, since seconds: Int64) -> String? {
        let run = ServedFeed.members(facts(), in: folder)
        return state.withLock { state -> String? in
            guard let changes = try? output.record.changes(in: folder, since: seconds) else {
                return nil
            }
            if state.folders[folder] == nil {
                state.folders[folder] = Told(
                    seconds: changes.seconds, latest: changes.latest, run: run)
            }
            state.list.isStale = true
            return "{\(run),\(members(changes, in: folder))}"
        }
    }

    /// What is known of the run now; it may be busy for a while.
    package func facts() -> WatchFacts? { state.withLock { $0.facts }?() }

    /// The messages for pages of folders; nothing for those that were told all of it.
    ///
    /// The record is read after the state of the run: what is over there is in it.
    /// - Parameter facts: of the run.
    package func news(
        for folders: Set<Pathname>, _ facts: WatchFacts? = nil
    ) -> [Pathname: String] {
        state.withLock { state in
            let record = output.record
            let version = try? record.dataVersion()
            let hasChanged = version != state.version
            (state.version, state.list.isStale) = (version, state.list.isStale || hasChanged)
            state.folders = state.folders.filter { folders.contains($0.key) }
            let list = ServedFeed.list(of: record, &state)
            var news: [Pathname: String] = [:]
            for folder in folders {
                var told = state.folders[folder] ?? Told()
                let run = ServedFeed.members(facts, in: folder)
                var parts = [run]
                if hasChanged,
                    let changes = try? record.changes(
                        in: folder, since: told.seconds, without: told.latest)
                {
                    parts.append(members(changes, in: folder))
                    (told.seconds, told.latest) = (changes.seconds, changes.latest)
                }
                if let list { parts.append(list) }
                if parts.count > 1 || run != told.run {
                    news[folder] = "{\(parts.joined(separator: ","))}"
                }
                told.run = run
                state.folders[folder] = told
            }
            return news
        }
    }

    /// The share of time that is spent on counting all recordings, at most.
    private static let share = 0.02

    /// The list of folders, if it has to be told.
    private static func list(of record: OutputRecord, _ state: inout State) -> String? {
        let start = ContinuousClock.now
        guard state.list.isStale, start >= state.list.due,
            let folders = try? record.reportFolders()
        else { return nil }
        let now = ContinuousClock.now
        state.list = (false, now.advanced(by: (now - start) / share))
        return "\"folders\":\(JSONLine.text(folders))"
    }

    /// Rows that have changed.
    private func members(_ changes: OutputRecord.Changes, in folder: Pathname) -> String {
        "\"rows\":\(output.rows(of: folder, changes)),\"sum\":\(changes.sum)"
    }

    /// What the terminal says of a run, and what it works on in a folder.
    private static func members(_ facts: WatchFacts?, in folder: Pathname) -> String {
        guard let facts else { return "\"pending\":[]" }
        let links = ServedOutput.links(of: folder)
        let pending = facts.pending.filter { $0.path.parent == folder }
            .map { ReportPending($0, links) }
        return "\"line\":\(JSONLine.text(WatchView.standing(facts))),"
            + "\"pending\":\(JSONLine.text(pending))"
    }
}
