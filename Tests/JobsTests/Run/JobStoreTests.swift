import Jobs
import Recordings
import ReducerKit
import TestSupport
import Testing

/// A whole run, step by step, and what the options make of it.
@Suite struct JobStoreTests {
    private func listing(_ names: Pathname..., subfolders: [Pathname] = []) -> FolderListing {
        FolderListing(recordings: names.map { Example.scanned($0) }, subfolders: subfolders)
    }

    /// A folder in which everything is up to date.
    private func doneListing(_ names: Pathname..., stamp: FileStamp = Example.stamp)
        -> FolderListing
    {
        FolderListing(
            recordings: names.map { name in
                Example.scanned(
                    name, stamp: stamp, previous: Example.previousWork(Example.doneEntry(name)))
            })
    }

    @Test func startsNoMoreJobsThanTheLimit() {
        let run = ScriptedRun(JobStore.Configuration(jobLimit: 3))
        run.listings[""] = listing("a", "b", "c", "d", "e")
        run.start()
        run.answerNext()
        #expect(run.listened.map(\.source.name) == ["a", "b", "c"])
        run.send(.job(RecordingID(1), .failed(Example.failure(), measured: nil)))
        #expect(run.listened.map(\.source.name) == ["a", "b", "c", "d"])
        // Going on to trim keeps the slot.
        run.answerNext()
        #expect(run.listened.count == 4)
        #expect(run.trimmed.count == 1)
        run.answerAll()
        #expect(run.state.isFinished)
    }

    @Test func manifestIsWrittenWhenLastRecordingSettles() {
        let run = ScriptedRun(JobStore.Configuration(jobLimit: 2))
        run.listings[""] = listing("b", subfolders: ["sub"])
        run.listings["sub"] = listing("c", "d")
        let summary = run.run()
        #expect(run.manifests.map(\.folder) == ["", "sub"])
        #expect(run.manifests.map { $0.entries.map(\.name) } == [["b"], ["c", "d"]])
        #expect(summary.done == 3)
        #expect(run.commands.last == .finish)
        #expect(run.commands.count { $0 == .finish } == 1)
    }

    @Test func dryRunReportsPlannedWorkAndWritesNothing() {
        var configuration = JobStore.Configuration()
        configuration.isDryRun = true
        let run = ScriptedRun(configuration)
        run.listings[""] = doneListing("a.wav", "b.wav")
        run.listings[""]?.recordings[1].previous = Example.previousWork(
            Example.doneEntry("b.wav"), damaged: .trim)
        run.listings[""]?.recordings.append(
            ScannedFile(name: "c.wav", finding: .failure(Example.failure(.permissionDenied))))
        run.listings[""]?.recordings.append(Example.scanned("d.wav"))
        run.listings[""]?.unseen = [Example.previousWork(Example.doneEntry("gone.wav"))]
        let summary = run.run()
        #expect(run.manifests.isEmpty && run.listened.isEmpty && run.trimmed.isEmpty)
        #expect(run.announcements.contains(.planned(folder: "", name: "b.wav", .trim)))
        #expect(run.announcements.contains(.planned(folder: "", name: "d.wav", .all)))
        #expect(run.settledNames == ["a.wav", "c.wav"])
        #expect(summary.planned == 2 && summary.upToDate == 1 && summary.failed == 1)
        #expect(summary.settled == summary.recordings)
    }

