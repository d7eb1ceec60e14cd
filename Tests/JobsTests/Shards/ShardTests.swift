import Jobs
import Testing

@Suite struct ShardTests {
    @Test(arguments: ["1/1", "3/64", "64/64"])
    func numbersWithinTheCountAreShards(text: String) {
        #expect(Shard(text: text)?.text == text)
    }

    @Test(arguments: ["", "0/3", "4/3", "-1/3", "3", "3/", "/3", "1/2/3", "a/b", "1/100001"])
    func otherTextsAreNone(text: String) {
        #expect(Shard(text: text) == nil)
    }

    @Test(arguments: [
        ("", nil, nil),
        // A whole array of Slurm, from any number and in steps.
        ("TASK_ID=0 TASK_COUNT=8 TASK_MIN=0", nil, "1/8"),
        ("TASK_ID=8 TASK_COUNT=8 TASK_MIN=1", nil, "8/8"),
        ("TASK_ID=14 TASK_COUNT=8 TASK_MIN=0 TASK_STEP=2", nil, "8/8"),
        ("TASK_ID=9 TASK_COUNT=8 TASK_MIN=1", nil, nil),
        // One task of it, started again.
        ("TASK_ID=5 TASK_COUNT=1 TASK_MIN=5", 8, "5/8"),
        ("TASK_ID=0 TASK_COUNT=8 TASK_MIN=0", 8, nil),
        ("JOB_COMPLETION_INDEX=0", 8, "1/8"), ("JOB_COMPLETION_INDEX=7", 8, "8/8"),
        ("JOB_COMPLETION_INDEX=8", 8, nil), ("JOB_COMPLETION_INDEX=0", nil, nil),
        ("PARALLEL_SEQ=3", 8, "3/8"), ("PARALLEL_SEQ=3", nil, nil),
        ("TASK_ID=x TASK_COUNT=8 TASK_MIN=1", nil, nil),
    ])
    func arrayTellsTheShard(variables: String, count: Int?, shard: String?) {
        let pairs = variables.split(separator: " ").map { word in
            let parts = word.split(separator: "=").map(String.init)
            return (parts[0].hasPrefix("TASK") ? "SLURM_ARRAY_" + parts[0] : parts[0], parts[1])
        }
        let environment = Dictionary(uniqueKeysWithValues: pairs)
        #expect(ShardEnvironment.shard(count: count) { environment[$0] }?.text == shard)
    }
}
