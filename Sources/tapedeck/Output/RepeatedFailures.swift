import Jobs
import Recordings
import Synchronization

/// Counts failures and warnings that are worded alike, so that a folder of 500 files with the same
/// failure prints it once, and the number at the end.
final class RepeatedFailures: Sendable {
    private let counts = Mutex<[String: Int]>([:])

    /// Whether the line says something that was not printed before for another recording.
    /// - Parameter line: the recording's path, a colon, and the sentence.
    func isFirst(_ line: String, for announcement: Announcement, below root: Pathname) -> Bool {
        guard case .settled(let folder, let entry, _, _) = announcement else { return true }
        let path = root.appending(folder).appending(entry.name).displayText
        let sentence = String(line.dropFirst(path.count + 2))
        return counts.withLock { counts in
            counts[sentence, default: 0] += 1
            return counts[sentence] == 1
        }
    }

    /// A line for each sentence that was not printed again, with the number of recordings.
    var lines: [String] {
        counts.withLock { $0 }.filter { $0.value > 1 }.sorted { $0.key < $1.key }.map {
            "\($0.value - 1) more \($0.value == 2 ? "recording" : "recordings") (named in the"
                + " manifests): \($0.key)"
        }
    }
}
