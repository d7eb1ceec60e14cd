import Jobs
import Recordings
import TestSupport
import Testing

/// Recordings that filters leave out.
@Suite struct LeftOutTests {
    private func configuration(prunes: Bool = true, isDry: Bool = false) -> JobStore.Configuration {
        var configuration = JobStore.Configuration(isDryRun: isDry)
        configuration.prunesMissing = prunes
        return configuration
    }

    private func done(_ name: Pathname) -> PreviousWork {
        Example.previousWork(Example.doneEntry(name))
    }

    @Test(arguments: [false, true])
    func leftOutRecordingsAreNeitherGoneNorPruned(isDry: Bool) {
        let run = ScriptedRun(configuration(isDry: isDry))
        var listing = FolderListing(
            recordings: [Example.scanned("a.wav", previous: done("a.wav"))],
            unseen: [done("b.wav"), done("c.wav"), Example.missingWork("d.wav")])
        listing.leftOut = ["b.wav", "d.wav"]
        run.listings[""] = listing
        let summary = run.run()
        #expect(summary.upToDate == 1 && summary.recordings == 1)
        #expect(summary.leftOut == 2)
        #expect(summary.missing == 0 && summary.pruned == 1)
        guard !isDry else { return #expect(run.manifests.isEmpty) }
        let entries = run.record.folders[""]?.entries.mapValues(\.entry.status)
        #expect(entries == ["a.wav": .done, "b.wav": .done, "d.wav": .sourceMissing])
    }

    @Test func leftOutFolderKeepsItsManifest() {
        let run = ScriptedRun(configuration())
        var listing = FolderListing(unseen: [done("b.wav"), Example.missingWork("d.wav")])
        listing.isLeftOut = true
        run.listings[""] = listing
        let summary = run.run()
        #expect(summary == Summary())
        #expect(run.manifests.isEmpty && run.commands.count == 2)
    }

    /// "b.mp3" would have its copy under the name of the other recording.
    @Test(arguments: [[], [PreviousWork(Example.doneEntry("b.mp3"), recipe: Recipe())]])
    func outputNamesDoNotDependOnFilters(earlier: [PreviousWork]) throws {
        func names(leavingOut: Bool) throws -> OutputNames {
            let run = ScriptedRun(configuration())
            let all = ["b.mp3", "b.mp3.flac"].map { name in
                Example.scanned(name, previous: earlier.first { $0.entry.name == name })
            }
            var listing = FolderListing(recordings: leavingOut ? [all[1]] : all)
            if leavingOut {
                listing.leftOut = ["b.mp3"]
                listing.unseen = earlier
            }
            run.listings[""] = listing
            run.send(.started([.folder("")]))
            run.answerNext()
            let id = try #require(Array(run.state.jobs.ids).last)
            return run.state.jobs[id].context.value.names
        }
        let usual = try names(leavingOut: false)
        #expect(!usual.areNatural)
        let filtered = try names(leavingOut: true)
        for container in [TrimmedContainer.same, .wav, .flac] {
            let name = filtered.trimmed("b.mp3.flac", as: container)
            #expect(name == usual.trimmed("b.mp3.flac", as: container))
            #expect(
                filtered.trimmed("b.mp3", as: container)
                    == usual.trimmed("b.mp3", as: container))
        }
    }

    /// Its copy stays, and so must not be overwritten.
    @Test func copyOfLeftOutRecordingKeepsItsName() throws {
        var entry = Example.doneEntry("b.mp3")
        entry.trimmed = TrimmedFile(
            path: "b.mp3.flac", durationSeconds: 1, bytes: 1, sha256: "b", edits: [])
        let run = ScriptedRun(configuration())
        var listing = FolderListing(
            recordings: [Example.scanned("b.mp3.flac")], unseen: [Example.previousWork(entry)])
        listing.leftOut = ["b.mp3"]
        run.listings[""] = listing
        run.send(.started([.folder("")]))
        run.answerNext()
        let id = try #require(Array(run.state.jobs.ids).last)
        let names = run.state.jobs[id].context.value.names
        #expect(names.trimmed("b.mp3.flac", as: .same) != "b.mp3.flac")
    }

