import Jobs
import Recordings
import ReducerKit
import TestSupport
import Testing

/// When what nothing needs any more goes, while a run goes on and in the one after it.
@Suite struct ObsoleteOutputsTests {
    /// A watch over two recordings that are to be drawn into files of other names, where one is
    /// drawn, the other is being drawn, and a manifest was written in between.
    private func redrawing() throws -> WatchedRun {
        let first = WatchedRun.underway()
        first.write("late.wav")
        first.notice(.written, "late.wav")
        first.pass(seconds: 5)
        let run = WatchedRun(after: first) {
            var recipe = Recipe()
            recipe.waveform.format = .json
            $0.recipe = Boxed(recipe)
        }
        run.held = ["late.wav"]
        run.start()
        run.pass(seconds: 10)
        let between = try #require(run.manifests[""])
        #expect(between.superfluous == [])
        let old = try #require(between.entries.first { $0.name == "old.wav" }).value
        #expect(old.status == .done && old.made == ["old.wav.json", "old.wav"])
        #expect(old.leftBehind == ["old.wav.dat"])
        #expect(old.earlier?.flatMap(\.names) == ["old.wav.dat"])
        return run
    }

    @Test func finalManifestDeletesObsoleteOutputs() throws {
        let run = try redrawing()
        run.held = []
        run.settle()
        run.pass(seconds: 10)
        let last = try #require(run.manifests[""])
        #expect(last.superfluous == ["late.wav.dat", "old.wav.dat"])
        #expect(last.entries.allSatisfy { !$0.leavesBehind })
    }

    /// A watch that ended so once owed what no later run removed or told of.
    @Test func stoppedWatchDeletesObsoleteOutputs() throws {
        let run = try redrawing()
        run.run.send(.stopRequested(.terminate))
        run.run.send(.job(RecordingID(0), .cancelled))
        run.run.answerAll()
        let last = try #require(run.run.manifests.last)
        #expect(last.superfluous == ["old.wav.dat"])
        #expect(last.entries.allSatisfy { !$0.leavesBehind })
    }

    /// Whether it asks for what the watch did, for that with more bits, or for what was before.
    enum Wish: CaseIterable {
        case same, finer, former

        var recipe: Recipe {
            var recipe = Recipe()
            if self != .former { recipe.waveform.format = .json }
            if self == .finer { recipe.waveform.bits = 16 }
            return recipe
        }
    }

    @Test(arguments: [false, true], Wish.allCases)
    func nextRunDeletesObsoleteOutputsOfKilledWatch(isWatch: Bool, wish: Wish) throws {
        let killed = try redrawing()
        let next = WatchedRun(after: killed) {
            if !isWatch { $0.watch = nil }
            $0.recipe = Boxed(wish.recipe)
        }
        next.start()
        next.pass(seconds: 10)
        let last = try #require(next.manifests[""])
        let superfluous = wish == .former ? ["old.wav.json"] : ["late.wav.dat", "old.wav.dat"]
        #expect(last.superfluous.map(\.text) == superfluous)
        #expect(last.entries.allSatisfy { !$0.leavesBehind })
    }

    @Test func dryRunKeepsObsoleteOutputs() throws {
        let killed = try redrawing()
        let next = WatchedRun(after: killed) {
            $0.watch = nil
            $0.isDryRun = true
        }
        next.start()
        #expect(next.run.manifests.isEmpty && next.state.isFinished)
    }

    /// It goes from where it was made, which is not where the recording is now.
    @Test func obsoleteOutputsAreNotAdoptedAfterRename() throws {
        var entry = Example.doneEntry("b.wav")
        entry.leaveBehind(["b.wav.json"], toldOf: [])
        var job = Job.State(
            folder: FolderID(0), name: "a.wav", stamp: Example.stamp, phase: .waiting(.all))
        let next = job.adopt(entry, from: "f")
        guard case .adopting(let moved) = job.phase else {
            Issue.record("\(job.phase) is no adopting")
            return
        }
        #expect(moved.value.name == "a.wav" && moved.value.outputs == ["a.wav.dat"])
        guard case .order(.adopt) = next else {
            Issue.record("\(next) is no order to adopt")
            return
        }
    }

