import Recordings

/// One of several parts of an output's recordings, each of which a process works on by itself.
package struct Shard: Hashable, Sendable {
    /// From 1.
    package let number: Int
    package let count: Int

    /// More tasks than any scheduler is given.
    package static let most = 100_000

    /// `nil` unless the number is one of so many.
    package init?(_ number: Int, of count: Int) {
        guard (1...Shard.most).contains(count), (1...count).contains(number) else { return nil }
        (self.number, self.count) = (number, count)
    }

    /// The shard of a text such as `3/64`.
    package init?(text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Int(parts[0]), let count = Int(parts[1]) else {
            return nil
        }
        self.init(number, of: count)
    }

    package var text: String { "\(number)/\(count)" }

    /// What its folder is called.
    package var folderName: Pathname { Pathname("\(number)-of-\(count)") }
}

/// What an array of jobs tells each of its tasks in the environment.
package enum ShardEnvironment {
    /// Those that name a task.
    package static let variables = ["SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "PARALLEL_SEQ"]

    /// The shard of this task by `--shard auto`; `nil` if the environment does not say it.
    ///
    /// With a count, the number is the task's own, so that a single task can be started again.
    /// Without one, Slurm's array is counted.
    /// - Parameters:
    ///   - count: that of `--shards`.
    ///   - value: a variable's value; `nil` if it is not set.
    package static func shard(count: Int?, _ value: (String) -> String?) -> Shard? {
        func number(_ name: String) -> Int? { value(name).flatMap { Int($0) } }
        if let task = number("SLURM_ARRAY_TASK_ID") {
            if let count { return Shard(task, of: count) }
            guard let all = number("SLURM_ARRAY_TASK_COUNT"),
                let first = number("SLURM_ARRAY_TASK_MIN")
            else { return nil }
            let step = max(1, number("SLURM_ARRAY_TASK_STEP") ?? 1)
            return Shard((task - first) / step + 1, of: all)
        }
        guard let count else { return nil }
        // Kubernetes counts from 0, GNU parallel from 1.
        if let index = number("JOB_COMPLETION_INDEX") { return Shard(index + 1, of: count) }
        return number("PARALLEL_SEQ").flatMap { Shard($0, of: count) }
    }
}

/// Why a shard cannot be worked on, or shards cannot be merged.
package enum ShardRefusal: Hashable, Sendable {
    /// The plan is for another number of shards.
    case otherCount(planned: Int, asked: Int)
    /// `changes` has the options that differ, such as `--trim off → gaps`.
    case otherSettings(changes: [String])
    /// The plan is of other folders and recordings.
    case otherPaths
    /// The plan is of another version of this program.
    case otherVersion(planned: String, own: String)
    /// The plan, or the record of a shard, cannot be read; `detail` has the system's own words.
    case unreadable(Pathname, detail: String)
    /// Another process has begun to work on the shard, although this one held it.
    case takenOver
    /// Shards have results that are not merged yet.
    case unmerged(count: Int)
    /// Shards that are not through; their numbers, ascending.
    case unfinished([Int], of: Int)
}

/// How far the shards of an output are.
package struct ShardProgress: Hashable, Sendable {
    package var shards = 0
    package var finished = 0
    /// Those that a process of this machine works on.
    package var running = 0
    /// Those that were begun, are not finished, and nobody here works on.
    package var stopped: [Int] = []
    package var recordings: Int64 = 0
    package var done: Int64 = 0
    package var failed: Int64 = 0

    package init() {}

    package var notBegun: Int { shards - finished - running - stopped.count }
}
