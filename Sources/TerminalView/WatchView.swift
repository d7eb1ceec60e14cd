import Jobs
import Recordings

/// The lines that tell how a run stands that goes on.
package enum WatchView {
    /// So many recordings that came to an end are shown at most.
    package static let mostRecent = 3

    /// How it stands in numbers, then what nothing has become of yet, then what has come to an end.
    /// - Parameters:
    ///   - recent: lines by `recent(_:below:)`, the last one first.
    ///   - root: the run's root as it is to be shown before each path.
    ///   - width: columns that no line exceeds.
    package static func lines(
        _ facts: WatchFacts, recent: [String], below root: Pathname = .empty, width: Int
    ) -> [String] {
        let pending = facts.pending.map { line($0, below: root) }
        return ([standing(facts)] + pending + recent.prefix(mostRecent)).map {
            TerminalBlock.fitted($0, width: width)
        }
    }

    /// How it stands in numbers; what is zero is left out.
    package static func standing(_ facts: WatchFacts) -> String {
        var parts = [
            (facts.foldersToList, facts.foldersToList == 1 ? "folder to list" : "folders to list"),
            (facts.awaited, "waiting"), (facts.queued, "queued"), (facts.underway, "running"),
            (facts.done, "done"), (facts.failed, "failed"),
        ].filter { $0.0 > 0 }.map { "\(CountText.grouped($0.0)) \($0.1)" }
        if facts.isIdle {
            parts.insert("idle, \(CountText.words(facts.folders, "folder")) watched", at: 0)
        }
        if let seconds = facts.behindSeconds, seconds > 0 {
            parts.append("\(duration(seconds)) behind")
        }
        if facts.isStopping { parts.append("stopping") }
        return parts.isEmpty ? "starting" : parts.joined(separator: " · ")
    }

    private static func line(_ pending: WatchFacts.Pending, below root: Pathname) -> String {
        let path = root.appending(pending.path).displayText
        switch pending.standing {
        case .workedOn:
            return column("working") + path
        case .awaited(let failure, let seconds):
            let reason = WatchText.reason(failure?.inBrief, for: pending.path.lastComponent)
            // Where somebody writes to it, how long it has stood still is of no interest.
            let isWritten = failure == nil || failure?.reason == .beingWritten
            let since = isWritten ? "" : ", \(duration(seconds))"
            return column("waiting") + "\(path) (\(reason)\(since))"
        }
    }

    /// A line about a recording that has come to an end; `nil` where an announcement tells of none.
    package static func recent(
        _ announcement: Announcement, below root: Pathname = .empty
    ) -> String? {
        switch announcement {
        case .settled(let folder, let entry, upToDate: false) where entry.value.status == .done:
            let path = root.appending(folder).appending(entry.value.name).displayText
            let seconds = entry.value.format.map {
                ", \(DurationText.words($0.durationSeconds))"
            }
            return column("done") + path + (seconds ?? "")
        case .settled(let folder, let entry, upToDate: false) where entry.value.status == .failed:
            guard let failure = entry.value.failure else { return nil }
            let path = root.appending(folder).appending(entry.value.name).displayText
            let text = FailureText.sentence(for: failure.inBrief, of: entry.value.name)
            return column("failed") + "\(path): \(text)"
        default:
            return nil
        }
    }

    private static func duration(_ seconds: Int) -> String {
        seconds < 60 ? "\(seconds) s" : DurationText.words(Double(seconds))
    }

    /// The word a line begins with, as wide as the widest of them.
    private static func column(_ word: String) -> String {
        word + String(repeating: " ", count: max(1, 9 - word.count))
    }
}

extension RecordingFailure {
    /// Without where in the file it happened, which the line printed for it has.
    fileprivate var inBrief: RecordingFailure {
        var brief = self
        brief.frame = nil
        brief.expected = nil
        return brief
    }
}
