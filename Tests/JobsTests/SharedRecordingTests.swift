import Jobs
import Recordings
import TestSupport
import Testing

/// Long recordings, and the workers that they are lent.
@Suite struct SharedRecordingTests {
    private static let long = FileStamp(bytes: 600_000_000, modifiedNanoseconds: 1)

    private func run(
        _ names: [Pathname], jobs: Int, stamp: FileStamp = long,
        trimFormat: TrimRecipe.Format = .auto, trimMode: TrimRecipe.Mode = .edges
    ) -> ScriptedRun {
        var recipe = Recipe()
        recipe.trim.format = trimFormat
        recipe.trim.mode = trimMode
        let run = ScriptedRun(JobStore.Configuration(recipe: recipe, jobLimit: jobs))
        run.listings[""] = FolderListing(
            recordings: names.map { Example.sighting($0, stamp: stamp) })
        return run
    }

    @Test func aLongRecordingAloneHasAllWorkers() {
        let run = run(["a.wav"], jobs: 3)
        run.send(.started([.folder("")], journal: JournalContents()))
        run.answerNext()
        #expect(run.listened.map(\.workers) == [3])
        #expect(run.state.scheduler.loans == [Scheduler.Loan(id: RecordingID(0), places: 2)])
        run.answerAll()
        #expect(run.state.isFinished && run.state.scheduler.loans.isEmpty)
    }

    @Test func oneWorkerIsOneWorker() {
        let run = run(["a.wav", "b.wav"], jobs: 1)
        run.run()
        #expect(run.listened.map(\.workers) == [1, 1])
    }

    @Test func twoLongRecordingsHaveOneEach() {
        let run = run(["a.wav", "b.flac"], jobs: 2)
        run.run()
        #expect(run.listened.map(\.workers) == [1, 1])
    }

    @Test func theLastOfManyHasWhatTheOthersLeave() {
        let run = run(["a.wav", "b.wav", "c.wav"], jobs: 2)
        run.silences["a.wav"] = Example.silence([])
        run.send(.started([.folder("")], journal: JournalContents()))
        run.answerNext()
        #expect(run.listened.map(\.workers) == [1, 1])
        // The first ends, and the third begins beside the second.
        run.answer(.work(RecordingID(0)))
        #expect(run.listened.map(\.workers) == [1, 1, 1])
        run.answerAll()
        #expect(run.state.isFinished)
    }

    @Test(arguments: ["a.mp3", "a.opus", "a.ogg", "a.xi"] as [Pathname])
    func whatCannotBeReadFromAnywhereIsHeardByOneWorker(name: Pathname) {
        let run = run([name], jobs: 4)
        run.run()
        #expect(run.listened.map(\.workers) == [1])
    }

    /// What is of which format, and how many of four workers write its copy.
    private static let copies: [(Pathname, AudioContainer, TrimRecipe.Format, workers: Int)] = [
        ("a.flac", .flac, .auto, 4), ("a.flac", .flac, .flac, 4), ("a.flac", .flac, .wav, 2),
        ("a.wav", .wav, .auto, 2), ("a.wav", .wav, .flac, 4), ("a.mp3", .mp3, .auto, 4),
        ("a.mp3", .mp3, .flac, 4), ("a.mp3", .mp3, .wav, 2),
        // Names may deceive.
        ("a.flac", .wav, .auto, 2), ("a.wav", .flac, .auto, 4),
    ]

    @Test(arguments: copies.indices) func copiesInFLACAreWrittenByAllAndOthersByTwo(index: Int) {
        let (name, container, format, workers) = SharedRecordingTests.copies[index]
        let run = run([name], jobs: 4, trimFormat: format)
        run.formats[name] = Example.format(
            seconds: 300, container: container, encoding: container == .mp3 ? .mp3 : .pcm16)
        run.send(.started([.folder("")], journal: JournalContents()))
        run.answerNext()
        // What is heard by one leaves the other places to whoever comes.
        #expect(run.listened.map(\.workers) == [name.isOfSeekableFormat ? 4 : 1])
        #expect(run.state.scheduler.freePlaces == (name.isOfSeekableFormat ? 0 : 3))
        run.answer(.work(RecordingID(0)))
        #expect(run.trimmed.map(\.workers) == [workers])
        #expect(run.state.scheduler.freePlaces == 4 - workers)
        #expect(run.state.deepViolation == nil)
        run.answer(.work(RecordingID(0)))
        #expect(run.state.scheduler.loans.isEmpty)
        run.answerAll()
        #expect(run.state.isFinished)
    }