    @Test func joinedLeftoversListEachNameOnce() {
        let entry = Example.doneEntry("a.wav")
        let all = Leftovers(["a.wav.dat", "a.wav.json"], of: "a.wav", toldOf: entry.generations)
        #expect(all.names == ["a.wav.dat", "a.wav.json"])
        #expect(all.told == entry.generations.telling(of: ["a.wav.dat"]))
        var later = entry
        later.source = FileStamp(bytes: 5, modifiedNanoseconds: 6)
        let joined = Leftovers(
            ["a.wav.2.dat", "a.wav.dat"], of: "a.wav", toldOf: later.generations
        ).joined(with: all)
        #expect(joined.names == ["a.wav.2.dat", "a.wav.dat", "a.wav.json"])
        #expect(joined.told.map(\.source) == [later.source])
        #expect(joined.without(["a.wav.dat"])?.names == ["a.wav.2.dat", "a.wav.json"])
        #expect(joined.without(joined.names) == nil)
    }

    /// What was told of the first file of a name was once believed of the next one.
    @Test func regeneratedOutputIsNoLongerObsolete() {
        var folder = Folder(path: "")
        let first = Example.doneEntry("a.wav")
        folder.superfluous.replace(Leftovers(["a.wav.dat", "a.wav"], of: "a.wav", toldOf: []))
        folder.leave(Leftovers(["a.wav.json"], of: "a.wav", toldOf: []))
        folder.settle(SettledEntry(first))
        #expect(folder.superfluous["a.wav"]?.names == ["a.wav", "a.wav.json"])
        let order = folder.manifestOrder(recipe: Boxed(Recipe()))
        #expect(order.obsolete == ["a.wav"] && order.leaving == ["a.wav.json"])
        folder.takeBackManifest()
        #expect(folder.superfluous["a.wav"]?.names == ["a.wav", "a.wav.json"])
    }

    @Test func latestGenerationOfObsoleteOutputWins() {
        let first = Example.doneEntry("a.wav")
        let stamp = FileStamp(bytes: 5, modifiedNanoseconds: 6)
        let later = Example.doneEntry("a.wav", stamp: stamp)
        var superfluous = ObsoleteOutputs()
        superfluous.replace(Leftovers(first))
        superfluous.leave(Leftovers(later))
        #expect(superfluous["a.wav"]?.told.map(\.source) == [stamp])
        superfluous.nameAll()
        #expect(superfluous.named["a.wav"]?.told.map(\.source) == [stamp])
        #expect(superfluous.replaced.isEmpty)
    }

    /// As long as the journal tells of them, the manifest may go first, which no longer names them.
    @Test func outputInInterimManifestIsDeletedBeforeTheNext() {
        var folder = Folder(path: "")
        folder.settle(SettledEntry(Example.doneEntry("a.wav")))
        folder.superfluous.replace(Leftovers(["a.wav.json"], of: "a.wav", toldOf: []))
        let between = folder.manifestOrder(recipe: Boxed(Recipe()), removes: false)
        #expect(between.superfluous == [])
        #expect(between.entries.map(\.value.leftBehind) == [["a.wav.json"]])
        let last = folder.manifestOrder(recipe: Boxed(Recipe()))
        #expect(last.leaving == ["a.wav.json"] && last.obsolete == [])
    }

    /// One that was to go, of a recording that is gone, once stayed until everything of such was to
    /// go, and then its name without it.
    @Test(arguments: [false, true])
    func obsoleteOutputOfMissingRecordingIsDeleted(isKnown: Bool) throws {
        var entry = Example.doneEntry("a.wav")
        if !isKnown { entry = ManifestEntry(name: "a.wav", status: .done, source: nil) }
        entry.status = .sourceMissing
        entry.leaveBehind(["a.wav.json"], toldOf: [])
        let run = ScriptedRun(JobStore.Configuration())
        run.listings[""] = FolderListing(unseen: [Example.previousWork(entry)])
        let summary = run.run()
        let order = try #require(run.manifests.first)
        #expect(order.leaving == ["a.wav.json"])
        #expect(order.entries.map(\.value.outputs) == (isKnown ? [["a.wav.dat"]] : []))
        #expect(summary.missing == (isKnown ? 1 : 0))
    }

    /// Who loses a name that was to go loses nothing else.
    @Test func recordingStaysListedWhenItsLeftoverIsReassigned() {
        var folder = Folder(path: "")
        var entry = Example.doneEntry("b.mp3")
        entry.leaveBehind(["b.mp3.flac.dat"], toldOf: [])
        folder.unlisted = [Example.previousWork(entry)]
        folder.settle(SettledEntry(Example.doneEntry("b.mp3.flac")))
        let order = folder.manifestOrder(recipe: Boxed(Recipe()))
        #expect(order.entries.map(\.name) == ["b.mp3", "b.mp3.flac"])
        #expect(order.entries.first?.value.outputs == ["b.mp3.dat"])
    }
}
