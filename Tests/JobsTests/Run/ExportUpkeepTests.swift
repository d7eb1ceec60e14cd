import Jobs
import Recordings
import TestSupport
import Testing

/// When exports are written.
@Suite struct ExportUpkeepTests {
    private func configuration(_ watch: WatchPolicy? = nil) -> JobStore.Configuration {
        var configuration = JobStore.Configuration()
        configuration.exports = ExportChoice()
        configuration.watch = watch
        return configuration
    }

    private func run(_ configuration: JobStore.Configuration) -> ScriptedRun {
        let run = ScriptedRun(configuration)
        run.listings[""] = FolderListing(recordings: [Example.scanned("a.wav")])
        return run
    }

    private func isExport(_ command: JobStore.Command) -> Bool {
        if case .export = command { true } else { false }
    }

    private var trouble: ExportTrouble {
        let failure = Example.failure(.noSpace, in: .manifest)
        return ExportTrouble(format: "csv", path: "segments.csv", obstacle: .failed(failure))
    }

    private func report(seconds: Double = 0, _ troubles: ExportTrouble...) -> ExportReport {
        var report = ExportReport()
        report.seconds = seconds
        report.troubles = troubles
        return report
    }

    @Test func runWritesExportsOnceAfterTheLastManifest() throws {
        let run = run(configuration())
        run.start()
        run.answerAll()
        let places = run.commands.indices.filter { isExport(run.commands[$0]) }
        let manifest = run.commands.lastIndex { $0.due == .manifest(FolderID(0)) }
        #expect(places.count == 1)
        #expect(try #require(manifest) < places[0])
        #expect(run.commands.last == .finish)
        #expect(run.state.phase == .finished(nil))
    }

    @Test func runWithoutExportsOrdersNone() {
        var without = configuration()
        without.exports = nil
        var dry = configuration()
        dry.isDryRun = true
        for configuration in [without, dry] {
            let run = run(configuration)
            run.start()
            run.answerAll()
            #expect(!run.commands.contains(where: isExport))
            #expect(run.state.phase == .finished(nil))
        }
    }

    @Test func runThatIsStoppedExportsWhatItHas() {
        let run = run(configuration())
        run.start()
        run.send(.stopRequested(.interrupt))
        run.answerAll()
        #expect(run.commands.count(where: isExport) == 1)
        #expect(run.state.phase == .finished(.interrupt))
    }

    @Test func runThatCannotWriteAnythingExportsNothing() {
        let run = run(configuration())
        run.start()
        run.answerNext()
        let failure = Example.failure(.noSpace, in: .waveform)
        run.send(.job(RecordingID(0), .failed(failure, measured: nil)))
        run.answerAll()
        #expect(!run.commands.contains(where: isExport))
        #expect(run.state.isFinished)
    }

    @Test func troubleIsToldOnceAndCounted() {
        let run = run(configuration())
        run.start()
        while run.pending.first?.due != .exports { run.answerNext() }
        run.send(.exported(report(trouble, trouble)))
        #expect(run.announcements.count { $0 == .exportTrouble(trouble) } == 1)
        #expect(run.state.summary.exportTroubles == 1)
        #expect(run.state.phase == .finished(nil))
    }

    @Test func answerThatNobodyAwaitsIsIgnored() {
        let run = run(configuration())
        run.start()
        run.send(.exported(report(trouble)))
        #expect(run.state.ignoredAnswers == 1 && run.state.summary.exportTroubles == 0)
    }

    private func exports(_ run: WatchedRun) -> Int { run.run.commands.count(where: isExport) }

    /// A watch that waits for the answer to an export of something new.
    private func watchThatExports() -> WatchedRun {
        let watch = WatchedRun.underway { $0.exports = ExportChoice() }
        watch.holds = isExport
        let before = exports(watch)
        #expect(before > 0)
        land("new.wav", in: watch)
        watch.pass(seconds: 5)
        #expect(exports(watch) == before + 1)
        return watch
    }

    private func land(_ name: Pathname, in watch: WatchedRun) {
        watch.write(name)
        watch.notice(.written, name)
    }

    @Test func watchPausesInProportionToWhatExportsTake() {
        let watch = watchThatExports()
        let before = exports(watch)
        watch.run.send(.exported(report(seconds: 0.5)))
        land("more.wav", in: watch)
        watch.pass(seconds: 9)
        #expect(watch.manifest()["more.wav"] == .done && exports(watch) == before)
        #expect(JobStore.subscriptions(of: watch.state).contains(.ticks(perSecond: 5)))
        watch.pass(seconds: 2)
        #expect(exports(watch) == before + 1)
        watch.run.send(.exported(report()))
        watch.pass(seconds: 200)
        #expect(exports(watch) == before + 1)
        #expect(!JobStore.subscriptions(of: watch.state).contains(.ticks(perSecond: 5)))
    }

    @Test func watchTriesAgainWhatCouldNotBeWritten() {
        let watch = watchThatExports()
        let before = exports(watch)
        watch.run.send(.exported(report(trouble)))
        watch.pass(seconds: 55)
        #expect(exports(watch) == before)
        watch.pass(seconds: 10)
        #expect(exports(watch) == before + 1)
        watch.run.send(.exported(report(trouble)))
        #expect(watch.run.announcements.count { $0 == .exportTrouble(trouble) } == 1)
    }

    @Test func watchThatEndsWhenIdleWaitsForNoPause() {
        let watch = WatchedRun(WatchPolicy(endsWhenIdle: true)) { $0.exports = ExportChoice() }
        watch.write("a.wav")
        watch.pass(seconds: 60)
        watch.start()
        #expect(watch.state.phase == .finished(nil))
        #expect(watch.run.commands.dropLast().last.map(isExport) == true)
    }
}
