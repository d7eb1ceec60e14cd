import Jobs
import Recordings

/// The status lines of `tapedeck watch`.
package enum WatchView {
    /// The maximum number of finished recordings shown.
    package static let mostRecent = 3

    /// Counts, then pending recordings, then finished ones.
    /// - Parameters:
    ///   - recent: lines from `recent(_:below:)`, newest first.
    ///   - root: the run's root as displayed before each path.
    ///   - width: the maximum width of a line in columns.
    package static func lines(
        _ facts: WatchFacts, recent: [String], below root: Pathname = .empty, width: Int
    ) -> [String] {
        var lines = [standing(facts, width: width)]
        lines += facts.pending.map { line($0, below: root) }
        let shown = facts.pending.count { $0.standing != .workedOn }
        if shown > 0, facts.awaited > shown {
            lines.append(column("") + "and \(CountText.grouped(facts.awaited - shown)) more")
        }
        lines += recent.prefix(mostRecent)
        return lines.map { TerminalBlock.fitted($0, width: width) }
    }

    /// The counts in one line, without zeros.
    /// - Parameter width: the maximum width in columns; the least important counts are dropped
    ///   first, and failures last.
    package static func standing(_ facts: WatchFacts, width: Int = .max) -> String {
        var parts = parts(facts)
        func text() -> String {
            parts.isEmpty ? "starting" : parts.map(\.text).joined(separator: " · ")
        }
        while parts.count > 1, TerminalBlock.columns(of: text()) > width,
            let least = parts.indices.min(by: { parts[$0].weight < parts[$1].weight })
        {
            parts.remove(at: least)
        }
        return text()
    }

    /// The counts in display order, each with its importance.
    private static func parts(_ facts: WatchFacts) -> [(text: String, weight: Int)] {
        var parts: [(text: String, weight: Int)] = []
        func add(_ count: Int, _ word: String, weight: Int) {
            guard count > 0 else { return }
            parts.append(("\(CountText.grouped(count)) \(word)", weight))
        }
        if facts.isIdle {
            parts.append(("idle, \(CountText.words(facts.folders, "folder")) watched", 6))
        }
        let folders = facts.foldersToList == 1 ? "folder to list" : "folders to list"
        add(facts.foldersToList, folders, weight: 0)
        add(facts.awaited, "waiting", weight: 4)
        add(facts.queued, "queued", weight: 1)
        add(facts.underway, "running", weight: 3)
        add(facts.done, "done", weight: 2)
        add(facts.failed, "failed", weight: 8)
        if let seconds = facts.behindSeconds, seconds > 0 {
            parts.append(("\(duration(seconds)) behind", 5))
        }
        if facts.isStopping { parts.append(("stopping", 7)) }
        return parts
    }

    private static func line(_ pending: WatchFacts.Pending, below root: Pathname) -> String {
        let path = root.appending(pending.path).displayText
        switch pending.standing {
        case .workedOn: return working(path)
        case .queued: return column("queued") + path
        case .awaited(let failure, let seconds):
            return column("waiting") + "\(path) (\(reason(failure, seconds: seconds)))"
        }
    }

    /// The tone of a line of the block.
    static func tone(of line: String) -> Tone {
        if line.hasPrefix(column("failed")) { return .failure }
        let isPassing = ["working", "waiting", "done"].contains { line.hasPrefix(column($0)) }
        return isPassing ? .passing : .plain
    }

    /// The line for a recording in work.
    static func working(_ path: String) -> String { column("working") + path }

    /// Why a recording is waited for, and for how long.
    static func reason(_ failure: RecordingFailure?, seconds: Int) -> String {
        // The waiting time is irrelevant while the file is being written.
        let isWritten = failure == nil || failure?.reason == .beingWritten
        let since = isWritten ? "" : "; unchanged for \(duration(seconds))"
        return WatchText.reason(failure?.inBrief) + since
    }

    /// The line for a finished recording; `nil` for any other announcement.
    package static func recent(
        _ announcement: Announcement, below root: Pathname = .empty
    ) -> String? {
        switch announcement {
        case .settled(let folder, let entry, _, upToDate: false) where entry.status == .done:
            let path = root.appending(folder).appending(entry.name).displayText
            let seconds = entry.format.map {
                ", \(DurationText.words($0.durationSeconds))"
            }
            return column("done") + path + (seconds ?? "")
        case .settled(let folder, let entry, _, upToDate: false) where entry.status == .failed:
            guard let failure = entry.failure else { return nil }
            let path = root.appending(folder).appending(entry.name).displayText
            let text = FailureText.sentence(for: failure.inBrief)
            return column("failed") + "\(path): \(text)"
        default:
            return nil
        }
    }

    private static func duration(_ seconds: Int) -> String {
        seconds < 60 ? "\(seconds) s" : DurationText.words(Double(seconds))
    }

    /// A line's first word, padded to the widest one.
    private static func column(_ word: String) -> String {
        word + String(repeating: " ", count: max(1, 9 - word.count))
    }
}

extension RecordingFailure {
    /// Without the position in the file, which the line printed for the failure includes.
    fileprivate var inBrief: RecordingFailure {
        var brief = self
        brief.frame = nil
        brief.expected = nil
        return brief
    }
}