    /// The disk of a folder whose recordings are all left out is not doubted.
    @Test func leftOutRecordingsAreNoSignOfMissingDisk() {
        for leftOut in [["b.wav"], []] as [[Pathname]] {
            let run = ScriptedRun(configuration())
            var listing = FolderListing(unseen: [done("b.wav")])
            listing.volume = MountEvidence(device: 1, isBare: true)
            listing.leftOut = leftOut
            run.listings[""] = listing
            #expect(run.run().foldersFailed == (leftOut.isEmpty ? 1 : 0))
        }
    }
}

/// Filters of a watch, whose ignore lists may change.
@Suite struct IgnoreListChangeTests {
    private func ignoring(_ text: String) -> (Pathname) -> FolderFilter {
        let list = IgnoreList(Array(text.utf8), depth: 0)
        return { FolderFilter(PathFilter(), [list], in: $0) }
    }

    private func change(_ run: WatchedRun, _ text: String) {
        run.filter = ignoring(text)
        run.notice(.written, IgnoreList.name)
        run.pass(seconds: 5)
    }

    @Test func eventsOfLeftOutRecordingsChangeNothing() {
        let run = WatchedRun()
        run.filter = ignoring("*.tmp.wav\n")
        run.start()
        run.write("a.tmp.wav")
        run.notice(.written, "a.tmp.wav")
        run.pass(seconds: 10)
        #expect(run.decoded.isEmpty && run.state.watch?.incomplete.count == 0)
        #expect(run.state.summary.recordings == 0)
    }

    @Test(arguments: [false, true])
    func changedListIsHonoured(prunes: Bool) {
        let run = WatchedRun.underway { $0.prunesMissing = prunes }
        run.write("f.wav", in: "x")
        run.notice(.written, "x")
        run.pass(seconds: 5)
        #expect(run.decoded == ["old.wav", "f.wav"])
        change(run, "old.wav\nx/\n")
        run.write("old.wav")
        run.notice(.written, "old.wav")
        run.write("f.wav", in: "x")
        run.notice(.written, "f.wav", in: "x")
        run.pass(seconds: 10)
        #expect(run.decoded.count == 2)
        #expect(run.manifest() == ["old.wav": .done] && run.manifest("x") == ["f.wav": .done])
        // Gone while it is left out: that is no news either.
        run.files[""]?["old.wav"] = nil
        run.notice(.changed, "old.wav")
        run.pass(seconds: 60)
        #expect(run.manifest() == ["old.wav": .done] && run.state.summary.missing == 0)
        change(run, "")
        run.pass(seconds: 60)
        #expect(run.decoded == ["old.wav", "f.wav", "f.wav"])
        #expect(run.manifest() == (prunes ? [:] : ["old.wav": .sourceMissing]))
    }

    @Test func leftOutFailureIsNotCounted() {
        let run = WatchedRun()
        run.fails["bad.wav"] = Example.failure(.corrupt, in: .decode)
        run.write("bad.wav")
        run.pass(seconds: 60)
        run.start()
        run.pass(seconds: 2)
        #expect(run.state.summary.failed == 1)
        change(run, "bad.wav\n")
        #expect(run.state.summary.failed == 0)
        run.rights += 1
        run.notice(.changed)
        run.pass(seconds: 5)
        #expect(run.state.summary.failed == 0)
        change(run, "")
        #expect(run.state.summary.failed == 1 && run.manifest() == ["bad.wav": .failed])
    }

    /// It was left out after it had been ordered, and before it began.
    @Test func waitingJobOfLeftOutRecordingIsWithdrawn() {
        let run = WatchedRun { $0.jobLimit = 1 }
        run.held = ["a.wav"]
        run.write("a.wav")
        run.write("b.wav")
        run.pass(seconds: 60)
        run.start()
        run.answerFinding()
        change(run, "*.wav\n")
        run.held = []
        run.pass(seconds: 10)
        #expect(run.decoded == ["a.wav"])
        #expect(run.manifest() == ["a.wav": .done])
    }
}
