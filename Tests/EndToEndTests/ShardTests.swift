import Foundation
import Recordings
import TestSupport
import Testing

/// Several processes that share an output, against one that does all.
@Suite struct ShardTests {
    private let library = Library()
    private var alone: Pathname { library.folder.path("alone") }
    private var together: Pathname { library.folder.path("together") }

    private func run(_ output: Pathname, _ options: String...) -> Tool.Outcome {
        Tool.run(["run", library.root.text, "--output", output.text] + options)
    }

    private func merge(_ options: String...) -> Tool.Outcome {
        Tool.run(["merge", together.text] + options)
    }

    private func starting(_ shard: String, _ options: String...) -> RunningTool {
        RunningTool(
            ["run", library.root.text, "--output", together.text, "--shard", shard] + options)
    }

    /// What two outputs differ in, records aside: bytes, and the times of files that are made of
    /// one recording.
    private func differences() -> String {
        let script = """
            ages() { cd "$1" && find . '(' -name '*.dat' -o -name '*.wav' -o -name '*.flac' ')' \
                -printf '%p %T@\\n' | sort; }
            diff -r -x '.tapedeck*' "$0" "$1"
            [ "$(ages "$0")" = "$(ages "$1")" ] || echo times differ
            """
        let outcome = RunningTool(
            program: "/bin/sh", ["-c", script, alone.text, together.text]
        ).wait()
        return outcome.output + outcome.errors
    }

