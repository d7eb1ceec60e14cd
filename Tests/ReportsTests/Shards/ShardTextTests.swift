import Jobs
import Recordings
import Testing

@testable import Reports

@Suite struct ShardTextTests {
    private static let sentences: [(ShardRefusal, String)] = [
        (
            .otherCount(planned: 64, asked: 32),
            "/o is planned for 64 shards, not 32; ask for those, or merge and plan anew"
        ),
        (
            .otherSettings(changes: ["--trim gaps → off"]),
            "/o is planned with other settings (--trim gaps → off); leave these options out, or merge"
                + " and plan anew"
        ),
        (
            .otherPaths,
            "the plan of /o is of other folders, or was replaced; give the same paths as to tapedeck"
                + " plan"
        ),
        (
            .otherVersion(planned: "1.0", own: "2.0"),
            "/o is planned by Tapedeck 1.0, and this is 2.0; use the same version for plan, shards"
                + " and merge"
        ),
        (.unreadable("/o/plan", detail: "no"), "/o/plan cannot be read: no"),
        (
            .takenOver,
            "another process works on this shard of /o by now; what it does counts, and nothing is"
                + " lost"
        ),
        (
            .unmerged(count: 2),
            "/o has the results of 2 shards to merge first: tapedeck merge /o"
        ),
        (
            .unfinished([3, 7, 8, 9], of: 64),
            "4 of 64 shards of /o are not through: 3,7-9; start those again, or look at the rest with"
                + " --partial"
        ),
    ]

    @Test(arguments: sentences.indices)
    func eachRefusalIsASentence(index: Int) {
        let (refusal, sentence) = Self.sentences[index]
        #expect(FailureText.sentence(for: .shards("/o", refusal)) == sentence)
    }

    /// As an array of Slurm takes them.
    @Test(arguments: [
        ([], ""), ([5], "5"), ([1, 2], "1-2"), ([1, 3, 5], "1,3,5"),
        ([1, 2, 4, 6, 7], "1-2,4,6-7"),
    ])
    func numbersAreListedAsStretches(numbers: [Int], text: String) {
        #expect(ShardText.list(numbers) == text)
    }

    @Test func progressIsOneLine() {
        var progress = ShardProgress()
        (progress.shards, progress.finished, progress.running) = (8, 3, 1)
        progress.stopped = [2, 3]
        (progress.recordings, progress.done, progress.failed) = (100, 40, 2)
        #expect(
            ShardText.line(progress)
                == "8 shards to merge: 3 finished, 1 running here, 2 stopped (2-3), 2 not begun; 40 of"
                + " 100 recordings done, 2 failed")
    }

    /// Names are not taken for anything else by the shells that they go through.
    @Test func scriptQuotesNames() {
        let script = SlurmScript(
            "/bin/tapedeck", ["/a b", "--output", "/it's"], output: "/it's", shards: 4, jobs: 2,
            options: ["--partition=cpu"], folder: "/home/it's",
            SlurmScript.Measure(
                recordings: 1000, sample: 17, seconds: 72_000, peakBytes: 100 << 20))
        let text = script.text
        #expect(text.contains("--array=1-4 --requeue"))
        // 20 hours on 8 processors, and three times that.
        #expect(text.contains("--time=450 --mem=512M --partition=cpu"))
        #expect(
            text.contains("--wrap='/bin/tapedeck merge '\\''/it'\\''\\'\\'''\\''s'\\'' --jobs 2'"))
        #expect(text.contains("cd '/home/it'\\''s'\n"))
    }
}
