import Foundation
import Recordings
import Synchronization
import TestSupport
import Testing
import Workers

/// Commands of the user that are told events.
@Suite struct HookRunnerTests {
    private let folder = TestFolder()

    private final class Outcomes: Sendable {
        private let taken = Mutex<[HookOutcome]>([])
        var all: [HookOutcome] { taken.withLock(\.self) }

        func take(_ outcome: HookOutcome) { taken.withLock { $0.append(outcome) } }
    }

    /// Tells events to a command, without waiting in between, and waits for its end.
    private func tell(
        _ events: [String], to command: String, mostSeconds: Int = 60, mostEvents: Int = 1000
    ) -> [HookOutcome] {
        var limits = HookRunner.Limits(pauseSeconds: 3600)
        limits.gatherSeconds = 3600
        limits.lastSeconds = mostSeconds
        limits.mostEvents = mostEvents
        let outcomes = Outcomes()
        let runner = HookRunner(
            command, limits, omission: { "omitted \($0)" }, tell: outcomes.take)
        for event in events { runner.add(event) }
        finish(runner)
        return outcomes.all
    }

    private func finish(_ runner: HookRunner) {
        let group = DispatchGroup()
        runner.finish(in: group)
        group.wait()
    }

    private var log: URL { URL(filePath: folder.path("log").text) }

    private func text() throws -> String { try String(contentsOf: log, encoding: .utf8) }

    @Test func eventsAreLinesOfStandardInput() throws {
        let names = ["{\"a\":1}", "$(touch \(folder.path.text)/x) `id` ; ' \" \\", "ü"]
        #expect(tell(names, to: "cat > '\(log.path)'") == [.done])
        #expect(try text() == names.map { $0 + "\n" }.joined())
        #expect(!FileManager.default.fileExists(atPath: folder.path.text + "/x"))
    }

    @Test func nothingToTellIsNoCall() {
        #expect(tell([], to: "exit 1") == [])
    }

    @Test func moreEventsThanACallTellsAreANumber() throws {
        let events = (0..<100).map(String.init)
        #expect(tell(events, to: "cat > '\(log.path)'", mostEvents: 3) == [.done])
        #expect(try text() == "0\n1\n2\nomitted 97\n")
    }

    @Test(arguments: [
        ("exit 3", HookOutcome.failed(status: 3, detail: "")),
        (
            "echo no; echo 'why not' >&2; echo more >&2; exit 1",
            .failed(status: 1, detail: "why not")
        ),
        ("kill -9 $$", .failed(status: 137, detail: "")),
        ("/no/such/command", .failed(status: 127, detail: "sh: 1: /no/such/command: not found")),
        // It reads nothing of a megabyte.
        ("exit 0", .done),
        ("head -c 1 > /dev/null", .done),
        // Nor is all read that it writes.
        (
            "yes | head -c 50000000 >&2; yes | head -c 50000000; exit 2",
            .failed(status: 2, detail: "y")
        ),
        // A process that it leaves behind holds its standard error open.
        ("sleep 60 & exit 4", .failed(status: 4, detail: "")),
    ])
    func outcomeIsToldWithTheFirstLineOfStandardError(command: String, outcome: HookOutcome) {
        let events = Array(repeating: String(repeating: "x", count: 10_000), count: 100)
        let told = tell(events, to: command)
        if case .failed(127, let detail)? = told.first {
            #expect(detail.contains("/no/such/command"))
        } else {
            #expect(told == [outcome])
        }
    }

    @Test func commandThatHangsIsKilledWithWhatItStarted() throws {
        let command = "(trap '' TERM; sleep 100 & echo $! > '\(log.path)'; wait) & wait; sleep 100"
        #expect(tell(["a"], to: command, mostSeconds: 1) == [.tookTooLong(seconds: 1)])
        let child = try #require(
            pid_t(text().trimmingCharacters(in: .whitespacesAndNewlines)))
        // It may be a zombie for as long as nobody has waited for it.
        let isGone = kill(child, 0) != 0
        let state = try? String(contentsOfFile: "/proc/\(child)/stat", encoding: .utf8)
        #expect(isGone || state?.contains(") Z ") == true)
    }

    @Test func commandInheritsNoDescriptorsAndNoBlockedSignals() throws {
        let held = open(log.path, O_RDWR | O_CREAT, 0o600)
        defer { close(held) }
        let script =
            "ls /proc/self/fd | tr '\\n' ' ' > '\(log.path).fds';"
            + " grep SigBlk /proc/self/status > '\(log.path).signals'"
        #expect(tell(["a"], to: script) == [.done])
        let signals = try String(contentsOfFile: log.path + ".signals", encoding: .utf8)
        #expect(signals.contains("0000000000000000"))
        let files = try String(contentsOfFile: log.path + ".fds", encoding: .utf8)
        #expect(files.split(separator: " ").count <= 4, "\(files)")
    }

    /// What happens while a call runs is told by one more call.
    @Test func callsFollowEachOtherWhateverHappensMeanwhile() throws {
        var limits = HookRunner.Limits(pauseSeconds: 0)
        limits.gatherSeconds = 0
        let outcomes = Outcomes()
        let gate = folder.path("gate").text
        #expect(mkfifo(gate, 0o600) == 0)
        let runner = HookRunner(
            "cat >> '\(log.path)'; echo - >> '\(log.path)'; read x < '\(gate)'", limits,
            omission: { "omitted \($0)" }, tell: outcomes.take)
        runner.add("first")
        // Returns once the first call waits.
        let writer = open(gate, O_WRONLY)
        // Between two calls nobody else reads, and writing would then end this process.
        let reader = open(gate, O_RDWR)
        for number in 0..<200 { runner.add("\(number)") }
        write(writer, "\n", 1)
        // The second call reads what is left of the gate's lines.
        write(writer, "\n\n\n", 3)
        finish(runner)
        close(writer)
        close(reader)
        #expect(outcomes.all.count <= 3)
        let lines = try text().split(separator: "\n").filter { $0 != "-" }
        #expect(lines == ["first"] + (0..<200).map { "\($0)" })
    }
}
