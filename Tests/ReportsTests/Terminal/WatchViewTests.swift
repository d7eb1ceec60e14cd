import Jobs
import Recordings
import ReducerKit
import TestSupport
import Testing

@testable import Reports

@Suite struct WatchViewTests {
    private static func facts(_ change: (inout WatchFacts) -> Void = { _ in }) -> WatchFacts {
        var facts = WatchFacts(JobStore.State(configuration: JobStore.Configuration()))
        facts.hasBegun = true
        facts.folders = 40
        change(&facts)
        return facts
    }

    // MARK: How it stands

    @Test func statusLineShowsCountsAndDelay() {
        let line = WatchView.standing(
            Self.facts {
                $0.awaited = 12
                $0.underway = 2
                $0.done = 1204
                $0.failed = 3
                $0.behindSeconds = 5
            })
        #expect(line == "12 waiting · 2 running · 1,204 done · 3 failed · 5 s behind")
    }

    private static let standings: [(WatchFacts, String)] = [
        (facts(), "idle, 40 folders watched"),
        (facts { $0.folders = 1 }, "idle, 1 folder watched"),
        (facts { $0.hasBegun = false }, "starting"),
        (
            facts {
                $0.done = 1
                $0.failed = 2
            }, "idle, 40 folders watched · 1 done · 2 failed"
        ),
        (facts { $0.awaited = 1 }, "1 waiting"),
        (facts { $0.foldersToList = 1 }, "1 folder to list"),
        (
            facts {
                $0.foldersToList = 2000
                $0.hasBegun = false
            }, "2,000 folders to list"
        ),
        (
            facts {
                $0.queued = 98
                $0.underway = 2
                $0.behindSeconds = 185
            }, "98 queued · 2 running · 3 min 05 s behind"
        ),
        (
            facts {
                $0.underway = 1
                $0.behindSeconds = 0
            }, "1 running"
        ),
        (facts { $0.isStopping = true }, "stopping"),
        (
            facts {
                $0.isStopping = true
                $0.underway = 1
            }, "1 running · stopping"
        ),
    ]

    @Test(arguments: standings.indices)
    func statusLineOmitsZeroCounts(index: Int) {
        let (facts, line) = Self.standings[index]
        #expect(WatchView.standing(facts) == line)
    }

    @Test(arguments: [
        (80, "12 waiting · 7 queued · 2 running · 1,204 done · 3 failed · 5 s behind"),
        (70, "12 waiting · 7 queued · 2 running · 1,204 done · 3 failed · 5 s behind"),
        (69, "12 waiting · 2 running · 1,204 done · 3 failed · 5 s behind"),
        (47, "12 waiting · 2 running · 3 failed · 5 s behind"),
        (40, "12 waiting · 3 failed · 5 s behind"),
        (30, "3 failed · 5 s behind"),
        (12, "3 failed"),
        (1, "3 failed"),
    ])
    func failedCountIsKeptOnNarrowTerminal(width: Int, line: String) {
        let facts = Self.facts {
            $0.awaited = 12
            $0.queued = 7
            $0.underway = 2
            $0.done = 1204
            $0.failed = 3
            $0.behindSeconds = 5
        }
        #expect(WatchView.standing(facts, width: width) == line)
    }

    @Test func idleLineKeepsFailedCount() {
        let facts = Self.facts {
            $0.done = 1204
            $0.failed = 3
        }
        let lines = WatchView.lines(facts, recent: [], width: 40)
        #expect(lines == ["idle, 40 folders watched · 3 failed"])
    }

    // MARK: Recordings

    @Test func hiddenWaitingRecordingsAreCounted() {
        var facts = Self.facts {
            $0.awaited = 1009
            $0.pending = [
                .init(path: "a.wav", standing: .workedOn),
                .init(path: "b.wav", standing: .awaited(nil, seconds: 1)),
                .init(path: "c.wav", standing: .awaited(nil, seconds: 1)),
            ]
        }
        func lines() -> [String] {
            WatchView.lines(facts, recent: ["done     d.wav"], width: 80).suffix(2)
        }
        #expect(lines() == ["         and 1,007 more", "done     d.wav"])
        facts.awaited = 2
        #expect(lines() == ["waiting  c.wav (may still be written)", "done     d.wav"])
        // Those above are worked on, and the first line has the number.
        facts.awaited = 9
        facts.pending = [.init(path: "a.wav", standing: .workedOn)]
        #expect(lines() == ["working  a.wav", "done     d.wav"])
    }

