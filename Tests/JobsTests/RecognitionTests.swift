import Jobs
import Recordings
import TestSupport
import Testing

/// Recordings that are another file than they were, and are known by their bytes.
@Suite struct RecognitionTests {
    /// A run that has done `old.wav`, which then went.
    private func withoutTheOld(
        _ change: (inout JobStore.Configuration) -> Void = { $0.wantsChecksums = true }
    ) -> WatchedRun {
        let run = WatchedRun.underway(WatchPolicy(), change)
        run.files[""]?["old.wav"] = nil
        run.notice(.changed, "old.wav")
        run.pass(seconds: 1)
        return run
    }

    @Test func newFileWithSameDigestAdoptsOutputs() throws {
        let run = withoutTheOld()
        let stamp = run.write("new.wav")
        run.notice(.written, "new.wav")
        run.pass(seconds: 10)
        #expect(run.decoded == ["old.wav"])
        #expect(run.manifest() == ["new.wav": .done])
        let entry = try #require(run.manifests[""]?.entries.first)
        #expect(entry.source == stamp, "it is the file that is there now")
        let isTold = run.run.announcements.contains(
            .moved(folder: "", name: "old.wav", newFolder: "", newName: "new.wav"))
        #expect(isTold)
        #expect(run.state.folders.isEmpty)
        #expect(run.state.watch?.incomplete.all == 0)
    }

    /// What is renamed has moved; what is renamed and changed at once has gone, and another came.
    @Test(arguments: [false, true])
    func renamedFileIsReportedAsMovedUnlessModified(isChanged: Bool) {
        let run = WatchedRun.underway { _ in }
        var file = run.files[""]?.removeValue(forKey: "old.wav")
        if isChanged { file?.stamp.modifiedNanoseconds += 1 }
        run.files[""]?["new.wav"] = file
        run.notice(.written, "new.wav")
        run.pass(seconds: 10)
        #expect(run.decoded == (isChanged ? ["old.wav", "new.wav"] : ["old.wav"]))
        let told = run.run.announcements
        let isGone = told.contains(.missing(folder: "", name: "old.wav", pruned: false))
        #expect(isGone == isChanged)
        let isMoved = told.contains(
            .moved(folder: "", name: "old.wav", newFolder: "", newName: "new.wav"))
        #expect(isMoved != isChanged)
    }

    @Test func movedFileIsRecognisedAfterFolderIsReleased() {
        // By the file, and by its bytes.
        for isSameFile in [true, false] {
            let run = WatchedRun.underway { $0.wantsChecksums = !isSameFile }
            let file = run.files[""]?.removeValue(forKey: "old.wav")
            run.notice(.changed, "old.wav")
            run.pass(seconds: 20)
            #expect(run.state.folders.isEmpty)
            run.files["A"] = ["new.wav": isSameFile ? file : nil].compactMapValues { $0 }
            if !isSameFile { run.write("new.wav", in: "A") }
            run.notice(.written, "A")
            run.pass(seconds: 10)
            #expect(run.decoded == ["old.wav"])
            #expect(run.manifest() == [:])
            #expect(run.manifest("A") == ["new.wav": .done])
        }
    }

    /// Its old folder is listed when it is being taken over, or has been.
    @Test(arguments: [false, true])
    func runDoesNotPruneWhatMovedToAFolderThatIsListedBefore(isTakenOver: Bool) {
        let first = WatchedRun {
            $0.watch = nil
            $0.wantsChecksums = true
        }
        first.write("old.wav", in: "B")
        first.start()
        let run = WatchedRun(after: first) { $0.prunesMissing = true }
        run.files["B"] = [:]
        run.write("new.wav", in: "A")
        run.holds = { command in
            switch command {
            case .scan(.list(_, let request)): request.path == "B"
            case .job(_, .adopt): !isTakenOver
            default: false
            }
        }
        run.start()
        run.pass(seconds: 2)
        run.holds = { if case .job(_, .adopt) = $0 { !isTakenOver } else { false } }
        run.pass(seconds: 2)
        run.holds = { _ in false }
        run.pass(seconds: 2)
        #expect(run.decoded == [])
        #expect(run.manifest("A") == ["new.wav": .done] && run.manifest("B") == [:])
        #expect(run.state.summary.pruned == 0 && run.state.summary.missing == 0)
        let told = run.run.announcements
        let isMoved = told.contains(
            .moved(folder: "B", name: "old.wav", newFolder: "A", newName: "new.wav"))
        #expect(isMoved)
        #expect(!told.contains(.missing(folder: "B", name: "old.wav", pruned: true)))
    }