    @Test(arguments: [("a.mp3", 1), ("a.flac", 4)] as [(Pathname, Int)])
    func withoutACopyOnlyListeningIsShared(name: Pathname, workers: Int) {
        let run = run([name], jobs: 4, trimMode: .off)
        run.send(.started([.folder("")], journal: JournalContents()))
        run.answerNext()
        #expect(run.listened.map(\.workers) == [workers])
        #expect(run.state.scheduler.freePlaces == 4 - workers)
    }

    /// A copy that is to be made anew, of a recording that was measured before.
    @Test(arguments: [(AudioContainer.flac, 4), (.wav, 2)])
    func aCopyAloneHasAllWorkersThatItCanUse(container: AudioContainer, workers: Int) {
        var entry = Example.doneEntry("a.flac", silence: Example.silence())
        entry.source = SharedRecordingTests.long
        entry.format = Example.format(seconds: 400, container: container)
        entry.notTrimmed = .off
        var off = Recipe()
        off.trim.mode = .off
        let run = run(["a.flac"], jobs: 4)
        run.listings[""] = FolderListing(
            recordings: [
                Example.sighting(
                    "a.flac", stamp: SharedRecordingTests.long,
                    previous: Example.previousWork(entry, recipe: off))
            ])
        run.send(.started([.folder("")], journal: JournalContents()))
        run.answerNext()
        #expect(run.listened.isEmpty && run.trimmed.map(\.workers) == [workers])
        #expect(run.state.scheduler.freePlaces == 4 - workers)
        #expect(run.state.deepViolation == nil)
    }

    @Test func whatIsShortStaysOnOneWorker() {
        let short = FileStamp(bytes: Job.leastSharedBytes - 1, modifiedNanoseconds: 1)
        let run = run(["a.wav"], jobs: 4, stamp: short)
        run.run()
        #expect(run.listened.map(\.workers) == [1])
    }

    @Test func aCopyOfWhatIsShortIsWrittenByOne() {
        let run = run(["a.flac"], jobs: 4)
        run.formats["a.flac"] = Example.format(seconds: 299, container: .flac)
        run.send(.started([.folder("")], journal: JournalContents()))
        run.answerNext()
        #expect(run.state.scheduler.freePlaces == 0)
        run.answer(.work(RecordingID(0)))
        #expect(run.trimmed.map(\.workers) == [1])
        #expect(run.state.scheduler.loans.isEmpty)
    }

    /// Places that nobody waits for when the copy is ordered, although somebody did before.
    @Test func aCopyHasWhatHasBecomeFreeMeanwhile() {
        let run = run(["a.mp3", "b.mp3"], jobs: 2)
        for name in ["a.mp3", "b.mp3"] as [Pathname] {
            run.formats[name] = Example.format(seconds: 400, container: .mp3, encoding: .mp3)
        }
        run.silences["a.mp3"] = Example.silence([])
        run.send(.started([.folder("")], journal: JournalContents()))
        run.answerNext()
        run.answer(.work(RecordingID(0)))
        run.answer(.work(RecordingID(1)))
        #expect(run.listened.map(\.workers) == [1, 1] && run.trimmed.map(\.workers) == [2])
        run.answerAll()
        #expect(run.state.isFinished && run.state.scheduler.loans.isEmpty)
    }

    @Test func whatTheCopyHasNoUseForIsGivenBackBeforeItIsWritten() {
        let run = run(["a.wav"], jobs: 4)
        run.formats["a.wav"] = Example.format(seconds: 400)
        run.send(.started([.folder("")], journal: JournalContents()))
        run.answerNext()
        #expect(run.state.scheduler.freePlaces == 0)
        run.answer(.work(RecordingID(0)))
        #expect(run.trimmed.map(\.workers) == [2])
        #expect(run.state.scheduler.loans == [Scheduler.Loan(id: RecordingID(0), places: 1)])
        #expect(run.state.scheduler.freePlaces == 2)
        run.answerAll()
        #expect(run.state.isFinished && run.state.scheduler.loans.isEmpty)
    }

    @Test func whatIsLentIsGivenBackHoweverListeningEnds() {
        let endings: [Job.Action] = [
            .cancelled, .sourceChanged(nil), .failed(Example.failure(.corrupt), measured: nil),
            .failed(Example.failure(.tooManyOpenFiles), measured: nil),
            .failed(Example.failure(.noSpace, in: .waveform), measured: nil),
        ]
        for ending in endings {
            let run = run(["a.wav"], jobs: 4)
            run.send(.started([.folder("")], journal: JournalContents()))
            run.answerNext()
            #expect(run.state.scheduler.loans.count == 1)
            run.send(.job(RecordingID(0), ending))
            #expect(run.state.scheduler.loans.isEmpty)
            #expect(run.state.deepViolation == nil)
        }
    }
}
