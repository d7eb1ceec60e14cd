import ArgumentParser
import Glibc
import Jobs

/// Options that leave a run a part of the recordings.
struct ShardOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Work on one of several parts of the recordings, such as 3/64, beside others; auto takes it from the array job. Then tapedeck merge.",
            valueName: "k/n"))
    var shard: ShardChoice?

    @Option(
        help: ArgumentHelp(
            "With --shard auto, the number of parts; the task's own number is then that of its part.",
            valueName: "n"))
    var shards: Int?

    func validate() throws {
        guard let shards else { return }
        guard shard == .auto else {
            throw ValidationError("--shards is about --shard auto; add that, or leave it out")
        }
        try requireShards(shards)
    }

    /// The shard that is asked for; `nil` for all recordings.
    func resolved() throws -> Shard? {
        switch shard {
        case nil: return nil
        case .part(let shard): return shard
        case .auto:
            func value(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
            if let shard = ShardEnvironment.shard(count: shards, value) { return shard }
            let found = ShardEnvironment.variables.compactMap { name in
                value(name).map { "\(name)=\($0)" }
            }
            let seen = found.isEmpty ? "" : " (\(found.joined(separator: ", ")))"
            throw ValidationError(
                "--shard auto finds no task of an array\(seen): it reads SLURM_ARRAY_TASK_ID (from 1 with"
                    + " --shards), or with --shards JOB_COMPLETION_INDEX or PARALLEL_SEQ; give the"
                    + " part itself, such as --shard 3/64")
        }
    }
}

/// What `--shard` takes.
enum ShardChoice: Hashable, ExpressibleByArgument {
    case part(Shard)
    case auto

    init?(argument: String) {
        if argument == "auto" {
            self = .auto
        } else if let shard = Shard(text: argument) {
            self = .part(shard)
        } else {
            return nil
        }
    }
}

/// Rejects numbers of shards out of range.
func requireShards(_ count: Int) throws {
    guard (1...Shard.most).contains(count) else {
        throw ValidationError("--shards takes 1 to \(Shard.most), not \(count)")
    }
}