    @Test func sameSizeFileWithOtherDigestIsDecoded() {
        let run = withoutTheOld()
        run.run.digests["new.wav"] = "other"
        run.write("new.wav")
        run.notice(.written, "new.wav")
        run.pass(seconds: 10)
        #expect(run.decoded == ["old.wav", "new.wav"])
        #expect(run.manifest() == ["new.wav": .done, "old.wav": .sourceMissing])
    }

    @Test func fileOfOtherSizeIsDecoded() {
        let run = withoutTheOld()
        run.write("new.wav")
        run.files[""]?["new.wav"]?.stamp.bytes = 999
        run.notice(.written, "new.wav")
        run.pass(seconds: 10)
        #expect(run.decoded == ["old.wav", "new.wav"])
    }

    @Test func contentDoesNotCountWhenChecksumsAreOff() {
        let run = withoutTheOld { _ in }
        run.write("new.wav")
        run.notice(.written, "new.wav")
        run.pass(seconds: 10)
        #expect(run.decoded == ["old.wav", "new.wav"])
    }

    @Test func returnedOrPrunedRecordingIsNoLongerMatched() {
        for prunes in [false, true] {
            let run = withoutTheOld {
                $0.wantsChecksums = true
                $0.prunesMissing = prunes
            }
            if prunes {
                run.pass(seconds: 20)
            } else {
                run.write("old.wav")
                run.notice(.written, "old.wav")
                run.pass(seconds: 5)
            }
            let before = run.decoded.count
            run.write("new.wav")
            run.notice(.written, "new.wav")
            run.pass(seconds: 10)
            #expect(run.decoded.count == before + 1)
        }
    }

    @Test func moveBetweenRunsIsRecognisedInAnyScanOrder() {
        for (old, new) in [("A", "B"), ("B", "A"), ("A", "A")] as [(Pathname, Pathname)] {
            let before = WatchedRun { $0.wantsChecksums = true }
            before.write("old.wav", in: old)
            before.files[new] = before.files[new] ?? [:]
            before.pass(seconds: 60)
            before.start()
            before.pass(seconds: 5)
            let run = WatchedRun(after: before)
            run.files[old]?["old.wav"] = nil
            run.write("new.wav", in: new)
            run.pass(seconds: 60)
            run.start()
            run.pass(seconds: 10)
            #expect(run.decoded == [])
            #expect(run.manifest(new)["new.wav"] == .done)
            #expect(run.manifest(old)["old.wav"] == nil)
        }
    }

    @Test func stopWhileHashingLeavesFileToNextRun() {
        for isOther in [false, true] {
            let run = withoutTheOld()
            if isOther { run.run.digests["new.wav"] = "other" }
            run.write("new.wav")
            run.held = ["new.wav"]
            run.notice(.written, "new.wav")
            run.run.send(.stopRequested(.terminate))
            run.held = []
            run.settle()
            #expect(run.state.isFinished)
            #expect(run.state.deepViolation == nil)
            #expect(run.decoded == ["old.wav"])
            let next = WatchedRun(after: run)
            if isOther { next.run.digests["new.wav"] = "other" }
            next.pass(seconds: 60)
            next.start()
            next.pass(seconds: 10)
            #expect(next.decoded == (isOther ? ["new.wav"] : []))
            #expect(next.manifest()["new.wav"] == .done)
        }
    }

