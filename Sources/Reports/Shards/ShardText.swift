import Jobs
import Recordings

/// Sentences about shards.
package enum ShardText {
    package static func sentence(for refusal: ShardRefusal, of output: Pathname) -> String {
        let name = output.displayText
        switch refusal {
        case .otherCount(let planned, let asked):
            return "\(name) is planned for \(planned) shards, not \(asked); ask for those, or merge"
                + " and plan anew"
        case .otherSettings(let changes):
            return "\(name) is planned with other settings (\(changes.joined(separator: ", ")));"
                + " leave these options out, or merge and plan anew"
        case .otherPaths:
            return "the plan of \(name) is of other folders, or was replaced; give the same paths"
                + " as to tapedeck plan"
        case .otherVersion(let planned, let own):
            return "\(name) is planned by Tapedeck \(planned), and this is \(own); use the same"
                + " version for plan, shards and merge"
        case .unreadable(let path, let detail):
            return "\(path.displayText) cannot be read: \(detail)"
        case .takenOver:
            return "another process works on this shard of \(name) by now; what it does counts, and"
                + " nothing is lost"
        case .unmerged(let count):
            return "\(name) has the results of \(CountText.words(count, "shard")) to merge first:"
                + " tapedeck merge \(name)"
        case .unfinished(let numbers, let count):
            return
                "\(numbers.count) of \(count) shards of \(name) are not through: \(list(numbers));"
                + " start those again, or look at the rest with --partial"
        }
    }

    /// Numbers with neighbours as stretches, such as `3,7-9`; an array of Slurm takes the same.
    package static func list(_ numbers: [Int]) -> String {
        var stretches: [ClosedRange<Int>] = []
        for number in numbers {
            if let last = stretches.last, last.upperBound + 1 == number {
                stretches[stretches.count - 1] = last.lowerBound...number
            } else {
                stretches.append(number...number)
            }
        }
        let shown = stretches.prefix(mostStretches).map {
            $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)"
        }
        return shown.joined(separator: ",") + (stretches.count > mostStretches ? ",..." : "")
    }

    private static let mostStretches = 200

    package static func planned(_ count: Int, recordings: Int64) -> String {
        "\(CountText.words(count, "shard")) for \(CountText.words(Int(recordings), "recording"))"
    }

    package static func leftToMerge(_ path: Pathname, detail: String) -> String {
        "\(path.displayText) cannot be read: \(detail); what is in it is left to tapedeck merge"
    }

    /// Why nothing happens yet.
    package static func waiting(for shard: Shard, holder: Int32?) -> String {
        let process = holder.map { " (process \($0))" } ?? ""
        return "another process\(process) works on shard \(shard.text) or plans; waiting for it"
    }

    package static func line(_ progress: ShardProgress) -> String {
        let stopped =
            progress.stopped.isEmpty
            ? "" : ", \(progress.stopped.count) stopped (\(list(progress.stopped)))"
        return "\(CountText.words(progress.shards, "shard")) to merge: \(progress.finished)"
            + " finished, \(progress.running) running here\(stopped), \(progress.notBegun) not"
            + " begun; \(progress.done) of \(progress.recordings) recordings done,"
            + " \(progress.failed) failed"
    }

    /// What a merge has done.
    /// - Parameter count: 0 if there was nothing to merge.
    package static func line(
        shards: Int, of count: Int, unfinished: [Int]
    ) -> String {
        guard count > 0 else { return "no shards to merge" }
        let rest = unfinished.isEmpty ? "" : "; not through: \(list(unfinished))"
        return "merged \(shards) of \(CountText.words(count, "shard"))\(rest)"
    }
}
