import Foundation
import Recordings
import TestSupport
import Testing

/// Hooks, metrics and `status --check`.
@Suite struct TellTests {
    private let library = Library()

    private func path(_ name: Pathname) -> String { library.folder.path(name).text }

    private func text(_ name: Pathname) -> String {
        String(decoding: TestFolder.bytes(of: library.folder.path(name)), as: UTF8.self)
    }

    private func lines(_ name: Pathname) -> [String] {
        text(name).split(separator: "\n").map(String.init)
    }

    @Test func hooksAreToldOfWhatHappens() async throws {
        library.addRecording("good.wav")
        library.add("$(touch x).wav", Array("no sound".utf8))
        let watch = Watch(
            library,
            [
                "--on-failure", "cat >> '\(path("failed"))'; exit 3",
                "--on-done", "cat >> '\(path("done"))'", "--settle-seconds", "0.1",
            ])
        #expect(await outcomes(2, of: watch))
        let outcome = await watch.stop()
        let complaints = outcome.errorLines.filter { $0.contains("--on-failure") }
        #expect(complaints.count == 1 && complaints[0].contains("exit status 3; said once"))
        #expect(lines("done").count == 1 && lines("done")[0].contains(#""name":"good.wav""#))
        #expect(lines("failed").count == 1)
        #expect(lines("failed")[0].contains(#""name":"$(touch x).wav""#))
        #expect(SchemaCheck.run(part: "line", text("done") + text("failed")).status == 0)
    }

    private func outcomes(_ count: Int, of watch: Watch) async -> Bool {
        await watch.wait {
            watch.listen()
            return watch.events.count(where: \.isOutcome) == count
        }
    }

    /// It neither waits for its hook, nor is held up by one that hangs at its end.
    @Test func hookThatHangsHoldsUpNothing() async throws {
        let watch = Watch(
            library, ["--on-failure", "exec sleep 1000", "--settle-seconds", "0.1"])
        for number in 0..<20 {
            library.add(Pathname("\(number).wav"), Array("no sound".utf8))
        }
        #expect(await outcomes(20, of: watch))
        for number in 20..<30 { library.addRecording(Pathname("\(number).wav")) }
        #expect(await outcomes(30, of: watch))
        let start = Date.now
        let outcome = await watch.stop()
        // It is killed, and told of.
        #expect(Date.now.timeIntervalSince(start) < 45)
        #expect(outcome.errors.contains("the command took longer than"))
    }

