import Jobs
import Recordings
import TestSupport
import Testing

@testable import Workers

/// Records of shards beside that of their output.
@Suite struct ShardRecordTests {
    private let world = TestWorld()

    private func record(
        in folder: Pathname, isRemote: Bool = false, isOfShard: Bool = false
    ) throws -> OutputRecord {
        world.makeFolder(folder)
        let held = try DirectoryHandle(try FileSystem.resolve(folder))
        return try OutputRecord.open(in: held, isRemote: isRemote, isOfShard: isOfShard).record
    }

    /// A plan of one shard with the recording `A/a.wav`.
    private func plan() throws -> ShardPlan {
        world.makeFolder(world.output.appending(ShardPlan.folder))
        let plan = ShardPlan(
            output: try FileSystem.resolve(world.output),
            facts: ShardPlan.Facts(
                count: 1, version: "", settings: OutputSettings(), targets: []))
        let database = try Database(plan.path, .create)
        try database.execute(
            ShardPlan.tables + """
                INSERT INTO folders VALUES (1, CAST('A' AS BLOB));
                INSERT INTO recordings VALUES (1, 1, CAST('a.wav' AS BLOB), 1, 1, 1, 1);
                INSERT INTO shards VALUES (1, 1, 1)
                """)
        return plan
    }

    /// Many start at once, and none waits for another that reads or writes the output's record.
    @Test func shardTakesOverWhatIsKnownBesideAWriter() throws {
        let main = try record(in: world.output)
        try main.put([Example.doneEntry("a.wav"), Example.doneEntry("b.wav")], in: "A")
        let plan = try plan()
        let other = try Database(plan.output.appending(OutputRecord.name), .readWrite)
        try other.execute("BEGIN IMMEDIATE")
        let shard = try #require(Shard(1, of: 1))
        let own = try record(
            in: ShardPlan.catalogue(of: shard, in: world.output), isOfShard: true)
        try own.beginEpoch()
        try own.seed(shard, of: plan)
        #expect(try own.entries(in: "A").map(\.name) == ["a.wav"])
        try other.execute("ROLLBACK")
    }

    /// On a share, this process alone has the record, and looks into it all the same.
    @Test func planOnShareIsComparedWithTheRecord() throws {
        let main = try record(in: world.output, isRemote: true)
        try main.put([Example.doneEntry("a.wav")], in: "A")
        let plan = try plan()
        try main.leaveOutMoved(of: plan.path)
        var database = try Database(plan.path, .readWrite)
        #expect(try database.first("SELECT count(*) FROM recordings") { $0.integer(0) } == 1)
    }
}
