import Jobs
import Recordings
import ReducerKit
import TestSupport
import Testing

/// What a run that goes on makes of trouble that lasts, and of things that happen at once.
@Suite struct WatchTroubleTests {
    @Test func emptyUnmountedFolderIsPolledUntilItReturns() {
        let run = WatchedRun.underway()
        run.files[""] = [:]
        run.volume = MountEvidence(device: 1, isBare: true)
        run.notice(.changed, "old.wav")
        run.pass(seconds: 5)
        // What is there now looks the same, and nobody tells what happens to what is not there.
        run.volume = MountEvidence(device: 2, isBare: true)
        run.notice(.gone)
        run.pass(seconds: 20)
        run.volume = MountEvidence(device: 1, isBare: false)
        run.write("new.wav")
        run.pass(seconds: 20)
        #expect(run.manifest()["new.wav"] == .done)
    }

    /// A card in a folder of its own, seen, with a folder on it.
    private func withCard(prunes: Bool = true) -> WatchedRun {
        let run = WatchedRun.underway { $0.prunesMissing = prunes }
        run.volumes["card"] = MountEvidence(device: 7, isBare: false)
        run.volumes["card/day"] = MountEvidence(device: 7, isBare: false)
        run.write("a.wav", in: "card")
        run.write("b.wav", in: "card/day")
        run.notice(.written, "card")
        run.pass(seconds: 10)
        #expect(run.manifest("card") == ["a.wav": .done])
        #expect(run.manifest("card/day") == ["b.wav": .done])
        return run
    }

    @Test(arguments: [["card", "card/day"], ["card/day", "card"]] as [[Pathname]])
    func removedCardLosesNoEntries(order: [Pathname]) {
        let run = withCard()
        let files = run.files
        let volumes = run.volumes
        // What is left is the folder that it was mounted on.
        run.files["card"] = [:]
        run.files["card/day"] = nil
        run.volumes = ["card": MountEvidence(device: 1, isBare: true)]
        for folder in order { run.notice(.unmounted, in: folder) }
        run.pass(seconds: 60)
        #expect(run.manifest("card") == ["a.wav": .done])
        #expect(run.manifest("card/day") == ["b.wav": .done])
        // It is back, with something new, and nobody tells of it.
        run.files = files
        run.volumes = volumes
        run.write("c.wav", in: "card")
        run.write("d.wav", in: "card/day")
        run.pass(seconds: 20)
        #expect(run.manifest("card") == ["a.wav": .done, "c.wav": .done])
        #expect(run.manifest("card/day") == ["b.wav": .done, "d.wav": .done])
        #expect(run.decoded.sorted() == ["a.wav", "b.wav", "c.wav", "d.wav", "old.wav"])
    }

    /// In the same reader it has the number of the first.
    @Test(arguments: [UInt64(8), 7], [false, true])
    func swappedCardKeepsEntriesOfFirstCard(device: UInt64, isSeenAway: Bool) {
        let run = withCard()
        run.files["card"] = [:]
        run.files["card/day"] = nil
        if isSeenAway {
            run.volumes = ["card": MountEvidence(device: 1, isBare: true)]
            for folder in ["card", "card/day"] as [Pathname] { run.notice(.unmounted, in: folder) }
            run.pass(seconds: 10)
        }
        run.write("x.wav", in: "card")
        run.volumes = ["card": MountEvidence(device: device, isBare: false)]
        for folder in ["card", "card/day"] as [Pathname] { run.notice(.unmounted, in: folder) }
        run.pass(seconds: 60)
        #expect(run.manifest("card") == ["a.wav": .done, "x.wav": .done])
        #expect(run.manifest("card/day") == ["b.wav": .done])
        // What is deleted from a card that is there goes as ever.
        let again = withCard()
        again.files["card"]?["a.wav"] = nil
        again.write("y.wav", in: "card")
        again.notice(.changed, "a.wav", in: "card")
        again.pass(seconds: 60)
        #expect(again.manifest("card") == ["y.wav": .done])
    }

