import Jobs
import Recordings

extension ResultTree {
    /// Counts the results in the record, without accessing recordings.
    package func summarise() throws(RunRefusal) -> ResultSummary {
        let record = try record()
        defer { record.close() }
        return try OutputRecord.reading(shownOutput) { () throws(FileSystemError) in
            var summary = ResultSummary()
            let recipes = try record.settings().recipes
            for folder in try record.folders(below: folder) {
                try count(folder, of: record, recipes[folder].value, in: &summary)
            }
            return summary
        }
    }

    private func count(
        _ folder: Pathname, of record: OutputRecord, _ recipe: Recipe,
        in summary: inout ResultSummary
    ) throws(FileSystemError) {
        let contents = try record.contents(of: folder)
        guard !contents.works.isEmpty else { return }
        summary.countFolder()
        for work in contents.works {
            summary.count(work.entry, in: folder, isStale: work.recipe.value != recipe)
        }
    }
}
