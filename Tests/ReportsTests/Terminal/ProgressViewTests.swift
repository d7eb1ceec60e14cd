import Jobs
import Recordings
import ReducerKit
import Testing

@testable import Reports

@Suite struct ProgressViewTests {
    /// Forty recordings found, twelve settled in half a minute.
    private static func state() -> JobStore.State {
        var state = JobStore.State(configuration: JobStore.Configuration())
        state.scan.begin([.folder(.empty)]) { _ in }
        _ = state.scan.handle(.listed(FolderID(0), FolderListing())) { _ in }
        state.summary.recordings = 40
        state.summary.done = 9
        state.summary.failed = 1
        state.summary.upToDate = 2
        state.summary.decodedSeconds = 5400
        state.pace.tick(1000)
        state.pace.tick(1030)
        return state
    }

    private static func line(
        _ width: Int, _ change: (inout JobStore.State) -> Void = { _ in }
    ) -> String {
        var state = state()
        change(&state)
        return ProgressView.line(ProgressFacts(state), width: width)
    }

    /// The line without its bar.
    private static func line(_ change: (inout JobStore.State) -> Void = { _ in }) -> String {
        let line = line(120, change)
        return line.first?.isNumber == true ? line : String(line.drop { $0 != " " }.dropFirst())
    }

    @Test func lineShowsCountsSpeedAndTimeLeft() {
        #expect(Self.line() == "12/40 · 1 failed · 3.0 h of audio/min · 1:24 left")
    }

    @Test func barFillsWithSettledRecordings() {
        func bar(_ settled: Int, of all: Int) -> String {
            let line = Self.line(120) {
                $0.summary = Summary()
                ($0.summary.recordings, $0.summary.done) = (all, settled)
            }
            return String(line.prefix { $0 != " " })
        }
        #expect(bar(0, of: 40) == String(repeating: "░", count: 20))
        #expect(bar(10, of: 40) == "█████" + String(repeating: "░", count: 15))
        #expect(bar(1, of: 160) == "▏" + String(repeating: "░", count: 19))
        #expect(bar(159, of: 160) == String(repeating: "█", count: 19) + "▉")
        #expect(bar(40, of: 40) == String(repeating: "█", count: 20))
        #expect(Self.line(120) == "██████░░░░░░░░░░░░░░ " + Self.line())
        // There is none before all are found, nor where it does not fit.
        #expect(!Self.line(120) { $0.scan.inFlight = FolderID(0) }.contains("░"))
        #expect(Self.line(69) == Self.line() && Self.line(70).contains("░"))
    }

    @Test func normalClosingIsNotShownAsStopping() {
        #expect(Self.line { $0.phase = .closing(nil) } == Self.line())
    }

    @Test func stillFailedRecordingsAreCountedAsFailed() {
        #expect(
            Self.line {
                $0.summary.failed = 0
                $0.summary.stillFailed = 1
            } == "12/40 · 1 failed · 3.0 h of audio/min · 1:33 left")
    }

    @Test func totalIsMarkedWithPlusDuringScan() {
        #expect(
            Self.line { $0.scan.inFlight = FolderID(0) }
                == "12/40+ · 1 failed · 3.0 h of audio/min")
    }

    @Test func unknownPartsAreOmitted() {
        #expect(
            Self.line {
                $0.summary = Summary()
                $0.pace = Pace()
                $0.scan.inFlight = FolderID(0)
            } == "0/0+")
        #expect(Self.line { $0.pace = Pace() } == "12/40 · 1 failed")
        #expect(Self.line { $0.summary.failed = 0 } == "11/40 · 3.0 h of audio/min · 1:37 left")
        #expect(
            Self.line {
                $0.summary = Summary()
                $0.summary.recordings = 4
                $0.summary.upToDate = 2
            } == "2/4")
    }

    @Test(arguments: [JobStore.Phase.stopping(.interrupt), .closing(.terminate)])
    func stoppingIsShownAfterSignal(phase: JobStore.Phase) {
        #expect(Self.line { $0.phase = phase } == "12/40 · 1 failed · stopping")
    }

    @Test func finishedRunIsNotShownAsStopping() {
        #expect(Self.line { $0.phase = .finished(nil) }.contains("stopping") == false)
    }

    @Test(arguments: [
        (49, "12/40 · 1 failed · 3.0 h of audio/min · 1:24 left"),
        (48, "12/40 · 1 failed · 3.0 h of audio/min"),
        (37, "12/40 · 1 failed · 3.0 h of audio/min"), (36, "12/40 · 1 failed"),
        (16, "12/40 · 1 failed"), (15, "12/40"), (5, "12/40"), (4, "12/4"), (0, ""), (-1, ""),
    ])
    func partsAreDroppedFromEndToFitWidth(width: Int, line: String) {
        #expect(Self.line(width) == line)
    }

    @Test(arguments: 0...120)
    func lineFitsTerminalWidth(width: Int) {
        #expect(Self.line(width).count <= width)
        #expect(Self.line(width) { $0.phase = .stopping(.interrupt) }.count <= width)
        #expect(Self.line(width) { $0.summary.recordings = 1_000_000_000 }.count <= width)
    }
}

@Suite struct DurationTextTests {
    @Test(arguments: [
        (0, "0.0 s"), (0.44, "0.4 s"), (9.94, "9.9 s"), (9.95, "10 s"), (59.4, "59 s"),
        (59.6, "1 min 00 s"), (185, "3 min 05 s"), (3599.4, "59 min 59 s"), (3600, "1 h 00 min"),
        (8040, "2 h 14 min"), (360_000, "100 h 00 min"),
    ])
    func durationsAreFormattedWithUnits(seconds: Double, words: String) {
        #expect(DurationText.words(seconds) == words)
    }

    @Test(arguments: [
        (0, "0:00"), (32.4, "0:32"), (59.5, "1:00"), (3599.6, "1:00:00"), (3727, "1:02:07"),
    ])
    func timeLeftIsFormattedAsClock(seconds: Double, clock: String) {
        #expect(DurationText.clock(seconds) == clock)
    }
}