    @Test(arguments: [1, 3, 4, 60])
    func shardsWriteTheBytesOfOneRun(count: Int) {
        Corpus.copy(into: library)
        let options = ["--trim", "gaps", "--checksums", "--export", "audacity", "--report"]
        let one = Tool.run(
            ["run", library.root.text, "--output", alone.text] + options)
        let plan = Tool.run(
            ["plan", library.root.text, "--output", together.text, "--shards", "\(count)"]
                + options)
        #expect(plan.status == 0)
        #expect(plan.output.hasPrefix("\(count) shard"))
        var statuses: Set<Int32> = []
        for number in 1...count {
            statuses.insert(run(together, "--shard", "\(number)/\(count)", "--quiet").status)
        }
        #expect(statuses.isSubset(of: [0, 3]))
        let merged = merge()
        #expect(merged.status == one.status)
        // The shards left nothing to do.
        #expect(!merged.output.contains(" done"))
        #expect(
            merged.outputLines.first == "merged \(count) of \(count) shard\(count > 1 ? "s" : "")")
        #expect(differences() == "")
        #expect(Tool.run(["verify", together.text]).status == 0)
        let again = merge()
        #expect(again.outputLines.first == "no shards to merge")
        #expect(differences() == "")
    }

    /// Whoever comes first plans, and the others wait for it.
    @Test func shardsStartAtOnceWithoutAPlan() {
        for number in 1...12 { library.addRecording(Pathname("d\(number % 3)/\(number).wav")) }
        library.addRecording("a.wav", seconds: 60)
        library.addRecording("b.wav", seconds: 60)
        #expect(run(alone).status == 0)
        // Nobody waits for a shard that takes long.
        let long = starting("1/3", "--json", "--jobs", "1")
        let others = (2...3).map { starting("\($0)/3") }
        _ = long.nextLine()
        long.hold()
        #expect(others.map { $0.wait().status } == [0, 0])
        long.send(signal: SIGCONT)
        #expect(long.wait().status == 0)
        #expect(merge().status == 0)
        #expect(differences() == "")
    }

    @Test func secondNightDoesWhatHasChanged() throws {
        for name in ["a", "b", "c", "d", "e/f", "e/g"] {
            library.addRecording(Pathname(name + ".wav"))
        }
        #expect(run(alone, "--report").status == 0)
        func night() -> [String] {
            var lines: [String] = []
            for number in 1...2 {
                lines += run(together, "--shard", "\(number)/2", "--report")
                    .outputLines.prefix(1)
            }
            #expect(merge("--quiet").status == 0)
            return lines
        }
        _ = night()
        #expect(differences() == "")

        library.addRecording("a.wav", seconds: 3)
        library.addRecording("h.wav")
        try FileManager.default.removeItem(atPath: library.root.appending("b.wav").text)
        // Into the other shard's part.
        #expect(
            rename(
                library.root.appending("c.wav").text, library.root.appending("e/z.wav").text) == 0)
        #expect(run(alone).status == 0)
        let lines = night()
        #expect(lines.allSatisfy { !$0.contains("failed") })
        let done = lines.compactMap { $0.firstMatch(of: #/(\d+) done/#).flatMap { Int($0.1) } }
        #expect(done.reduce(0, +) == 2)
        #expect(differences() == "")
    }

    /// A shard whose process died is taken over at once, and does what is left.
    @Test func killedShardIsStartedAgain() throws {
        for number in 10...49 { library.addRecording(Pathname("\(number).wav"), seconds: 20) }
        #expect(run(alone, "--quiet").status == 0)
        let first = starting("1/2", "--json", "--jobs", "1")
        _ = first.nextLine()
        first.send(signal: SIGKILL)
        _ = first.wait()
        #expect(run(together, "--shard", "2/2").status == 0)

        let refused = merge()
        #expect(refused.status == 1)
        #expect(
            refused.errors
                == "tapedeck: 1 of 2 shards of \(together.text) are not through: 1; start those again,"
                + " or look at the rest with --partial\n")
        let status = Tool.run(["status", together.text])
        #expect(
            status.outputLines.first?.contains("1 finished, 0 running here, 1 stopped (1)") == true)
        let partial = merge("--partial")
        #expect(partial.status == 0)
        #expect(partial.outputLines.first == "merged 2 of 2 shards; not through: 1")

        #expect(run(together, "--shard", "1/2").status == 0)
        #expect(merge().status == 0)
        #expect(differences() == "")
    }

    /// Nothing of earlier nights, and no manifest, is lost by a merge that goes ahead.
    @Test func partialMergeKeepsWhatItDoesNotKnow() throws {
        library.addRecording("gone.wav")
        for output in [alone, together] { #expect(run(output).status == 0) }
        for number in 10...29 { library.addRecording(Pathname("a/\(number).wav"), seconds: 20) }
        for number in 10...29 { library.addRecording(Pathname("b/\(number).wav"), seconds: 20) }
        library.addRecording("b/00.wav", seconds: 20)
        unlink(library.root.appending("gone.wav").text)
        let first = starting("1/2", "--json", "--jobs", "1")
        _ = first.nextLine()
        first.send(signal: SIGKILL)
        _ = first.wait()
        #expect(run(together, "--shard", "2/2").status == 0)
        let partial = merge("--partial")
        #expect(partial.outputLines.first == "merged 2 of 2 shards; not through: 1")
        #expect(partial.status == 0)
        #expect(run(together, "--shard", "1/2").status == 0)
        #expect(merge().status == 0)
        #expect(run(alone).status == 0)
        #expect(differences() == "")
    }

    @Test func mergeGoesOverWhatWasPlanned() {
        for name in ["a/a.wav", "b/b.wav", "c/c.wav"] { library.addRecording(Pathname(name)) }
        for output in [alone, together] { #expect(run(output).status == 0) }
        for name in ["a/new.wav", "b/new.wav"] { library.addRecording(Pathname(name)) }
        unlink(library.root.appending("b/b.wav").text)
        let planned = ["b", "c"].map { library.root.appending(Pathname($0)).text }
        let plan = ["plan"] + planned + ["--output", together.text, "--shards", "1"]
        #expect(Tool.run(plan + ["--prune"]).errors.contains("give it to tapedeck merge"))
        #expect(Tool.run(["run"] + planned + ["--output", alone.text, "--prune"]).status == 0)
        #expect(Tool.run(plan).status == 0)
        let shard = ["run"] + planned + ["--output", together.text, "--shard", "1/1"]
        #expect(Tool.run(shard).status == 0)
        #expect(merge("--prune").status == 0)
        #expect(differences() == "")
        #expect(merge().status == 0)
        #expect(differences() == "")
    }

    /// As where a node does not see the disk of the recordings.
    @Test func shardWithoutRecordingsIsNotThrough() {
        library.addRecording("a.wav")
        #expect(
            Tool.run(["plan", library.root.text, "--output", together.text, "--shards", "1"]).status
                == 0)
        rename(library.root.appending("a.wav").text, library.folder.path("a.wav").text)
        let outcome = run(together, "--shard", "1/1")
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("is its disk mounted?"), "\(outcome.errors)")
        #expect(merge().status == 1)
    }

    @Test func planDecidesAndNotASettingsFile() {
        library.addRecording("a.wav")
        library.folder.write(Array("trim = \"off\"\n".utf8), to: "library/tapedeck.toml")
        #expect(
            Tool.run([
                "plan", library.root.text, "--output", together.text, "--shards", "1", "--trim",
                "gaps",
            ]).status == 0)
        #expect(run(together, "--shard", "1/1").status == 0)
        #expect(merge().status == 0)
        #expect(run(alone, "--trim", "gaps").status == 0)
        #expect(differences() == "")
    }

    @Test func damagedRecordOfShardIsNamedWhereItIs() throws {
        library.addRecording("a.wav")
        #expect(run(alone).status == 0)
        #expect(run(together, "--shard", "1/1").status == 0)
        let record = together.appending(".tapedeck.shards/1-of-1/.tapedeck")
        let file = try #require(FileHandle(forUpdatingAtPath: record.text))
        try file.seek(toOffset: 100)
        file.write(Data(repeating: 0xFF, count: 40_000))
        try file.close()
        let outcome = run(together, "--shard", "1/1")
        #expect(outcome.status == 0)
        let aside = record.text + ".damaged"
        #expect(outcome.errors.contains(aside), "\(outcome.errors)")
        #expect(FileManager.default.fileExists(atPath: aside))
        #expect(merge().status == 0)
        #expect(differences() == "")
    }

    /// The plan is deleted before the records that are merged.
    @Test func killedMergeLeavesNothingThatCountsInTheNextNight() {
        for name in ["a.wav", "b.wav"] { library.addRecording(Pathname(name)) }
        for number in 1...2 { #expect(run(together, "--shard", "\(number)/2").status == 0) }
        unlink(together.appending(".tapedeck.shards/plan").text)
        #expect(
            Tool.run(["plan", library.root.text, "--output", together.text, "--shards", "2"])
                .status == 0)
        #expect(merge().errors.contains("2 of 2 shards"))
    }

    /// Either finds the other at it, or comes after it.
    @Test func twoMergesAtOnceDoWhatOneDoes() {
        for number in 1...20 { library.addRecording(Pathname("\(number).wav")) }
        for number in 1...2 { #expect(run(together, "--shard", "\(number)/2").status == 0) }
        library.addRecording("late.wav", seconds: 20)
        let merges = (1...3).map { _ in RunningTool(["merge", together.text]) }
        for outcome in merges.map({ $0.wait() }) where outcome.status != 0 {
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains("another tapedeck"), "\(outcome.errors)")
        }
        #expect(merge().status == 0)
        #expect(run(alone).status == 0)
        #expect(differences() == "")
    }

    /// A task that is started beside its live twin waits, and finds everything done.
    @Test func twinWaits() {
        for number in 1...6 { library.addRecording(Pathname("\(number).wav"), seconds: 20) }
        #expect(
            Tool.run(["plan", library.root.text, "--output", together.text, "--shards", "1"]).status
                == 0)
        let first = starting("1/1", "--json", "--jobs", "1")
        _ = first.nextLine()
        first.hold()
        let second = starting("1/1")
        first.send(signal: SIGCONT)
        #expect(first.wait().status == 0)
        let outcome = second.wait()
        #expect(outcome.status == 0)
        #expect(outcome.outputLines.first == "6 recordings: 6 up to date")
    }

    @Test func whatAppearsAfterThePlanIsDoneByTheMerge() {
        for name in ["a.wav", "b.wav", "gone.wav"] { library.addRecording(Pathname(name)) }
        #expect(
            Tool.run(["plan", library.root.text, "--output", together.text, "--shards", "2"]).status
                == 0)
        library.addRecording("late.wav")
        unlink(library.root.appending("gone.wav").text)
        for number in 1...2 { _ = run(together, "--shard", "\(number)/2") }
        let merged = merge()
        #expect(merged.status == 0)
        #expect(merged.outputLines.contains("3 recordings: 1 done, 2 up to date"))
        #expect(run(alone).status == 0)
        #expect(differences() == "")
    }

    @Test func unreadableFolderIsLeftToTheMerge() {
        library.addRecording("a.wav")
        library.addRecording("b/c.wav")
        // So that the folder cannot be read, by the system's own user either.
        library.makeFolder("library/b/.tapedeckignore")
        let plan = Tool.run(
            ["plan", library.root.text, "--output", together.text, "--shards", "1"])
        #expect(plan.status == 0)
        #expect(plan.output == "1 shard for 1 recording\n")
        #expect(
            plan.errors.hasSuffix(
                "b/.tapedeckignore cannot be read: Is a directory; what is in it is left to tapedeck"
                    + " merge\n"))
        #expect(run(together, "--shard", "1/1").status == 0)
        let merged = merge()
        #expect(run(alone).status == 3)
        #expect(merged.status == 3)
        #expect(merged.outputLines.contains("1 folder could not be read"))
        #expect(differences() == "")
    }

    @Test func whatDoesNotFitThePlanIsRefused() {
        library.addRecording("a.wav")
        library.addRecording("b/c.wav")
        let name = together.text
        #expect(
            Tool.run([
                "plan", library.root.text, "--output", name, "--shards", "2", "--trim", "gaps",
            ]).status == 0)
        func refusal(_ options: String...) -> String {
            let outcome = Tool.run(["run", library.root.text, "--output", name] + options)
            #expect(outcome.status == 1)
            return outcome.errors
        }
        #expect(
            refusal("--shard", "1/3")
                == "tapedeck: \(name) is planned for 2 shards, not 3; ask for those, or merge and"
                + " plan anew\n")
        #expect(
            refusal("--shard", "1/2", "--trim", "off")
                == "tapedeck: \(name) is planned with other settings (--trim gaps → off); leave these"
                + " options out, or merge and plan anew\n")
        #expect(
            refusal()
                == "tapedeck: \(name) has the results of 2 shards to merge first: tapedeck merge"
                + " \(name)\n")
        let elsewhere = Tool.run([
            "run", library.root.appending("b").text, "--output", name, "--shard", "1/2",
        ])
        #expect(elsewhere.status == 1)
        #expect(run(together, "--shard", "1/2", "--trim", "gaps").status == 0)
        // Shards have begun.
        func plan(_ count: String) -> Int32 {
            Tool.run(["plan", library.root.text, "--output", name, "--shards", count]).status
        }
        #expect(plan("3") == 1)
        // So that all can be submitted again.
        #expect(plan("2") == 0)
        #expect(run(together, "--shard", "1/2").outputLines.first?.contains("1 up to date") == true)
    }

    /// Whatever is behind two dashes is a path.
    @Test func slurmScriptRunsWhatWasAskedFor() {
        library.addRecording("a.wav")
        library.makeFolder("bin")
        let bin = library.folder.path("bin")
        // Does at once what it is given.
        let script = """
            #!/bin/sh
            for word; do
                case $word in --wrap=*) sh -c "${word#--wrap=}" >&2 ;; esac
            done
            echo 1
            """
        library.folder.write(Array(script.utf8), to: "bin/sbatch")
        chmod(bin.appending("sbatch").text, 0o755)
        let path = "\(bin.text):\(ProcessInfo.processInfo.environment["PATH"] ?? "")"
        let outcome = Tool.run(
            [
                "slurm", "--shards", "1", "--submit", "--sbatch",
                // One character of a quote and an accent.
                "--comment=a'\u{301} b; touch made; '", "--output",
                together.text, "--", library.root.text,
            ], in: bin,
            environment: ["PATH": path, "SLURM_ARRAY_TASK_ID": "1"])
        #expect(outcome.status == 0)
        #expect(!FileManager.default.fileExists(atPath: bin.appending("made").text))
        #expect(outcome.outputLines == ["plan: job 1; shards: 1; merge: 1"])
        #expect(outcome.errors.contains("1 recording: 1 up to date"))
        #expect(run(alone).status == 0)
        #expect(differences() == "")
    }

    @Test func arrayTellsTheShard() {
        library.addRecording("a.wav")
        library.addRecording("b.wav")
        func run(_ environment: [String: String], _ options: String...) -> Int32 {
            Tool.run(
                [
                    "run", library.root.text, "--output", together.text, "--shard", "auto",
                ] + options, environment: environment
            ).status
        }
        #expect(run(["PARALLEL_SEQ": "1"]) == 64)
        #expect(run(["PARALLEL_SEQ": "1"], "--shards", "2") == 0)
        #expect(
            run([
                "SLURM_ARRAY_TASK_ID": "1", "SLURM_ARRAY_TASK_COUNT": "2",
                "SLURM_ARRAY_TASK_MIN": "0",
            ]) == 0)
        #expect(merge("--quiet").status == 0)
    }
}
