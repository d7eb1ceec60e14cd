import Jobs
import Recordings
import TestSupport
import Testing

/// Folders that are looked at again and again.
@Suite struct WatchedFolderTests {
    private static let there = MountEvidence(device: 1, isBare: false)

    private func watched(
        _ policy: WatchPolicy = WatchPolicy(),
        _ change: (inout JobStore.Configuration) -> Void = { _ in }
    ) -> ScriptedRun {
        var configuration = JobStore.Configuration()
        configuration.watch = policy
        change(&configuration)
        return ScriptedRun(configuration)
    }

    private func listing(
        _ sightings: ScannedFile..., unseen: [PreviousWork] = [], volume: MountEvidence = there
    ) -> FolderListing {
        var listing = FolderListing(recordings: sightings, unseen: unseen)
        listing.volume = volume
        listing.lookedAtNanoseconds = Example.stamp.modifiedNanoseconds + 3_600_000_000_000
        return listing
    }

    private func scanned(
        _ name: Pathname, _ stamp: FileStamp = Example.stamp, previous: PreviousWork? = nil
    ) -> ScannedFile {
        ScannedFile(name: name, finding: .file(stamp), identity: 1, previous: previous)
    }

    private func notice(_ folder: Pathname, _ kind: FileEvent.Kind) -> JobStore.Action {
        .scan(.noticed([FileEvent(folder: folder, name: nil, kind: kind)]))
    }

    /// Lets time pass, and answers all that it leads to.
    private func pass(_ run: ScriptedRun, _ seconds: ClosedRange<Int>) {
        for second in seconds {
            run.send(.ticked(Double(second)))
            run.answerAll()
        }
    }

    @Test func missingFolderIsForgottenAfterPendingListing() {
        let run = watched()
        run.listings[""] = listing()
        run.listings[""]?.subfolders = ["f"]
        run.listings["f"] = FolderListing()
        run.start()
        run.answerAll()
        #expect(run.state.scan.folders.count == 2)
        run.listings[""]?.subfolders = []
        run.listings["f"] = listing()
        run.listings["f"]?.isGone = true
        run.send(notice("f", .gone))
        run.send(notice("f", .gone))
        run.answerNext()
        guard case .scan(.list(let id, _))? = run.pending.first else {
            Issue.record("it is not listed again")
            return
        }
        run.send(.scan(.unchanged(id)))
        pass(run, 1...9)
        #expect(run.state.scan.folders.count == 1)
    }

    @Test func unchangedFolderIsReleasedFromMemory() {
        let run = watched(WatchPolicy(pollSeconds: 1))
        run.listings[""] = listing(
            scanned("a.wav", previous: Example.previousWork(Example.doneEntry("a.wav"))))
        run.start()
        run.answerAll()
        // So seldom that each tick finds it due.
        for seconds in [10.0, 20] {
            for command in run.send(.ticked(seconds)) {
                if case .scan(.list(let id, _)) = command { run.send(.scan(.unchanged(id))) }
            }
        }
        #expect(run.state.folders.isEmpty)
    }

    @Test func failedRecordingIsRetriedOnce() {
        let run = watched { $0.retriesFailed = true }
        var entry = ManifestEntry(name: "a.wav", status: .failed, source: Example.stamp)
        entry.failure = Example.failure(.corrupt)
        let seen = listing(scanned("a.wav", previous: Example.previousWork(entry)))
        run.listings[""] = seen
        run.start()
        run.answerAll()
        pass(run, 1...5)
        run.send(notice("", .changed))
        pass(run, 6...9)
        #expect(run.listened.count == 1)
    }

    @Test func incompleteRecordingKeepsNoJob() throws {
        let run = watched()
        run.listings[""] = listing(scanned("a.wav"))
        run.start()
        run.answerNext()
        let id = try #require(run.state.jobs.ids.first { _ in true })
        run.send(.job(id, .failed(Example.failure(.truncated), measured: nil)))
        #expect(run.state.watch?.incomplete.count == 1)
        #expect(run.state.jobs.kept == 0)
    }

