import Foundation
import Recordings
import TestSupport
import Testing

/// Runs that are killed again and again, each continued by the next.
///
/// `KILLS` and `SEED` in the environment make it more kills and others, and have each told of.
@Suite(.serialized) struct KillTests {
    private static let plan = KillPlan.fromEnvironment
    /// So that even short recordings have something to cut.
    private static let silence = ["--min-silence", "0.1"]
    private static let recipe = silence + ["--keep-silence", "0.02"]

    private let library = Library()
    private let recordings: Int

    init() {
        recordings = library.addManyRecordings(KillTests.plan.isTalkative ? 300 : 120)
    }

    private func kills(_ options: [String]) -> KilledRuns {
        KilledRuns(
            library, recordings: recordings, options: options,
            isTalkative: KillTests.plan.isTalkative)
    }

    /// What a run makes of the same recordings that nothing disturbs.
    private func undisturbed(_ options: [String]) -> Snapshot {
        let output = library.folder.path("undisturbed")
        let outcome = Tool.run(["run", library.root.text, "--output", output.text] + options)
        #expect(outcome.status == 3)
        return Snapshot.ofResults(in: output).wherever
    }

    private func expectOutputs(_ expected: Snapshot) {
        let outputs = library.outputs()
        #expect(outputs.wherever.differences(from: expected) == [])
        let hidden = outputs.names.filter(\.lastComponent.isHidden)
        #expect(hidden == [])
    }

    /// Kills runs until none is left to be killed, or one has ended by itself; then lets one end.
    private func killAgainAndAgain(_ runs: KilledRuns) {
        for moment in KillTests.plan.moments(recordings: recordings) {
            let outcome = runs.run(killedAt: moment)
            #expect(outcome.status == 128 + SIGKILL || outcome.status == 3)
            if outcome.status == 3 { break }
        }
        #expect(runs.runUndisturbed().status == 3)
    }

    @Test(arguments: [
        recipe, recipe + ["--samples-per-pixel", "512"],
        silence + ["--waveform-format", "json", "--trim", "off"],
    ])
    func finishedRecordingsAreNotRedoneAfterRepeatedKills(options: [String]) {
        if options != KillTests.recipe {
            #expect(Tool.run(["run", library.root.text] + KillTests.recipe).status == 3)
        }
        let runs = kills(options)
        killAgainAndAgain(runs)
        expectOutputs(undisturbed(options))
        // Whoever was told of is not told of again.
        #expect(runs.timesDone.filter { $0.value > 1 } == [:])
        #expect(runs.timesDone.count <= recordings)
    }

    /// What is redone though it is up to date takes the place of its like, whenever that ends.
    @Test func killedForceRunLeavesOutputsUpToDate() {
        #expect(Tool.run(["run", library.root.text] + KillTests.recipe).status == 3)
        let expected = library.outputs().wherever
        let runs = kills(KillTests.recipe + ["--force"])
        for moment in KillTests.plan.moments(recordings: recordings) {
            _ = runs.run(killedAt: moment)
        }
        let plain = kills(KillTests.recipe)
        #expect(plain.runUndisturbed().status == 3)
        #expect(plain.timesDone == [:])
        expectOutputs(expected)
    }
}
