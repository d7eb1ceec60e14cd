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
        /// Of the record when it was read last, if all of that was.
        var version: String?
        var folders: [Pathname: Told] = [:]
        /// Of the record when the list of folders was told, and when that may be told again: to
        /// count all recordings takes long.
        var list = (version: String?.none, due: ContinuousClock.now)
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
    package func welcome(to folder: Pathname, since seconds: Int64) -> String {
        let run = ServedFeed.members(facts(), in: folder)
        return state.withLock { state in
            do throws(FileSystemError) {
                let open = try output.opened()
                let changes = try open.record.changes(in: folder, since: seconds)
                if state.folders[folder] == nil {
                    state.folders[folder] = Told(
                        seconds: changes.seconds, latest: changes.latest, run: run)
                }
                state.list.version = nil
                return "{\(run),\(ServedFeed.members(changes, open, in: folder))}"
            } catch {
                return ServedFeed.message(of: error)
            }
        }
    }

    /// What is known of the run now; it may be busy for a while.
    package func facts() -> WatchFacts? { state.withLock { $0.facts }?() }

    /// The messages for pages of folders; nothing for those that were told all of it.
    ///
    /// The record is read after the state of the run: what is over there is in it.
    /// - Parameters:
    ///   - facts: of the run.
    ///   - list: what `folders()` has returned.
    package func news(
        for folders: Set<Pathname>, _ facts: WatchFacts? = nil, _ list: String? = nil
    ) -> [Pathname: String] {
        state.withLock { state in
            state.folders = state.folders.filter { folders.contains($0.key) }
            do throws(FileSystemError) {
                let open = try output.opened()
                let version = try open.version()
                let hasChanged = version != state.version
                // What cannot be read now is read when this is called again.
                state.version = nil
                var news: [Pathname: String] = [:]
                for folder in folders {
                    news[folder] = try ServedFeed.news(
                        for: folder, facts, list, hasChanged ? open : nil,
                        &state.folders[folder, default: Told()])
                }
                state.version = version
                return news
            } catch {
                return folders.reduce(into: [:]) { $0[$1] = ServedFeed.message(of: error) }
            }
        }
    }

    /// - Parameter changed: the output, if its record has changed.
    private static func news(
        for folder: Pathname, _ facts: WatchFacts?, _ list: String?, _ changed: OpenOutput?,
        _ told: inout Told
    ) throws(FileSystemError) -> String? {
        let run = members(facts, in: folder)
        var parts = [run]
        if let changed {
            let changes = try changed.record.changes(
                in: folder, since: told.seconds, without: told.latest)
            parts.append(members(changes, changed, in: folder))
            (told.seconds, told.latest) = (changes.seconds, changes.latest)
        }
        if let list { parts.append(list) }
        defer { told.run = run }
        return parts.count > 1 || run != told.run ? "{\(parts.joined(separator: ","))}" : nil
    }

    /// The share of time that is spent on counting all recordings, at most.
    private static let share = 0.02

    /// The list of folders as a part of messages, if it has to be told.
    package func folders() -> String? {
        state.withLock { state -> String? in
            let start = ContinuousClock.now
            guard start >= state.list.due, let open = try? output.opened(),
                let version = try? open.version(), version != state.list.version,
                let folders = try? open.record.reportFolders()
            else { return nil }
            let now = ContinuousClock.now
            state.list = (version, now.advanced(by: (now - start) / ServedFeed.share))
            return "\"folders\":\(JSONLine.text(folders))"
        }
    }

    private static func message(of error: FileSystemError) -> String {
        let isGone = error == .outputGone(error.path)
        let sentence =
            isGone ? "The output is gone." : "The results cannot be read: \(error.detail)."
        return "{\"line\":\(JSONLine.text(sentence))}"
    }

    /// Rows that have changed.
    private static func members(
        _ changes: OutputRecord.Changes, _ open: OpenOutput, in folder: Pathname
    ) -> String {
        "\"rows\":\(open.rows(of: folder, changes)),\"sum\":\(changes.sum)"
    }

    /// What the terminal says of a run, and what it works on in a folder.
    private static func members(_ facts: WatchFacts?, in folder: Pathname) -> String {
        guard let facts else { return "\"pending\":[]" }
        let links = OpenOutput.links(of: folder)
        let pending = facts.pending.filter { $0.path.parent == folder }
            .map { ReportPending($0, links) }
        return "\"line\":\(JSONLine.text(WatchView.standing(facts))),"
            + "\"pending\":\(JSONLine.text(pending))"
    }
}
