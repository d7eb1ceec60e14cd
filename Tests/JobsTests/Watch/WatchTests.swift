import Jobs
import Recordings
import TestSupport
import Testing

/// What a run that goes on makes of what lands, changes and goes.
@Suite struct WatchTests {
    @Test func hiddenFilesAreIgnoredUnlessNamed() {
        func listings(_ run: WatchedRun) -> Int {
            run.run.commands.count { if case .scan(.list) = $0 { true } else { false } }
        }
        let run = WatchedRun.underway()
        let before = listings(run)
        // Copy programs write under such names.
        run.notice(.written, ".b.wav.Ab12Cd")
        run.notice(.changed, ".b.wav.Ab12Cd")
        run.pass(seconds: 5)
        #expect(listings(run) == before)
        run.notice(.written, "b.wav")
        #expect(listings(run) > before)

        let named = WatchedRun()
        named.write(".take.wav")
        named.pass(seconds: 60)
        named.start(targets: [.recording(folder: "", name: ".take.wav")])
        named.pass(seconds: 5)
        named.write(".take.wav")
        named.notice(.written, ".take.wav")
        named.pass(seconds: 5)
        #expect(named.decoded == [".take.wav", ".take.wav"])
    }

    @Test func watchProcessesExistingFilesThenWaits() {
        let run = WatchedRun.underway()
        #expect(run.manifest() == ["old.wav": .done])
        #expect(run.state.phase == .running)
        run.pass(seconds: 3)
        #expect(run.state.folders.isEmpty, "a folder that is through is let go of")
        #expect(run.state.jobs.kept == 0)
        #expect(JobStore.subscriptions(of: run.state) == [.stopSignals, .folderChanges])
    }

    @Test func closedFileIsProcessedAtOnce() {
        let run = WatchedRun.underway()
        run.write("new.wav")
        run.notice(.written, "new.wav")
        #expect(run.manifest() == ["new.wav": .done, "old.wav": .done])
        #expect(run.decoded == ["old.wav", "new.wav"])
    }

    @Test func unclosedFileWaitsUntilItStopsChanging() {
        let run = WatchedRun.underway()
        run.write("new.wav")
        run.notice(.changed, "new.wav")
        run.pass(seconds: 1.6)
        #expect(run.state.watch?.incomplete.count == 1)
        run.write("new.wav")
        run.notice(.changed, "new.wav")
        run.pass(seconds: 1.6)
        #expect(run.manifest()["new.wav"] == nil)
        run.pass(seconds: 2)
        #expect(run.manifest()["new.wav"] == .done)
        #expect(run.state.watch?.incomplete.count == 0)
        #expect(run.decoded == ["old.wav", "new.wav"])
    }

    @Test func truncatedFileWaitsForItsNextChange() {
        let run = WatchedRun.underway()
        run.write("new.wav")
        run.answers["new.wav"] = .failed(Example.failure(.truncated, in: .decode), measured: nil)
        run.notice(.written, "new.wav")
        #expect(run.manifest() == ["old.wav": .done])
        #expect(run.state.watch?.incomplete.count == 1)
        run.pass(seconds: 30)
        #expect(run.decoded == ["old.wav", "new.wav"], "it is not tried again and again")
        run.write("new.wav")
        run.notice(.written, "new.wav")
        #expect(run.manifest()["new.wav"] == .done)
    }

    @Test func truncatedFileFailsAfterGiveUpTime() {
        let run = WatchedRun.underway(WatchPolicy(giveUpSeconds: 60))
        run.write("new.wav")
        let cut = Job.Action.failed(Example.failure(.truncated, in: .decode), measured: nil)
        run.answers["new.wav"] = cut
        run.notice(.written, "new.wav")
        run.pass(seconds: 59)
        #expect(run.manifest()["new.wav"] == nil)
        run.answers["new.wav"] = cut
        run.pass(seconds: 3)
        #expect(run.manifest()["new.wav"] == .failed)
        #expect(run.state.watch?.incomplete.count == 0)
        // And is taken up again when it changes.
        run.write("new.wav")
        run.notice(.written, "new.wav")
        run.pass(seconds: 1)
        #expect(run.manifest()["new.wav"] == .done)
    }

    @Test func failureInThisRunIsNotRetried() {
        let run = WatchedRun.underway { $0.retriesFailed = true }
        run.answers["bad.wav"] = .failed(Example.failure(.corrupt, in: .decode), measured: nil)
        run.write("bad.wav")
        run.notice(.written, "bad.wav")
        run.pass(seconds: 3)
        #expect(run.manifest()["bad.wav"] == .failed)
        run.write("new.wav")
        run.notice(.written, "new.wav")
        run.pass(seconds: 3)
        #expect(run.decoded == ["old.wav", "bad.wav", "new.wav"])
    }

