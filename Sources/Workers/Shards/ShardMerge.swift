import Jobs
import Recordings

/// Brings the results of all shards into the output's record.
///
/// What a run does then, such as manifests, exports and what is gone or was moved, is left to a
/// run: it finds everything done.
package enum ShardMerge {
    /// What was merged.
    package struct Report: Hashable, Sendable {
        package var shards = 0
        /// Those that were not through, ascending.
        package var unfinished: [Int] = []
        package var count = 0
        /// The recordings of all shards that were merged, if others are left; relative to the
        /// root.
        package var recordings: [Pathname]?
    }

    /// Merges; may be repeated, also after it was killed.
    /// - Parameter partial: whether to do it although shards are not through; then plan and shards
    ///   stay.
    /// - Returns: `nil` if there is nothing to merge.
    package static func carryOut(
        _ tree: ResultTree, partial: Bool, version: String
    ) throws(RunRefusal) -> Report? {
        let output = tree.output
        let folder = try OutputFolder(output, root: try tree.root())
        let all = output.appending(ShardPlan.folder)
        guard let plan = try ShardPlan.find(in: output) else {
            FileSystem.removeAll(at: all)
            return nil
        }
        guard plan.facts.version == version else {
            throw .shards(
                tree.shownOutput, .otherVersion(planned: plan.facts.version, own: version))
        }
        var report = Report(count: plan.facts.count)
        report.unfinished = try plan.unfinished()
        guard partial || report.unfinished.isEmpty else {
            throw .shards(
                tree.shownOutput, .unfinished(report.unfinished, of: plan.facts.count))
        }
        let record = folder.record
        for (_, catalogue) in plan.begun {
            try ShardPlan.reading(catalogue) { () throws(FileSystemError) in
                try record.merge(catalogue)
            }
            report.shards += 1
        }
        try ShardPlan.reading(all) { () throws(FileSystemError) in
            guard report.unfinished.isEmpty else {
                report.recordings = try record.paths
                return
            }
            // Without the plan, the rest has nothing to say.
            try FileSystem.remove(plan.path)
            try FileSystem.syncAll(at: all)
            FileSystem.removeAll(at: all)
        }
        return report
    }
}
