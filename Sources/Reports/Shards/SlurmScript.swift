import Jobs
import Recordings

/// A shell script that submits plan, shards and merge to Slurm.
package struct SlurmScript {
    /// What a sample of the recordings took.
    package struct Measure {
        package var recordings: Int64
        package var sample: Int
        /// Of one worker, for all recordings.
        package var seconds: Double
        package var peakBytes: Int64

        package init(recordings: Int64, sample: Int, seconds: Double, peakBytes: Int64) {
            (self.recordings, self.sample) = (recordings, sample)
            (self.seconds, self.peakBytes) = (seconds, peakBytes)
        }
    }

    private let program: String
    /// Paths and options of plan and run, quoted.
    private let words: String
    private let output: String
    private let shards: Int
    private let jobs: Int
    private let options: String
    private let folder: String
    private let measure: Measure

    /// Nodes differ, and share a disk.
    private static let reserve = 3.0
    private static let leastMinutes = 10

    /// - Parameters:
    ///   - words: paths and options, unquoted.
    ///   - options: further ones of sbatch.
    ///   - folder: where relative paths begin.
    package init(
        _ program: Pathname, _ words: [String], output: Pathname, shards: Int, jobs: Int,
        options: [String], folder: String, _ measure: Measure
    ) {
        self.folder = SlurmScript.quoted(folder)
        self.program = SlurmScript.quoted(program.text)
        self.words = words.map(SlurmScript.quoted).joined(separator: " ")
        self.output = SlurmScript.quoted(output.text)
        (self.shards, self.jobs, self.measure) = (shards, jobs, measure)
        self.options = options.map { " " + SlurmScript.quoted($0) }.joined()
    }

    package var text: String {
        let task = measure.seconds / Double(shards * jobs)
        let minutes = SlurmScript.minutes(task * SlurmScript.reserve)
        let memory = SlurmScript.megabytes(measure.peakBytes * Int64(jobs))
        // A worker lists about 20,000 recordings a second; the merge does what a run does that
        // finds everything done.
        let listing = SlurmScript.minutes(Double(measure.recordings) / 2000)
        // Before the words, behind which there may be paths only.
        let run = "\(program) run --shard auto --shards \(shards) --jobs \(jobs) \(words)"
        return """
            #!/bin/sh
            # \(CountText.words(Int(measure.recordings), "recording")) in \(shards) shards; by \
            \(CountText.words(measure.sample, "recording")) that were tried here, all take about
            # \(DurationText.words(measure.seconds)) of one processor. Each task is given \
            \(CountText.plain(SlurmScript.reserve)) times its share.
            set -e
            cd \(folder)
            command -v sbatch > /dev/null || { echo "sbatch is not installed here" >&2; exit 1; }
            plan=$(sbatch --parsable --job-name=tapedeck-plan --time=\(listing) --mem=\(memory)M\(options) \\
                --output=tapedeck-plan-%j.log --wrap=\(SlurmScript.quoted(
                    "\(program) plan --shards \(shards) \(words)")))
            # On several clusters, sbatch prints the cluster too.
            plan=${plan%%;*}
            array=$(sbatch --parsable --job-name=tapedeck --array=1-\(shards) --requeue \\
                --dependency=afterok:$plan --kill-on-invalid-dep=yes --cpus-per-task=\(jobs) \\
                --time=\(minutes) --mem=\(memory)M\(options) --output=tapedeck-%A-%a.log \\
                --open-mode=append --wrap=\(SlurmScript.quoted(run)))
            array=${array%%;*}
            merge=$(sbatch --parsable --job-name=tapedeck-merge --kill-on-invalid-dep=yes \\
                --dependency=afterok:$plan,afterany:$array --cpus-per-task=\(jobs) \\
                --time=\(listing) --mem=\(memory)M\(options) --output=tapedeck-merge-%j.log \\
                --wrap=\(SlurmScript.quoted("\(program) merge \(output) --jobs \(jobs)")))
            echo "plan: job $plan; shards: $array; merge: $merge"

            """
    }

    /// Minutes as sbatch takes them, rounded up to ten.
    private static func minutes(_ seconds: Double) -> Int {
        max(1, Int((seconds / 600).rounded(.up))) * leastMinutes
    }

    private static func megabytes(_ bytes: Int64) -> Int64 {
        max(512, ((bytes * 3 / 2) >> 28 + 1) << 8)
    }

    /// A word that the shell takes as it is.
    private static func quoted(_ word: String) -> String {
        let plain = word.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                || "0123456789_-./=:,+@%".utf8.contains(byte)
        }
        if plain, !word.isEmpty { return word }
        // By bytes: a quote with an accent behind it is one character, and still ends a word.
        let quote = UInt8(ascii: "'")
        let bytes = word.utf8.flatMap { $0 == quote ? Array("'\\''".utf8) : [$0] }
        return "'" + String(decoding: bytes, as: UTF8.self) + "'"
    }
}
