import Jobs
import Recordings
import ReducerKit
import TestSupport
import Testing

@Suite struct StalenessTests {
    private func staleness(
        stamp: FileStamp = Example.stamp, recipe change: (inout Recipe) -> Void = { _ in },
        names: OutputNames = OutputNames(), previous: PreviousWork?,
        policy wish: (inout Staleness.RebuildPolicy) -> Void = { _ in }
    ) -> Staleness {
        var recipe = Recipe()
        change(&recipe)
        var policy = Staleness.RebuildPolicy(recipe: Boxed(recipe))
        wish(&policy)
        return Staleness(stamp: stamp, previous: previous, names: names, policy: policy)
    }

    private let done = Example.previousWork(Example.doneEntry("a.wav"))

    private func done(_ change: (inout PreviousWork) -> Void) -> PreviousWork {
        var work = done
        change(&work)
        return work
    }

    private func failed(_ reason: RecordingFailure.Reason = .corrupt) -> PreviousWork {
        done {
            $0.full.status = .failed
            $0.full.failure = Example.failure(reason)
        }
    }

    @Test func unchangedRecordingIsUpToDate() {
        #expect(staleness(previous: done) == .upToDate)
    }

    @Test func newOrChangedSourceIsFullyStale() {
        let before = Example.stamp
        let longer = FileStamp(bytes: 1_001, modifiedNanoseconds: 1)
        let later = FileStamp(bytes: 1_000, modifiedNanoseconds: 2)
        #expect(staleness(previous: nil) == .stale(.all, [.new]))
        for now in [longer, later] {
            #expect(
                staleness(stamp: now, previous: done)
                    == .stale(.all, [.sourceChanged(before: before, now: now)]))
        }
        let unseen = done { $0.full.source = nil }
        #expect(staleness(previous: unseen) == .stale(.all, [.sourceUnknown]))
    }

    @Test func incompleteEntryIsFullyStale() {
        let lacking: [(inout PreviousWork) -> Void] = [
            { $0.full.silence = nil }, { $0.full.format = nil },
            { $0.full.levels = nil }, { $0.full.waveforms = nil },
        ]
        #expect(staleness(previous: done) == .upToDate)
        for change in lacking {
            #expect(staleness(previous: done(change)) == .stale(.all, [.sourceUnknown]))
        }
    }

    @Test func forcedRecordingIsFullyStale() {
        let works = [
            nil, done, failed(), done { $0.full.source = nil },
            done { $0.damage = [OutputDamage(name: "x", kind: .missing, stage: .trim)] },
        ]
        for previous in works {
            #expect(
                staleness(previous: previous) { $0.redoesAll = true } == .stale(.all, [.forced]))
        }
    }

    // MARK: The recipe

    @Test func recipeChangeMakesOnlyItsStagesStale() {
        let table: [(change: (inout Recipe) -> Void, stages: Stages)] = [
            ({ $0.waveform.samplesPerPixel = [512] }, .waveform),
            ({ $0.waveform.bits = 16 }, .waveform),
            ({ $0.waveform.format = .json }, .waveform),
            ({ $0.waveform.splitChannels = true }, .waveform),
            ({ $0.waveform.pixelsPerSecond = 100 }, .waveform),
            ({ $0.waveform.points = 800 }, .waveform),
            ({ $0.silence.method += 1 }, [.silence, .trim]),
            ({ $0.silence.minimumSeconds = 1 }, [.silence, .trim]),
            ({ $0.trim.mode = .gaps }, .trim),
            ({ $0.trim.keepSilenceSeconds = 0 }, .trim),
            ({ $0.trim.longestGapSeconds = 3 }, .trim),
            ({ $0.trim.longestGapSeconds = nil }, .trim),
            ({ $0.trim.keptGapShare = 0.5 }, .trim),
            ({ $0.trim.fadeMilliseconds = 0 }, .trim),
            ({ $0.trim.format = .wav }, .trim),
            ({ $0.trim.minimumConfidence = 0.7 }, .trim),
        ]
        for (index, row) in table.enumerated() {
            var now = Recipe()
            row.change(&now)
            let reason: StaleReason =
                switch row.stages {
                case .waveform: .waveformRecipe(before: WaveformRecipe(), now: now.waveform)
                case .trim: .trimRecipe(before: TrimRecipe(), now: now.trim)
                default: .silenceRecipe(before: SilenceRecipe(), now: now.silence)
                }
            #expect(
                staleness(recipe: row.change, previous: done) == .stale(row.stages, [reason]),
                "row \(index)")
        }
    }

    /// A copy's waveforms are drawn when it is made.
    @Test func waveformChangeConcernsWhatIsDrawn() {
        typealias Change = (inout WaveformRecipe) -> Void
        let both: Change = { $0.subjects = [.source, .trimmed] }
        let copies: Change = { $0.subjects = [.trimmed] }
        let table: [(before: Change, now: Change, stages: Stages)] = [
            ({ _ in }, both, .trim), (both, { _ in }, .trim), (both, copies, .waveform),
            (copies, both, .waveform), ({ _ in }, copies, [.waveform, .trim]),
            (
                both,
                {
                    both(&$0)
                    $0.bits = 16
                }, [.waveform, .trim]
            ),
            (
                copies,
                {
                    copies(&$0)
                    $0.points = 100
                }, .trim
            ),
        ]
        for (index, row) in table.enumerated() {
            var (before, now) = (Recipe(), Recipe())
            row.before(&before.waveform)
            row.now(&now.waveform)
            let entry = Example.doneEntry("a.wav", recipe: before)
            let work = Example.previousWork(entry, recipe: before)
            #expect(
                staleness(recipe: { $0 = now }, previous: work)
                    == .stale(
                        row.stages,
                        [.waveformRecipe(before: before.waveform, now: now.waveform)]),
                "row \(index)")
        }
    }

    @Test func eachRecipeChangeHasItsOwnReason() {
        var now = Recipe()
        now.waveform.bits = 16
        now.silence.minimumSeconds = 1
        now.trim.mode = .off
        let staleness = staleness(recipe: { $0 = now }, previous: done)
        #expect(
            staleness
                == .stale(
                    [.waveform, .silence, .trim],
                    [
                        .waveformRecipe(before: WaveformRecipe(), now: now.waveform),
                        .silenceRecipe(before: SilenceRecipe(), now: now.silence),
                        .trimRecipe(before: TrimRecipe(), now: now.trim),
                    ]))
    }

    /// What a change of trimming alone leaves of the work is seen in a whole run.
    @Test func trimChangeKeepsWaveformsLevelsAndSilence() throws {
        var configuration = JobStore.Configuration()
        configuration.recipes.usual.value.trim.fadeMilliseconds = 20
        let run = ScriptedRun(configuration)
        let before = Example.doneEntry("a.wav", silence: Example.silence())
        run.listings[""] = FolderListing(recordings: [
            Example.scanned("a.wav", previous: Example.previousWork(before))
        ])
        run.run()
        #expect(run.listened.isEmpty)
        #expect(run.trimmed.map(\.fadeFrames) == [20])
        let entry = try #require(run.manifests.first?.entries.first)
        #expect(entry.waveforms == before.waveforms)
        #expect(entry.levels == before.levels && entry.silence == before.silence)
        #expect(entry.trimmed != nil)
        #expect(run.recorded.flatMap(\.staged).map(\.name) == ["a.wav"])
    }

    // MARK: Outputs

    @Test func damagedOutputsMakeTheirStagesStale() {
        let gone = OutputDamage(name: "a.wav", kind: .missing, stage: .trim)
        let altered = OutputDamage(name: "a.wav.dat", kind: .altered, stage: .waveform)
        #expect(
            staleness(previous: done { $0.damage = [gone] }) == .stale(.trim, [.output(gone)]))
        #expect(
            staleness(previous: done { $0.damage = [altered, gone] })
                == .stale([.waveform, .trim], [.output(altered), .output(gone)]))
        var now = WaveformRecipe()
        now.bits = 16
        #expect(
            staleness(recipe: { $0.waveform.bits = 16 }, previous: done { $0.damage = [gone] })
                == .stale(
                    [.waveform, .trim],
                    [.waveformRecipe(before: WaveformRecipe(), now: now), .output(gone)]))
    }

    @Test func outputIsStaleWhenNeighbourTakesItsName() {
        let taken = OutputNames(
            sources: ["a.wav", "a.wav.dat"], others: [], recipe: WaveformRecipe())
        #expect(
            staleness(names: taken, previous: done) == .stale(.waveform, [.renamed("a.wav.dat")]))
        let lossy = Example.format(container: .mp3, encoding: .mp3)
        let copied = done {
            $0.full.format = lossy
            $0.full.trimmed = TrimmedFile(
                path: "a.wav.flac", durationSeconds: 1, bytes: 2, sha256: "", edits: [])
        }
        let flac = OutputNames(
            sources: ["a.wav", "a.wav.flac"], others: [], recipe: WaveformRecipe())
        #expect(
            staleness(names: flac, previous: copied) == .stale(.trim, [.renamed("a.wav.flac")]))
    }

    @Test func copyIsStaleWhenItsWaveformsAreNotAsTheyAreToBe() {
        let drawing: (inout Recipe) -> Void = { $0.waveform.subjects = [.source, .trimmed] }
        var recipe = Recipe()
        drawing(&recipe)
        let bare = done {
            $0.recipe = Boxed(recipe)
            $0.full.trimmed = TrimmedFile(
                path: "a.wav", durationSeconds: 1, bytes: 2, sha256: "", edits: [])
        }
        #expect(
            staleness(recipe: drawing, previous: bare) == .stale(.trim, [.renamed("a.wav")]))
        var drawn = bare
        drawn.full.trimmed?.waveforms = [Example.waveform("a.wav.trimmed.dat")]
        #expect(staleness(recipe: drawing, previous: drawn) == .upToDate)
    }

    @Test func damagedOutputIsNotAlsoReportedAsRenamed() {
        let taken = OutputNames(
            sources: ["a.wav", "a.wav.dat"], others: [], recipe: WaveformRecipe())
        let damage = OutputDamage(name: "a.wav.dat", kind: .missing, stage: .waveform)
        #expect(
            staleness(names: taken, previous: done { $0.damage = [damage] })
                == .stale(.waveform, [.output(damage)]))
    }

    // MARK: Checksums

    @Test func checksumIsComputedWhenWantedAndMissing() {
        let recorded = done { $0.full.sourceSHA256 = "ab" }
        let wanted: (inout Staleness.RebuildPolicy) -> Void = { $0.wantsChecksums = true }
        #expect(
            staleness(previous: done, policy: wanted) == .stale(.checksum, [.checksumWanted]))
        #expect(staleness(previous: recorded, policy: wanted) == .upToDate)
        #expect(staleness(previous: recorded) == .upToDate)
        // Whatever is done from the beginning has it made too.
        let whole = Stages([.all, .checksum])
        #expect(staleness(previous: nil, policy: wanted) == .stale(whole, [.new]))
        let now = FileStamp(bytes: 2, modifiedNanoseconds: 2)
        #expect(
            staleness(stamp: now, previous: recorded, policy: wanted)
                == .stale(whole, [.sourceChanged(before: Example.stamp, now: now)]))
    }

    // MARK: Failures

    @Test(arguments: RecordingFailure.Reason.allCases)
    func externalFailuresAreRetriedByDefault(
        _ reason: RecordingFailure.Reason
    ) {
        let passing: Set<RecordingFailure.Reason> = [
            .permissionDenied, .vanished, .changed, .beingWritten, .emptied, .linked,
            .leadsElsewhere, .placeTaken, .nameTaken, .outputGone, .takenOver,
            .damagedRecord, .noSpace,
            .readOnly, .tooLarge, .tooManyOpenFiles, .inputOutput, .unavailable, .tooLong,
            .decoderCrashed, .decoderStuck, .needsLibav,
        ]
        let again = Staleness.stale(.all, [.failedBefore(Example.failure(reason))])
        #expect(
            staleness(previous: failed(reason)) == (passing.contains(reason) ? again : .stillFailed)
        )
        #expect(staleness(previous: failed(reason)) { $0.retriesFailed = true } == again)
    }

    /// As an earlier version has written it, which could decode less.
    @Test(arguments: [
        (RecordingFailure.Reason.unrecognisedFormat, true), (.unsupportedEncoding, true),
        (.unfinished, true), (.emptyFile, false),
    ])
    func failureOfLesserDecoderIsRetriedOnce(reason: RecordingFailure.Reason, isRetried: Bool) {
        var work = failed(reason)
        #expect(staleness(previous: work) == .stillFailed)
        work.full.failure?.decoding = nil
        let again = Staleness.stale(
            .all, work.full.failure.map { [.failedBefore($0)] } ?? [])
        #expect(staleness(previous: work) == (isRetried ? again : .stillFailed))
    }

    @Test func failureIsRetriedWhenSourceOrRecipeChanged() {
        let before = Recipe()
        var now = Recipe()
        now.waveform.bits = 16
        now.trim.mode = .off
        #expect(
            staleness(recipe: { $0 = now }, previous: failed())
                == .stale(
                    .all,
                    [
                        .failedBefore(Example.failure()),
                        .waveformRecipe(before: before.waveform, now: now.waveform),
                        .trimRecipe(before: before.trim, now: now.trim),
                    ]))
        let changed = FileStamp(bytes: 1, modifiedNanoseconds: 1)
        #expect(
            staleness(stamp: changed, previous: failed())
                == .stale(.all, [.sourceChanged(before: Example.stamp, now: changed)]))
    }

    @Test func recordedChecksumIsRecomputedOnRedo() {
        var recorded = done
        recorded.full.sourceSHA256 = "ab"
        let whole: Stages = [.all, .checksum]
        #expect(staleness(previous: recorded) == .upToDate)
        #expect(
            staleness(previous: recorded) { $0.redoesAll = true } == .stale(whole, [.forced]))
    }

    @Test func unretriedFailureIsReportedAndStaysInManifest() {
        let run = ScriptedRun()
        let work = failed()
        run.listings[""] = FolderListing(recordings: [
            Example.scanned("a.wav", previous: work), Example.scanned("b.wav"),
        ])
        let summary = run.run()
        #expect(summary.stillFailed == 1 && summary.failed == 0 && summary.done == 1)
        #expect(run.listened.map(\.source.name) == ["b.wav"])
        #expect(
            run.announcements.first == .settled(folder: "", work.full, upToDate: true))
        #expect(run.manifests.first?.entries.first == work.full)
    }

    @Test func runWithOnlyUnretriedFailuresWritesNothing() {
        let run = ScriptedRun()
        run.listings[""] = FolderListing(recordings: [
            Example.scanned("a.wav", previous: failed())
        ])
        #expect(run.run().stillFailed == 1)
        #expect(run.manifests.isEmpty && run.recorded.isEmpty)
    }
}