    @Test func metricsAreWrittenAtTheEnd() throws {
        library.addRecording("good.wav")
        library.add("bad.wav", Array("no sound".utf8))
        let file = path("a.prom")
        let watch = library.watch("--metrics", file, "--quiet")
        #expect(watch.status == 3)
        #expect(
            lines("a.prom").contains { $0.hasPrefix("tapedeck_done_total{") && $0.hasSuffix(" 1") })
        #expect(lines("a.prom").contains { $0.hasPrefix("tapedeck_failed{") && $0.hasSuffix(" 1") })
        #expect(
            lines("a.prom").contains { $0.hasPrefix("tapedeck_watching{") && $0.hasSuffix(" 0") })
        // What cannot be written is told once.
        let nowhere = library.watch("--metrics", path("no/such/a.prom"), "--quiet")
        #expect(nowhere.status == 3)
        #expect(nowhere.errorLines.count { $0.contains("--metrics") } == 1)
        library.add("x.prom", Array("a recording".utf8))
        let other = library.watch("--metrics", library.root.text + "/x.prom", "--quiet")
        #expect(other.errors.contains("holds something else"))
        #expect(
            TestFolder.bytes(of: library.root.appending("x.prom")) == Array("a recording".utf8))
        #expect(library.watch("--metrics", path("a.txt")).status == 64)
    }

    /// Both at once, and not one after the other; service managers and containers wait for ten
    /// seconds or little more.
    @Test func hooksThatHangEndTogether() async throws {
        let watch = Watch(
            library,
            [
                "--on-failure", "exec sleep 1000", "--on-done", "exec sleep 1000",
                "--settle-seconds", "0.1",
            ])
        library.addRecording("a.wav")
        library.add("b.wav", Array("no sound".utf8))
        #expect(await outcomes(2, of: watch))
        let start = ContinuousClock.now
        let outcome = await watch.stop()
        #expect(ContinuousClock.now - start < .seconds(25))
        #expect(outcome.errorLines.filter { $0.contains("took longer than") }.count == 2)
    }

    /// Neither those beside the paths that were asked for, nor those that have failed and are tried
    /// again.
    @Test func checkCountsWhatRunsWereAskedFor() throws {
        for name in ["a/a.wav", "b/b.wav", "b/c.wav"] as [Pathname] { library.addRecording(name) }
        library.addRecording("a/locked.wav")
        let locked = library.root.appending("a/locked.wav").text
        chmod(locked, 0)
        let output = path("out")
        let paths = [library.root.text + "/a", library.root.text + "/b/b.wav"]
        let status = Tool.run(["run"] + paths + ["--output", output]).status
        // Root may read it.
        #expect(status == (getuid() == 0 ? 0 : 3))
        let words = ["status", output, "--check", "--behind", "0", "--failed", "1"]
        let checked = Tool.run(words)
        #expect(checked.status == 0, "\(checked.errors)")
        library.addRecording("a/new.wav")
        let waiting = Tool.run(words)
        #expect(waiting.status == 3 || waiting.output.contains(" 1 waiting"))
        #expect(Tool.run(["run", library.root.text, "--output", output]).status == status)
        library.addRecording("later.wav")
        #expect(Tool.run(words + ["--json"]).output.contains(#""waiting":1"#))
    }

    @Test func checkTellsFailuresAndWaitingRecordings() throws {
        library.addRecording("a/good.wav")
        #expect(library.run().status == 0)
        func check(_ options: String...) -> Tool.Outcome {
            Tool.run(["status", library.root.text, "--check"] + options)
        }
        let well = check()
        #expect(well.status == 0 && well.errors == "")
        #expect(well.output == "well: 1 recording, 0 failed, none waits\n")
        library.add("a/bad.wav", Array("no sound".utf8))
        let landed = library.addRecording("b/later.wav")
        // Not behind yet.
        #expect(check().status == 0)
        // The time of its change cannot be set, so the limit is.
        while Date.now.timeIntervalSince1970 - changed(landed) < 1.1 { sched_yield() }
        let behind = check("--behind", "0")
        #expect(behind.status == 3 && behind.output == "")
        #expect(behind.errors.contains("2 recordings wait"))
        #expect(library.run().status == 3)
        let failed = check("--behind", "0")
        #expect(failed.status == 3)
        #expect(failed.errors.contains("1 recording has failed, such as a/bad.wav (0 allowed)"))
        #expect(check("--failed", "1").status == 0)
        #expect(Tool.run(["status", library.root.appending("b").text, "--check"]).status == 0)
        let json = check("--json")
        #expect(json.status == 3)
        #expect(SchemaCheck.run(part: "check", json.output).status == 0)
        #expect(Tool.run(["status", library.root.text, "--failed", "1"]).status == 64)
        // Nobody is told that all is well if nobody can see the recordings.
        #expect(rename(library.root.text, path("elsewhere")) == 0)
        #expect(Tool.run(["status", path("elsewhere/tapedeck"), "--check"]).status == 3)
    }

    /// Seconds since 1970.
    private func changed(_ path: Pathname) -> Double {
        var info = stat()
        guard stat(path.text, &info) == 0 else { return 0 }
        return Double(info.st_ctim.tv_sec)
    }

    /// It is told within 15 seconds, or else at the end.
    @Test(arguments: [true, false])
    func changedSettingsFileIsToldAndNotUsed(isRead: Bool) async throws {
        library.add("tapedeck.toml", Array("trim = \"off\"".utf8))
        let options = isRead ? [] : ["--no-config"]
        let watch = Watch(library, ["--settle-seconds", "0.1"] + options)
        await watch.begin()
        library.add("tapedeck.toml", Array("trim = \"gaps\"".utf8))
        library.addRecording("good.wav")
        #expect(await watch.wait(for: .done, of: "good.wav"))
        let outcome = await watch.stop()
        #expect(outcome.errors.contains("tapedeck.toml: the file has changed") == isRead)
        let entry = try #require(library.manifest()["good.wav"])
        #expect((entry.notTrimmed == .off) == isRead)
    }

    @Test func linesOfALogHaveTimes() throws {
        library.addRecording("good.wav")
        let stamp = #/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z /#
        library.add("bad.wav", Array("no sound".utf8))
        let watch = library.watch()
        for line in watch.outputLines + watch.errorLines {
            #expect(line.prefixMatch(of: stamp) != nil, "\(line)")
        }
        let run = library.run("--force", "--json")
        #expect(run.outputLines.allSatisfy { $0.contains(#""time":""#) })
    }

    @Test func folderWithNothingUsableIsOneLine() {
        let empty = library.run()
        #expect(empty.status == 0 && empty.outputLines == ["0 recordings"])
        library.add("a.txt", [1])
        library.add("b.pdf", [1])
        library.add(".hidden", [1])
        library.add("tapedeck.toml", [])
        let useless = library.run("--no-config")
        #expect(useless.status == 1)
        #expect(
            useless.outputLines
                == ["0 recordings; 2 other files skipped (--raw reads files without a header)"])
        library.add("c.mp4", [1])
        #expect(library.run("--no-config").outputLines.count == 1)
        library.addRecording("good.wav")
        #expect(library.run().status == 0)
    }

    @Test(arguments: [
        (
            "*.wav",
            "*.wav does not exist; a pattern belongs after --include, as in . --include '*.wav'"
        ),
        ("https://a.b/c.wav", "https://a.b/c.wav is an address, not a file; download it first"),
        (
            "x/y?.wav",
            "x/y?.wav does not exist; a pattern belongs after --include, as in x --include 'y?.wav'"
        ),
        ("none.wav", "none.wav does not exist"),
    ])
    func pathThatIsNoneIsTold(path: String, sentence: String) {
        let refused = Tool.run(["run", path], in: library.folder.path)
        #expect(refused.status == 1 && refused.errors == "tapedeck: \(sentence)\n")
    }
}