    @Test func fileBeingWrittenIsRetriedWhenClosed() {
        let run = WatchedRun.underway()
        run.write("new.wav")
        run.answers["new.wav"] = .failed(Example.failure(.beingWritten, in: .decode), measured: nil)
        run.notice(.written, "new.wav")
        #expect(run.state.watch?.incomplete.count == 1)
        run.notice(.written, "new.wav")
        run.pass(seconds: 0.4)
        #expect(run.manifest()["new.wav"] == .done)
    }

    @Test func overwrittenFileIsReprocessed() {
        let run = WatchedRun.underway()
        let stamp = run.write("old.wav")
        run.notice(.written, "old.wav")
        #expect(run.decoded == ["old.wav", "old.wav"])
        #expect(run.manifests[""]?.entries.first?.source == stamp)
    }

    @Test func fileOverwrittenDuringDecodingIsReprocessed() {
        let run = WatchedRun.underway()
        run.held = ["new.wav"]
        run.write("new.wav")
        run.notice(.written, "new.wav")
        let stamp = run.write("new.wav")
        run.notice(.written, "new.wav")
        run.held = []
        run.settle()
        run.pass(seconds: 3)
        #expect(run.manifests[""]?.entries.first?.source == stamp)
        #expect(run.run.recorded.map(\.entry.value.source?.modifiedNanoseconds).count == 2)
    }

    @Test func deletedFileIsMarkedMissingAndOutputsStay() {
        let run = WatchedRun.underway()
        run.files[""]?["old.wav"] = nil
        run.notice(.changed, "old.wav")
        run.pass(seconds: 2)
        #expect(run.manifest() == ["old.wav": .sourceMissing])
        #expect(run.manifests[""]?.superfluous == [])
        #expect(run.state.summary.missing == 1)
    }

    @Test func outputsOfDeletedFileArePrunedAfterDelay() {
        let run = WatchedRun.underway { $0.prunesMissing = true }
        let outputs = run.manifests[""]?.entries.flatMap(\.outputs).sorted()
        run.files[""]?["old.wav"] = nil
        run.notice(.changed, "old.wav")
        run.pass(seconds: 2)
        #expect(run.manifest() == ["old.wav": .sourceMissing])
        run.pass(seconds: 6)
        #expect(run.manifest() == [:])
        #expect(run.manifests[""]?.superfluous == outputs)
        #expect(run.state.summary.missing == 0)
    }

    @Test func renamedFileIsNotDecodedAgain() {
        for prunes in [false, true] {
            let run = WatchedRun.underway { $0.prunesMissing = prunes }
            run.move("old.wav", to: "new.wav")
            run.notice(.changed, "old.wav")
            run.notice(.written, "new.wav")
            run.pass(seconds: 10)
            #expect(run.decoded == ["old.wav"])
            #expect(run.manifest() == ["new.wav": .done])
            let all = run.run.manifests.flatMap(\.superfluous)
            #expect(all == ["old.wav", "old.wav.dat"])
            #expect(run.state.summary.missing == 0)
            let isTold = run.run.announcements.contains {
                if case .missing = $0 { true } else { false }
            }
            #expect(!isTold, "what has moved is not gone")
            #expect(run.state.folders.isEmpty)
        }
    }

    @Test func fileMovedToAnotherFolderIsNotDecodedAgain() {
        for isOldFirst in [false, true] {
            let run = WatchedRun.underway()
            run.files["A"] = [:]
            run.notice(.written, "A")
            run.pass(seconds: 5)
            run.move("old.wav", to: "old.wav", into: "A")
            if isOldFirst {
                run.notice(.changed, "old.wav")
                run.pass(seconds: 1)
            }
            run.notice(.written, "old.wav", in: "A")
            if !isOldFirst { run.notice(.changed, "old.wav") }
            run.pass(seconds: 10)
            #expect(run.decoded == ["old.wav"])
            #expect(run.manifest("A") == ["old.wav": .done])
            #expect(run.manifest() == [:])
            #expect(run.state.folders.isEmpty)
            #expect(run.run.announcements.contains { if case .moved = $0 { true } else { false } })
        }
    }

    @Test func renamedFolderIsNotDecodedAgain() {
        let run = WatchedRun.underway()
        run.write("a.wav", in: "A")
        run.write("b.wav", in: "A")
        run.notice(.written, "A")
        run.pass(seconds: 5)
        #expect(run.manifest("A") == ["a.wav": .done, "b.wav": .done])
        run.files["B"] = run.files.removeValue(forKey: "A")
        run.notice(.changed, "A")
        run.notice(.written, "B")
        run.pass(seconds: 12)
        #expect(run.decoded.count == 3)
        #expect(run.manifest("B") == ["a.wav": .done, "b.wav": .done])
        #expect(run.manifest("A") == [:])
        #expect(run.state.scan.folders.count == 2)
    }