    @Test func runningAndWaitingRecordingsPrecedeFinished() {
        let cutOff = RecordingFailure(
            stage: .decode, reason: .truncated, frame: 100, expected: 250)
        let written = RecordingFailure(stage: .decode, reason: .beingWritten)
        let facts = Self.facts {
            $0.awaited = 3
            $0.underway = 1
            $0.pending = [
                .init(path: "calls/a.wav", standing: .workedOn),
                .init(path: "calls/x.wav", standing: .awaited(written, seconds: 4)),
                .init(path: "calls/y\n.wav", standing: .awaited(nil, seconds: 1)),
                .init(path: "z.wav", standing: .awaited(cutOff, seconds: 35)),
            ]
        }
        let lines = WatchView.lines(
            facts, recent: ["one", "two", "three", "four"], below: "spool", width: 80)
        #expect(
            lines == [
                "3 waiting · 1 running",
                "working  spool/calls/a.wav",
                "waiting  spool/calls/x.wav (still being written)",
                "waiting  spool/calls/y\\n.wav (may still be written)",
                "waiting  spool/z.wav (the file is cut off; unchanged for 35 s)",
                "one", "two", "three",
            ])
    }

    @Test func recentLineShowsOnlyNewOutcomes() {
        var done = ManifestEntry(name: "b.wav", status: .done, source: Example.stamp)
        done.format = Example.format(seconds: 10)
        var failed = ManifestEntry(name: "c.wav", status: .failed, source: Example.stamp)
        failed.failure = RecordingFailure(
            stage: .decode, reason: .truncated, frame: 100, expected: 250)
        func line(_ entry: ManifestEntry, upToDate: Bool = false) -> String? {
            WatchView.recent(
                .settled(folder: "A", entry, upToDate: upToDate), below: "s")
        }
        #expect(line(done) == "done     s/A/b.wav, 10 s")
        #expect(line(failed) == "failed   s/A/c.wav: the file is cut off")
        #expect(line(done, upToDate: true) == nil)
        #expect(line(failed, upToDate: true) == nil)
        #expect(WatchView.recent(.missing(folder: "A", name: "b.wav", pruned: false)) == nil)
    }

    @Test(arguments: 0...60)
    func linesFitTerminalWidth(width: Int) {
        let facts = Self.facts {
            $0.awaited = 1_000_000
            $0.done = 1_000_000
            $0.pending = [.init(path: "日本語の長い名前の録音.wav", standing: .workedOn)]
        }
        for line in WatchView.lines(facts, recent: ["done a.wav"], width: width) {
            #expect(TerminalBlock.columns(of: line) <= width)
        }
    }
}

@Suite struct WatchTextTests {
    private func event(_ announcement: Announcement) -> String? {
        WatchText.event(announcement, below: "spool")
    }

    @Test func eachEventHasExpectedLine() {
        let done = ManifestEntry(name: "b\n.wav", status: .done, source: Example.stamp)
        #expect(
            event(.settled(folder: "A", done, upToDate: false))
                == "done spool/A/b\\n.wav")
        #expect(
            event(.awaited(folder: "A", name: "c.wav", nil))
                == "waiting spool/A/c.wav (may still be written)")
        let written = RecordingFailure(stage: .decode, reason: .beingWritten)
        #expect(
            event(.awaited(folder: "", name: "c.wav", written))
                == "waiting spool/c.wav (still being written)")
        let cutOff = RecordingFailure(stage: .decode, reason: .truncated, frame: 1, expected: 9)
        #expect(
            event(.awaited(folder: "A", name: "c.wav", cutOff))
                == "waiting spool/A/c.wav (the file is cut off after frame 1 of 9)")
        #expect(
            event(.missing(folder: "A", name: "d.wav", pruned: false)) == "gone spool/A/d.wav")
        #expect(
            event(.missing(folder: "A", name: "d.wav", pruned: true))
                == "gone spool/A/d.wav (its results are deleted)")
        #expect(
            event(.moved(folder: "A", name: "e.wav", newFolder: "B", newName: "f.wav"))
                == "moved spool/A/e.wav to spool/B/f.wav")
        #expect(WatchText.beginning(folders: 1) == "watching 1 folder")
        #expect(WatchText.beginning(folders: 1200) == "watching 1,200 folders")
    }

    /// Failures are told elsewhere, and what is up to date is no news.
    @Test func failuresAndUpToDateFilesPrintNoEvent() {
        let done = ManifestEntry(name: "b.wav", status: .done, source: Example.stamp)
        #expect(event(.settled(folder: "A", done, upToDate: true)) == nil)
        var failed = ManifestEntry(name: "c.wav", status: .failed, source: Example.stamp)
        failed.failure = Example.failure()
        #expect(event(.settled(folder: "A", failed, upToDate: false)) == nil)
        #expect(event(.polled(folder: "A", .remote)) == nil)
        #expect(event(.stopped(Example.failure())) == nil)
    }
}
