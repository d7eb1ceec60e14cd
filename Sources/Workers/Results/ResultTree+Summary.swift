import Jobs
import Recordings

extension ResultTree {
    /// Counts the results in the record, without accessing recordings.
    package func summarise() throws(RunRefusal) -> ResultSummary {
        let record = try record()
        defer { record.close() }
        return try OutputRecord.reading(shownOutput) { () throws(FileSystemError) in
            var summary = ResultSummary()
            for folder in try record.folders(below: folder) {
                try count(folder, of: record, in: &summary)
            }
            return summary
        }
    }

    private func count(
        _ folder: Pathname, of record: OutputRecord, in summary: inout ResultSummary
    ) throws(FileSystemError) {
        var outcomes: [(ResultOutcome, Recipe)] = []
        let newest = try record.forEachEntry(in: folder) { row, recipe in
            let outcome = try? JSONCursor.read(row.bytes(1)) {
                (json) throws(JSONCursor.Malformed) in try ResultOutcome(&json)
            }
            if let outcome { outcomes.append((outcome, recipe)) }
        }
        guard !outcomes.isEmpty else { return }
        summary.countFolder()
        for (outcome, recipe) in outcomes {
            summary.count(outcome, in: folder, recipe: recipe, newest: newest ?? recipe)
        }
    }
}
