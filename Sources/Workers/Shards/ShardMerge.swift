import Glibc
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
            try refusing(all) { () throws(FileSystemError) in try removeAll(below: all) }
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
        for number in 1...plan.facts.count {
            guard let shard = Shard(number, of: plan.facts.count) else { break }
            let catalogue = ShardPlan.catalogue(of: shard, in: output)
            guard OutputFolder.isMarked(catalogue) else { continue }
            try refusing(catalogue) { () throws(FileSystemError) in try record.merge(catalogue) }
            report.shards += 1
        }
        try refusing(all) { () throws(FileSystemError) in
            if report.unfinished.isEmpty {
                // Without the plan, the rest has nothing to say.
                try FileSystem.remove(plan.path)
                try FileSystem.syncAll(at: all)
                try removeAll(below: all)
            } else {
                report.recordings = try record.paths
            }
        }
        return report
    }

    private static func refusing<Result>(
        _ path: Pathname, _ body: () throws(FileSystemError) -> Result
    ) throws(RunRefusal) -> Result { try ShardPlan.reading(path, body) }

    /// Removes the shards' folders, which have files alone.
    private static func removeAll(below all: Pathname) throws(FileSystemError) {
        let names = try ifThere { () throws(FileSystemError) in
            try DirectoryReader(all).names()
        }
        guard let names else { return }
        for entry in names {
            let path = all.appending(entry.name)
            guard FileSystem.kind(of: entry, at: path) == .folder else {
                try FileSystem.remove(path)
                continue
            }
            for file in try DirectoryReader(path).names() {
                try FileSystem.remove(path.appending(file.name))
            }
            _ = path.withCString { rmdir($0) }
        }
        _ = all.withCString { rmdir($0) }
    }
}
