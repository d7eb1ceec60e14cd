import Recordings
import Reports
import Synchronization

/// Tells open pages what has changed: in the record, and in the state of a run of this process.
///
/// A message is the text of an event's data (JSON). Whoever misses one notices by the sum of times
/// in the next, and asks for all rows again. All calls block on the disk.
package final class ServedFeed: Sendable {
    /// What the pages of a folder were told.
    fileprivate struct Told {
        /// The time of the latest row, and the rows of that time.
        var seconds: Int64 = 0
        var latest: [String: String] = [:]
        /// The message but for what the record says.
        var state = ""
    }

    private struct State {
        var version: Int64?
        var folders: [Pathname: Told] = [:]
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
        state.withLock { state -> String? in
            let facts = state.facts?()
            let about = ServedFeed.members(facts, in: folder)
            guard let (rows, sum) = try? output.rows(of: folder, since: seconds),
                let folders = try? output.record.reportFolders()
            else { return nil }
            if state.folders[folder] == nil {
                state.folders[folder] = Told()
                _ = state.folders[folder]?.news(rows)
            }
            return ServedFeed.message(about, rows.map(JSONLine.text), sum, folders)
        }
    }

    /// The messages for pages of folders; nothing for those that were told all of it.
    package func news(for folders: Set<Pathname>) -> [Pathname: String] {
        state.withLock { state in
            // The record is read after the state of the run: what is over there is in it.
            let facts = state.facts?()
            let record = output.record
            let version = try? record.dataVersion()
            let hasChanged = version != state.version
            state.version = version
            state.folders = state.folders.filter { folders.contains($0.key) }
            let list = hasChanged ? try? record.reportFolders() : nil
            var news: [Pathname: String] = [:]
            for folder in folders {
                var told = state.folders[folder] ?? Told()
                let about = ServedFeed.members(facts, in: folder)
                if hasChanged, let list,
                    let (rows, sum) = try? output.rows(of: folder, since: told.seconds)
                {
                    news[folder] = ServedFeed.message(about, told.news(rows), sum, list)
                } else if about != told.state {
                    news[folder] = "{\(about)}"
                }
                told.state = about
                state.folders[folder] = told
            }
            return news
        }
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

    private static func message(
        _ about: String, _ rows: [String], _ sum: Int64, _ folders: [ReportFolder]
    ) -> String {
        "{\(about),\"rows\":[\(rows.joined(separator: ","))],\"sum\":\(sum),"
            + "\"folders\":\(JSONLine.text(folders))}"
    }
}

extension ServedFeed.Told {
    /// The texts of rows that are new, of those that changed at or after `seconds`.
    fileprivate mutating func news(_ rows: [ReportRow]) -> [String] {
        var texts: [String] = []
        var latest: [String: String] = [:]
        let last = rows.compactMap(\.changed).max() ?? seconds
        for row in rows {
            let text = JSONLine.text(row)
            if self.latest[row.file] != text { texts.append(text) }
            if row.changed == last { latest[row.file] = text }
        }
        if !rows.isEmpty { (seconds, self.latest) = (last, latest) }
        return texts
    }
}