    @Test func planOmitsTrimStageWhenTrimmingIsOff() {
        var recipe = Recipe()
        #expect(Stages.all.told(by: recipe) == .all)
        recipe.trim.mode = .off
        #expect(Stages.all.told(by: recipe) == [.waveform, .levels, .silence])
        #expect(Stages.trim.told(by: recipe) == .trim)
        let run = ScriptedRun(JobStore.Configuration(recipe: recipe, isDryRun: true))
        run.listings[""] = listing("a.wav")
        run.run()
        #expect(
            run.announcements
                == [.planned(folder: "", name: "a.wav", [.waveform, .levels, .silence])])
    }

    @Test func upToDateRecordingsSettleWithoutAManifest() {
        let run = ScriptedRun()
        run.listings[""] = doneListing("a.wav", "b.wav")
        let summary = run.run()
        #expect(run.manifests.isEmpty && run.listened.isEmpty)
        #expect(summary.upToDate == 2 && summary.decodedSeconds == 0)
        #expect(
            run.announcements
                == ["a.wav", "b.wav"].map {
                    .settled(folder: "", Example.doneEntry($0), upToDate: true)
                })
    }

    @Test func redoAllReprocessesUpToDateRecordings() {
        var configuration = JobStore.Configuration()
        configuration.redoesAll = true
        let run = ScriptedRun(configuration)
        run.listings[""] = doneListing("a.wav")
        let summary = run.run()
        #expect(run.listened.map(\.stages) == [[.waveform, .levels, .silence]])
        #expect(summary.done == 1 && summary.upToDate == 0)
        #expect(run.manifests.count == 1)
    }

    @Test func upToDateNeighbourKeepsItsManifestEntry() {
        let run = ScriptedRun()
        run.listings[""] = doneListing("a.wav", "b.wav")
        run.listings[""]?.recordings[1].previous = nil
        run.run()
        #expect(run.listened.map(\.source.name) == ["b.wav"])
        #expect(run.manifests.first?.entries.map(\.name) == ["a.wav", "b.wav"])
        #expect(run.manifests.first?.entries.first == Example.doneEntry("a.wav"))
    }

    @Test func missingSourceIsMarkedInManifest() {
        let run = ScriptedRun()
        run.listings[""] = doneListing("a.wav")
        run.listings[""]?.unseen = [Example.previousWork(Example.doneEntry("gone.wav"))]
        let summary = run.run()
        #expect(
            run.manifests.map { $0.entries.map(\.status) } == [[.done, .sourceMissing]])
        #expect(run.manifests.first?.superfluous == [])
        #expect(summary.missing == 1)
        // It does not do so again.
        let second = ScriptedRun()
        second.listings[""] = doneListing("a.wav")
        second.listings[""]?.unseen = [Example.missingWork("gone.wav")]
        #expect(second.run().missing == 1)
        #expect(second.manifests == [])
        #expect(!second.announcements.contains { if case .missing = $0 { true } else { false } })
    }

    @Test func missingSourceWithoutOutputsIsDroppedFromManifest() {
        var entry = Example.doneEntry("gone.wav")
        let damage = entry.outputs.map { OutputDamage(name: $0, kind: .missing, stage: .waveform) }
        var failed = ManifestEntry(name: "bad.wav", status: .failed, source: Example.stamp)
        failed.failure = Example.failure(.truncated)
        entry.status = .sourceMissing
        for work in [
            PreviousWork(entry, damage: damage),
            Example.previousWork(failed),
        ] {
            let run = ScriptedRun()
            run.listings[""] = FolderListing(unseen: [work])
            #expect(run.run().missing == 0)
            #expect(run.manifests.map(\.entries) == [[]])
        }
    }

    @Test func pruneDeletesOutputsOfMissingSource() {
        var configuration = JobStore.Configuration()
        configuration.prunesMissing = true
        let run = ScriptedRun(configuration)
        run.listings[""] = doneListing("a.wav")
        let entry = Example.doneEntry("gone.wav")
        run.listings[""]?.unseen = [Example.previousWork(entry)]
        let summary = run.run()
        #expect(summary.missing == 0)
        #expect(summary.pruned == 1)
        #expect(run.manifests.map { $0.entries.map(\.name) } == [["a.wav"]])
        #expect(run.manifests.first?.superfluous == entry.outputs.sorted())
    }

    @Test func dryRunReportsWhatPruneWouldDelete() {
        var configuration = JobStore.Configuration(isDryRun: true)
        configuration.prunesMissing = true
        let run = ScriptedRun(configuration)
        run.listings[""] = doneListing("a.wav")
        // One that is gone since the last run, and one that was gone then.
        run.listings[""]?.unseen = [
            Example.previousWork(Example.doneEntry("gone.wav")), Example.missingWork("long.wav"),
        ]
        let summary = run.run()
        #expect(summary.pruned == 2)
        #expect(summary.missing == 0)
        #expect(run.manifests == [])
        let told = run.announcements.compactMap { announcement -> Pathname? in
            guard case .missing(_, let name, pruned: true) = announcement else { return nil }
            return name
        }
        #expect(told == ["gone.wav", "long.wav"])
    }

    @Test func returnedUnchangedSourceIsUpToDate() {
        let run = ScriptedRun()
        run.listings[""] = FolderListing(recordings: [
            Example.scanned("a.wav", previous: Example.missingWork("a.wav"))
        ])
        #expect(run.run().upToDate == 1)
        #expect(run.manifests.map { $0.entries.map(\.status) } == [[.done]])
        #expect(run.listened.isEmpty)
    }

    @Test func returnedSourceRunsOnlyTheMissingStage() {
        var configuration = JobStore.Configuration()
        configuration.wantsChecksums = true
        let run = ScriptedRun(configuration)
        run.listings[""] = FolderListing(recordings: [
            Example.scanned("a.wav", previous: Example.missingWork("a.wav"))
        ])
        run.run()
        #expect(run.listened.map(\.stages) == [.checksum])
        #expect(run.manifests.map { $0.entries.map(\.status) } == [[.done]])
    }

    @Test func emptyFolderWithResultsIsTreatedAsUnmounted() {
        let run = ScriptedRun()
        run.listings[""] = FolderListing(
            unseen: [Example.previousWork(Example.doneEntry("a.wav"))])
        run.listings[""]?.volume = MountEvidence(device: 1, isBare: true)
        #expect(run.run().foldersFailed == 1)
        #expect(run.manifests == [])
        #expect(
            run.announcements
                == [.folderFailed("", RecordingFailure(stage: .scan, reason: .emptied))])
    }

    @Test func singleFileRunKeepsOtherManifestEntries() {
        var old = Recipe()
        old.waveform.bits = 16
        let other = Example.doneEntry("a.wav", recipe: old)
        let run = ScriptedRun()
        run.listings["f"] = listing("b.wav")
        run.listings["f"]?.unseen = [
            Example.previousWork(other, recipe: old),
            Example.previousWork(Example.doneEntry("z.wav")),
        ]
        run.run([.recording(folder: "f", name: "b.wav")])
        let entries = run.manifests.first?.entries ?? []
        #expect(entries.map(\.name) == ["a.wav", "b.wav", "z.wav"])
        #expect(entries.map(\.recipe) == [old, nil, nil])
        #expect(run.state.summary.recordings == 1)
    }

    @Test func nonRegularFileIsListedAsFailed() {
        let run = ScriptedRun()
        let failure = Example.failure(.notARegularFile, in: .scan)
        run.listings[""] = FolderListing(
            recordings: [ScannedFile(name: "pipe.wav", finding: .failure(failure))])
        let summary = run.run()
        var entry = ManifestEntry(name: "pipe.wav", status: .failed, source: nil)
        entry.failure = failure
        #expect(run.manifests.first?.entries == [entry])
        #expect(summary.failed == 1)
    }

    @Test func unreadableFolderIsReportedAndSkipped() {
        let run = ScriptedRun()
        run.listings[""] = FolderListing(subfolders: ["a", "b"])
        run.listings["b"] = listing("b.wav")
        run.start()
        run.answerNext()
        let failure = Example.failure(.permissionDenied, in: .scan)
        run.send(.scan(.failed(FolderID(1), failure)))
        run.answerAll()
        #expect(run.announcements.first == .folderFailed("a", failure))
        #expect(run.state.summary.foldersFailed == 1 && run.state.summary.done == 1)
        #expect(run.state.isFinished)
    }

    @Test func manifestWriteFailureIsReportedAndCounted() {
        let run = ScriptedRun()
        run.listings["f"] = listing("a.wav")
        run.start([.folder("f")])
        for _ in 1...6 { run.answerNext() }
        let failure = Example.failure(.permissionDenied, in: .manifest)
        let commands = run.send(.manifestFailed(FolderID(0), failure))
        #expect(commands == [.announce(.manifestFailed(folder: "f", failure)), .finish])
        #expect(run.state.summary.manifestsFailed == 1)
        run.store.finish()
    }

    @Test func runWithoutRecordingsEnds() {
        let nowhere = ScriptedRun()
        nowhere.send(.ticked(1))
        #expect(!nowhere.state.isFinished)
        #expect(nowhere.start([]) == [.finish])
        let empty = ScriptedRun()
        empty.run()
        #expect(empty.commands.count == 2)
    }

    @Test func namesDifferingInNormalisationStayDistinct() {
        let names: [Pathname] = ["e\u{301}.wav", "\u{e9}.wav"]
        #expect(names[0].text == names[1].text && names[0] != names[1])
        let run = ScriptedRun(JobStore.Configuration(jobLimit: 2))
        run.listings[""] = listing(names[0], names[1])
        let summary = run.run([names[0], names[1]].map { .recording(folder: "", name: $0) })
        #expect(summary.recordings == 2 && summary.done == 2)
        #expect(run.settledNames == names)
        #expect(run.listened.map(\.source.name) == names)
        #expect(Set(run.listened.flatMap(\.waveformNames)).count == 2)
        #expect(Set(run.trimmed.map(\.name)) == Set(names))
        #expect(run.manifests.map { $0.entries.map(\.name) } == [names])
        #expect(Set(run.manifests.flatMap { $0.entries.flatMap(\.outputs) }).count == 4)
        // The next run tells them apart as well.
        let entries = run.manifests.first?.entries ?? []
        let next = ScriptedRun()
        next.listings[""] = FolderListing(
            recordings: entries.map {
                Example.scanned($0.name, previous: Example.previousWork($0))
            })
        #expect(next.run().upToDate == 2)
    }
}
