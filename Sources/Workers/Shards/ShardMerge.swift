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
        /// The number of shards; 0 if there was nothing to merge.
        package var count = 0
        /// What the run is to go over.
        package var targets: [FolderScan.Target] = []
    }

    private static let targetsKey = "merged"

    /// Merges into the record of an output that this process has locked; may be repeated, also
    /// after it was killed.
    /// - Parameter partial: whether to do it although shards are not through; then plan and shards
    ///   stay.
    package static func carryOut(
        _ tree: ResultTree, _ record: OutputRecord, partial: Bool, version: String
    ) throws(RunRefusal) -> Report {
        let output = tree.output
        let root = try tree.root()
        let all = output.appending(ShardPlan.folder)
        var report = Report()
        guard let plan = try ShardPlan.find(in: output) else {
            FileSystem.removeAll(at: all)
            // The last merge may have been killed before its run.
            let last = try? record.meta(targetsKey)
            if let last, let targets = JSONLine.read([FolderScan.Target].self, from: last) {
                report.targets = targets
            } else {
                report.targets = try record.targets(in: ResultTree.whole(tree), root)
            }
            return report
        }
        guard plan.facts.version == version else {
            throw .shards(
                tree.shownOutput, .otherVersion(planned: plan.facts.version, own: version))
        }
        if plan.facts.recordings > 0 {
            try RunPlaces.requireRecordings(in: root, beside: output)
        }
        (report.count, report.targets) = (plan.facts.count, plan.facts.targets)
        report.unfinished = try plan.unfinished()
        guard partial || report.unfinished.isEmpty else {
            throw .shards(
                tree.shownOutput, .unfinished(report.unfinished, of: plan.facts.count))
        }
        for (_, catalogue) in plan.begun {
            try ShardPlan.reading(catalogue) { () throws(FileSystemError) in
                try record.merge(catalogue)
            }
            report.shards += 1
        }
        try ShardPlan.reading(all) { () throws(FileSystemError) in
            guard report.unfinished.isEmpty else {
                report.targets = try record.upToDate(of: plan, below: root).map {
                    .recording(folder: $0.parent, name: $0.lastComponent)
                }
                return
            }
            try record.setMeta(targetsKey, JSONLine.bytes(plan.facts.targets))
            // Without the plan, the rest has nothing to say.
            try FileSystem.remove(plan.path)
            try FileSystem.syncAll(at: all)
            FileSystem.removeAll(at: all)
        }
        return report
    }
}