    @Test func initiallyMissingFoldersAreForgottenWithLastResult() {
        let run = watched()
        run.listings[""] = listing()
        run.listings[""]?.lostFolders = ["f"]
        run.listings["f"] = listing()
        run.listings["f"]?.isGone = true
        run.listings["f"]?.lostFolders = ["g"]
        let failed = ManifestEntry(name: "a.wav", status: .failed, source: Example.stamp)
        run.listings["f/g"] = listing(unseen: [Example.previousWork(failed)])
        run.listings["f/g"]?.isGone = true
        run.start()
        // Up to the manifest that is the last of its folder.
        while run.manifests.isEmpty, run.answerNext() {}
        #expect(run.manifests.map(\.isLast) == [true])
        run.listings["f/g"]?.unseen = []
        run.listings["f"]?.lostFolders = []
        run.listings[""]?.lostFolders = []
        run.answerAll()
        pass(run, 1...9)
        #expect(run.state.scan.folders.count == 1)
    }

    /// The last manifest is removed while an outer folder is being listed again.
    ///
    /// "f/g" and "f/g/h" have results, "f" has none.
    @Test func nestedMissingFoldersAreForgottenOnceTheirResultsArePruned() throws {
        let run = watched { $0.prunesMissing = true }
        func gone(_ lostFolders: [Pathname], _ unseen: [PreviousWork] = []) -> FolderListing {
            var listing = listing(unseen: unseen)
            listing.lostFolders = lostFolders
            listing.isGone = true
            return listing
        }
        run.listings[""] = listing()
        run.listings[""]?.lostFolders = ["f"]
        run.listings["f"] = gone(["g"])
        run.listings["f/g"] = gone(["h"], [Example.missingWork("a.wav")])
        run.listings["f/g/h"] = gone([], [Example.missingWork("b.wav")])
        run.start()
        while run.manifests.count < 2, run.answerNext() {}
        #expect(run.manifests.map(\.folder) == ["f/g", "f/g/h"])
        let middle = try #require(run.state.scan.folders.id(of: "f/g"))
        run.answer(.manifest(middle))
        run.send(.ticked(2))
        run.send(.ticked(3))
        // "f" was read before this, and still says that there are results below it.
        run.listings["f/g"] = gone([])
        run.listings["f/g/h"] = gone([])
        run.answerAll()
        run.listings["f"] = gone([])
        run.listings[""] = listing()
        pass(run, 4...20)
        #expect(run.state.summary.pruned == 2)
        #expect(run.manifests.map(\.isLast) == [true, true])
        #expect(run.state.folders.isEmpty)
        #expect(run.state.scan.folders.count == 1)
    }

    @Test func folderMissingAtListingIsFoundWhenItReturns() {
        let run = watched()
        run.listings[""] = listing()
        run.listings[""]?.subfolders = ["f"]
        run.listings["f"] = listing()
        run.listings["f"]?.isGone = true
        run.start()
        run.answerAll()
        // All looks as before where it lies.
        run.listings["f"] = listing(scanned("a.wav"))
        pass(run, 1...9)
        #expect(run.settledNames == ["a.wav"])
    }

    @Test func initiallyUnmountedDiskIsFoundOnceMounted() {
        for (isGone, device) in [(false, UInt64(2)), (true, nil)] {
            let run = watched()
            run.listings[""] = listing(volume: MountEvidence(device: device, isBare: true))
            run.listings[""]?.isGone = isGone
            run.start()
            run.answerAll()
            // However often it is looked for; nobody tells of it.
            pass(run, 1...20)
            run.listings[""] = listing(scanned("a.wav"))
            pass(run, 21...29)
            #expect(run.settledNames == ["a.wav"])
        }
    }
}