    @Test func recreatedEmptyFolderLosesItsEntries() {
        let run = withCard()
        run.files["card/day"] = [:]
        run.volumes["card/day"] = MountEvidence(device: 7, isBare: true)
        run.notice(.gone, in: "card/day")
        run.pass(seconds: 60)
        #expect(run.manifest("card/day") == [:])
        // Where a desktop makes a folder for each disk, that goes with it.
        run.files["card/day"] = nil
        run.files["card"] = nil
        run.notice(.gone, in: "card")
        run.pass(seconds: 60)
        #expect(run.manifest("card") == ["a.wav": .done])
    }

    @Test func failedAdoptionIsDecodedInstead() {
        let run = WatchedRun.underway()
        run.failsAdoptions = true
        run.move("old.wav", to: "new.wav")
        run.notice(.changed, "old.wav")
        run.notice(.written, "new.wav")
        run.pass(seconds: 10)
        let adoptions = run.run.commands.filter {
            if case .job(_, .adopt) = $0 { true } else { false }
        }
        #expect(adoptions.count == 1)
        #expect(run.decoded == ["old.wav", "new.wav"])
        #expect(run.manifest() == ["new.wav": .done])
    }

    @Test func manifestFailureDoesNotBlockOtherFolders() {
        let run = WatchedRun.underway(WatchPolicy(endsWhenIdle: false))
        run.unwritable = ["A"]
        run.write("a.wav", in: "A")
        run.notice(.written, "A")
        run.pass(seconds: 3)
        run.write("new.wav")
        run.notice(.written, "new.wav")
        run.pass(seconds: 3)
        #expect(run.manifest()["new.wav"] == .done)
        run.unwritable = []
        run.pass(seconds: 5)
        #expect(run.manifest("A") == ["a.wav": .done])
        #expect(run.state.summary.manifestsFailed == 0)
    }

    @Test func idleWatchEndsDespiteManifestFailure() {
        let run = WatchedRun(WatchPolicy(endsWhenIdle: true))
        run.unwritable = [""]
        run.write("a.wav")
        run.start()
        run.pass(seconds: 10)
        #expect(run.state.isFinished)
    }

    @Test func closeEventAppliesOnlyToItsFolder() {
        let run = WatchedRun.underway()
        run.files["A"] = [:]
        run.files["B"] = [:]
        run.notice(.written, "A")
        run.notice(.written, "B")
        run.pass(seconds: 5)
        run.write("take.wav", in: "A")
        run.write("take.wav", in: "B")
        run.run.send(.ticked(run.nowSeconds))
        run.run.send(
            .scan(
                .noticed([
                    FileEvent(folder: "B", name: "take.wav", kind: .written),
                    FileEvent(folder: "A", name: "other.wav", kind: .written),
                ])))
        run.settle()
        #expect(run.manifest("B") == ["take.wav": .done])
        #expect(run.manifest("A") == [:])
        #expect(run.state.watch?.incomplete.count == 1)
    }

    @Test func folderIsReleasedAfterRenamedFileIsRewritten() {
        let run = WatchedRun.underway { $0.prunesMissing = true }
        run.move("old.wav", to: "new.wav")
        run.notice(.changed, "old.wav")
        run.notice(.written, "new.wav")
        run.write("new.wav")
        run.notice(.written, "new.wav")
        run.pass(seconds: 20)
        #expect(run.state.folders.isEmpty)
        #expect(run.manifest() == ["new.wav": .done])
    }