    @Test func deletedFolderIsMarkedThenPruned() {
        let run = WatchedRun.underway { $0.prunesMissing = true }
        run.write("a.wav", in: "A")
        run.notice(.written, "A")
        run.pass(seconds: 5)
        run.files["A"] = nil
        run.notice(.changed, "A")
        run.pass(seconds: 2)
        #expect(run.manifest("A") == ["a.wav": .sourceMissing])
        #expect(run.run.commands.contains(.scan(.forget("A"))))
        run.pass(seconds: 12)
        #expect(run.manifest("A") == [:])
        #expect(run.state.scan.folders.count == 1)
    }

    @Test func unmountedDiskMarksNothingAsMissing() {
        let run = WatchedRun.underway { $0.prunesMissing = true }
        let files = run.files
        for volume in [
            MountEvidence(device: nil, isBare: true), MountEvidence(device: 2, isBare: true),
        ] {
            run.files = ["": [:]]
            run.volume = volume
            run.notice(.gone)
            run.pass(seconds: 30)
            #expect(run.manifest() == ["old.wav": .done])
            run.files = files
            run.volume = nil
            run.pass(seconds: 10)
        }
        #expect(run.state.summary.missing == 0)
        #expect(run.decoded == ["old.wav"])
        let told = run.run.announcements.filter {
            if case .folderFailed = $0 { true } else { false }
        }
        #expect(told.count == 2, "once each time")
        #expect(run.state.failedFolders.isEmpty)
        run.write("new.wav")
        run.notice(.written, "new.wav")
        #expect(run.manifest() == ["new.wav": .done, "old.wav": .done])
    }

    /// What is known of the folder is in mind then, and the listing says nothing of it.
    @Test(arguments: [
        MountEvidence(device: 2, isBare: true), MountEvidence(device: 2, isBare: false),
    ])
    func diskUnmountedDuringDecodingLosesNoEntries(volume: MountEvidence) {
        let run = WatchedRun.underway { $0.prunesMissing = true }
        run.write("new.wav")
        run.held = ["new.wav"]
        run.notice(.written, "new.wav")
        run.answerFinding()
        #expect(run.decoded == ["old.wav", "new.wav"])
        #expect(run.state.scan.folders[FolderID(0)].isKnown)
        run.files = ["": [:]]
        run.volume = volume
        run.notice(.gone)
        run.pass(seconds: 30)
        #expect(run.manifest()["old.wav"] == .done)
        #expect(run.state.summary.missing == 0 && run.state.summary.pruned == 0)
    }

    @Test func manifestIsWrittenAtMostOncePerSecond() {
        let run = WatchedRun.underway()
        let before = run.run.manifests.count
        for index in 0..<25 {
            let name = Pathname("n\(index).wav")
            run.write(name)
            run.notice(.written, name)
            run.pass(seconds: 0.2)
        }
        #expect((4...6).contains(run.run.manifests.count - before))
        run.pass(seconds: 2)
        #expect(run.manifest().count == 26)
    }

    @Test func eventOverflowTriggersFullRescan() {
        let run = WatchedRun.underway()
        run.write("a.wav", in: "A")
        run.notice(.written, "A")
        run.pass(seconds: 5)
        run.write("b.wav", in: "A")
        run.write("new.wav")
        run.run.send(.ticked(run.nowSeconds))
        run.run.send(.scan(.overflowed))
        run.settle()
        run.pass(seconds: 4)
        #expect(run.manifest("A") == ["a.wav": .done, "b.wav": .done])
        #expect(run.manifest() == ["new.wav": .done, "old.wav": .done])
    }

    @Test func pollingFindsNewFiles() {
        let run = WatchedRun.underway(WatchPolicy(settleSeconds: 1, pollSeconds: 0.5))
        #expect(
            JobStore.subscriptions(of: run.state) == [.stopSignals, .ticks(perSecond: 5)])
        run.write("new.wav")
        run.pass(seconds: 0.8)
        #expect(run.manifest().count == 1)
        run.pass(seconds: 3)
        #expect(run.manifest() == ["new.wav": .done, "old.wav": .done])
    }

    @Test func watchEndsWhenIdle() {
        let run = WatchedRun(WatchPolicy(endsWhenIdle: true))
        run.write("a.wav")
        run.start()
        #expect(!run.state.isFinished)
        run.pass(seconds: 3)
        #expect(run.state.isFinished)
        #expect(run.manifest() == ["a.wav": .done])
    }

    @Test func stoppedWatchWritesFinishedFilesToManifest() {
        let run = WatchedRun.underway()
        run.held = ["b.wav"]
        run.write("a.wav")
        run.notice(.written, "a.wav")
        run.write("b.wav")
        run.notice(.written, "b.wav")
        run.pass(seconds: 0.4)
        run.write("c.wav")
        run.notice(.written, "c.wav")
        run.run.send(.stopRequested(.terminate))
        for command in run.run.pending {
            if case .job(let id, _) = command { run.run.send(.job(id, .cancelled)) }
        }
        run.settle()
        #expect(run.state.phase == .finished(.terminate))
        #expect(run.manifest()["a.wav"] == .done)
        #expect(run.manifest()["b.wav"] == nil)
    }
}