    @Test func movedAndTouchedFileIsRecognisedByDigest() {
        let run = WatchedRun.underway { $0.wantsChecksums = true }
        run.move("old.wav", to: "new.wav")
        run.write("new.wav")
        run.notice(.changed, "old.wav")
        run.notice(.written, "new.wav")
        run.pass(seconds: 15)
        #expect(run.decoded == ["old.wav"])
        #expect(run.manifest() == ["new.wav": .done])
    }

    @Test func fileChangedWhileHashingIsCheckedAgain() throws {
        let run = withoutTheOld()
        run.write("new.wav")
        run.held = ["new.wav"]
        run.notice(.written, "new.wav")
        let stamp = run.write("new.wav")
        let id = try #require(
            run.run.pending.compactMap {
                if case .job(let id, .find) = $0 { id } else { nil }
            }.first)
        run.held = []
        run.run.send(.job(id, .sourceChanged(stamp)))
        run.notice(.written, "new.wav")
        run.pass(seconds: 15)
        #expect(run.decoded == ["old.wav"])
        #expect(run.manifest() == ["new.wav": .done])
    }

    /// A recording that is moved over another one takes its name and its place.
    @Test func fileMovedOverAnotherAdoptsOutputs() {
        let run = WatchedRun.underway()
        run.write("other.wav")
        run.notice(.written, "other.wav")
        run.pass(seconds: 5)
        run.move("old.wav", to: "other.wav")
        run.notice(.changed, "old.wav")
        run.notice(.written, "other.wav")
        run.pass(seconds: 10)
        #expect(run.decoded == ["old.wav", "other.wav"])
        #expect(run.manifest() == ["other.wav": .done])
        #expect(run.state.summary.missing == 0)
    }

    /// What was renamed before a watch was killed has its results under both names, or none yet
    /// under the new one.
    @Test(arguments: [false, true], [false, true])
    func renameBeforeACrashIsRecognisedAfterIt(isDone: Bool, isToldGone: Bool) {
        let killed = WatchedRun.underway()
        let file = killed.files[""]?["old.wav"]
        if isToldGone {
            killed.files[""]?["old.wav"] = nil
            killed.notice(.changed, "old.wav")
            killed.pass(seconds: 5)
        }
        if isDone {
            // Its folder is listed only when it is too late.
            killed.files["A"] = ["new.wav": file].compactMapValues { $0 }
            killed.files[""]?["old.wav"] = nil
            var entry = Example.doneEntry("new.wav")
            entry.source = file?.stamp
            var fact = JournalFact(folder: "A", entry: entry)
            fact.identity = file?.identity
            killed.run.record.add([fact])
        } else {
            killed.files[""] = ["new.wav": file].compactMapValues { $0 }
        }
        let next = WatchedRun(after: killed)
        next.pass(seconds: 60)
        next.start()
        next.pass(seconds: 10)
        #expect(next.decoded == [])
        #expect(next.manifest() == (isDone ? [:] : ["new.wav": .done]))
        #expect(next.manifest("A") == (isDone ? ["new.wav": .done] : [:]))
        #expect(next.state.summary.missing == 0)
    }

    /// A run without a watch lists each folder once, in the order of the names.
    @Test(arguments: [("A", "B"), ("B", "A"), ("A", "A")] as [(Pathname, Pathname)])
    func runRecognisesRenamedFileInAnyScanOrder(old: Pathname, new: Pathname) {
        let before = WatchedRun()
        before.write("old.wav", in: old)
        before.files[new] = before.files[new] ?? [:]
        before.pass(seconds: 60)
        before.start()
        before.pass(seconds: 5)
        let run = WatchedRun(after: before) { $0.watch = nil }
        run.move("old.wav", in: old, to: "new.wav", into: new)
        run.start()
        run.pass(seconds: 5)
        #expect(run.state.isFinished && run.state.deepViolation == nil)
        #expect(run.decoded == [])
        #expect(run.manifest(new) == ["new.wav": .done])
        #expect(old == new || run.manifest(old) == [:])
        #expect(run.state.summary.missing == 0)
        let moved = Announcement.moved(
            folder: old, name: "old.wav", newFolder: new, newName: "new.wav")
        #expect(run.run.announcements.contains(moved))
    }
}
