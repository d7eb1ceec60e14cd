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
            $0.recipes.usual = Boxed(recipe)
        }
        run.held = ["late.wav"]
        run.start()
        run.pass(seconds: 10)
        let between = try #require(run.manifests[""])
        #expect(between.superfluous == ["old.wav.dat"])
        let old = try #require(between.entries.first { $0.name == "old.wav" })
        #expect(old.status == .done && old.made == ["old.wav.json", "old.wav"])
        #expect(old.leftBehind == nil)
        return run
    }

    @Test func finalManifestDeletesObsoleteOutputs() throws {
        let run = try redrawing()
        run.held = []
        run.settle()
        run.pass(seconds: 10)
        let last = try #require(run.manifests[""])
        #expect(last.superfluous == ["late.wav.dat"])
        #expect(last.entries.allSatisfy { $0.leftBehind == nil })
    }

    /// A watch that ended so once owed what no later run removed or told of.
    @Test func stoppedWatchDeletesObsoleteOutputs() throws {
        let run = try redrawing()
        run.run.send(.stopRequested(.terminate))
        run.run.send(.job(RecordingID(0), .cancelled))
        run.run.answerAll()
        let last = try #require(run.run.manifests.last)
        #expect(last.superfluous == ["old.wav.dat"])
        #expect(last.entries.allSatisfy { $0.leftBehind == nil })
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
            $0.recipes.usual = Boxed(wish.recipe)
        }
        next.start()
        next.pass(seconds: 10)
        let last = try #require(next.manifests[""])
        let superfluous = wish == .former ? ["old.wav.json"] : ["late.wav.dat"]
        #expect(last.superfluous.map(\.text) == superfluous)
        #expect(last.entries.allSatisfy { $0.leftBehind == nil })
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
}