    @Test func unreadableFileIsRetriedOnlyWhenItChanges() {
        let run = WatchedRun.underway()
        let denied = Job.Action.failed(
            Example.failure(.permissionDenied, in: .decode), measured: nil)
        run.answers["bad.wav"] = denied
        run.write("bad.wav")
        run.notice(.written, "bad.wav")
        run.pass(seconds: 3)
        #expect(run.manifest()["bad.wav"] == .failed)
        for index in 0..<3 {
            run.write(Pathname("n\(index).wav"))
            run.notice(.written, Pathname("n\(index).wav"))
            run.pass(seconds: 2)
        }
        #expect(run.decoded.filter { $0 == "bad.wav" }.count == 1)
        #expect(run.state.summary.failed == 1)
        // Its rights were given back.
        run.rights += 1
        run.notice(.changed, "bad.wav")
        run.pass(seconds: 4)
        #expect(run.manifest()["bad.wav"] == .done)
        #expect(run.state.summary.failed == 0)
    }

    @Test func oldTruncatedFileFailsWithoutWaiting() {
        let run = WatchedRun(WatchPolicy(giveUpSeconds: 600, endsWhenIdle: true))
        run.write("cut.wav")
        run.pass(seconds: 700)
        run.fails["cut.wav"] = Example.failure(.truncated, in: .decode)
        run.start()
        run.pass(seconds: 3)
        #expect(run.state.isFinished)
        #expect(run.manifest() == ["cut.wav": .failed])
    }

    @Test func awaitedFileIsReportedOnce() {
        let run = WatchedRun.underway()
        for _ in 0..<10 {
            run.write("new.wav")
            run.notice(.changed, "new.wav")
            run.pass(seconds: 1)
        }
        let told = run.run.announcements.filter { if case .awaited = $0 { true } else { false } }
        #expect(told.count == 1)
    }

    @Test func fileRenamedTwiceIsNotDecodedAgain() {
        let run = WatchedRun.underway()
        run.move("old.wav", to: "new.wav")
        run.notice(.written, "new.wav")
        run.move("new.wav", to: "newer.wav")
        run.notice(.written, "newer.wav")
        run.pass(seconds: 10)
        #expect(run.decoded == ["old.wav"])
        #expect(run.manifest() == ["newer.wav": .done])
    }

    @Test func returnedFolderIsListedAgain() {
        let run = WatchedRun.underway()
        run.write("a.wav", in: "A")
        run.notice(.written, "A")
        run.pass(seconds: 5)
        let folder = run.files.removeValue(forKey: "A")
        run.notice(.gone, in: "A")
        #expect(run.manifest("A") == ["a.wav": .sourceMissing])
        run.files["A"] = folder
        run.write("c.wav", in: "A")
        run.pass(seconds: 6)
        #expect(run.manifest("A") == ["a.wav": .done, "c.wav": .done])
    }

    @Test func deletedParentFolderIsForgottenWithSubfolder() {
        let run = WatchedRun.underway { $0.prunesMissing = true }
        run.files["A"] = [:]
        run.write("a.wav", in: "A/B")
        run.notice(.written, "A")
        run.pass(seconds: 5)
        #expect(run.state.scan.folders.count == 3)
        run.files["A"] = nil
        run.files["A/B"] = nil
        run.notice(.changed, "A")
        run.pass(seconds: 20)
        #expect(run.state.scan.folders.count == 1)
    }

    @Test func unmountedDiskIsReportedOnce() {
        let run = WatchedRun.underway()
        for name in ["A", "B", "C"] as [Pathname] { run.write("a.wav", in: name) }
        run.notice(.written, "A")
        run.pass(seconds: 5)
        let files = run.files
        run.files = [:]
        run.volume = MountEvidence(device: nil, isBare: true)
        run.run.send(.scan(.overflowed))
        run.settle()
        run.pass(seconds: 12)
        let told = run.run.announcements.filter {
            if case .folderFailed = $0 { true } else { false }
        }
        #expect(told.count == 1)
        run.files = files
        run.volume = nil
        run.pass(seconds: 8)
        #expect(run.state.summary.foldersFailed == 0)
        #expect(run.decoded.count == 4)
        #expect(run.manifest("C") == ["a.wav": .done])
    }
}
