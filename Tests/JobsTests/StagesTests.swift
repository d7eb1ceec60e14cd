import Jobs
import Recordings
import TestSupport
import Testing

@Suite struct StagesTests {
    private func stale(
        stamp: FileStamp = Example.stamp, recipe change: (inout Recipe) -> Void = { _ in },
        previous: PreviousWork?
    ) -> Stages {
        var recipe = Recipe()
        change(&recipe)
        return Stages.stale(stamp: stamp, recipe: recipe, previous: previous)
    }

    private let done = Example.previousWork(Example.doneEntry("a.wav"))

    @Test func nothingIsStaleWhereNothingChanged() {
        #expect(stale(previous: done) == [])
    }

    @Test func everythingIsStaleWhereTheSourceIsNewChangedOrFailed() {
        #expect(stale(previous: nil) == .all)
        let longer = FileStamp(bytes: 1_001, modifiedNanoseconds: 1)
        let later = FileStamp(bytes: 1_000, modifiedNanoseconds: 2)
        #expect(stale(stamp: longer, previous: done) == .all)
        #expect(stale(stamp: later, previous: done) == .all)
        var failed = done
        failed.entry.status = .failed
        #expect(stale(previous: failed) == .all)
        var unseen = done
        unseen.entry.source = nil
        #expect(stale(previous: unseen) == .all)
    }

    @Test func aPartOfTheRecipeMakesOnlyTheStagesStaleThatReadIt() {
        let table: [(change: (inout Recipe) -> Void, stages: Stages)] = [
            ({ $0.waveform.samplesPerPixel = [512] }, .waveform),
            ({ $0.waveform.bits = 16 }, .waveform),
            ({ $0.waveform.format = .json }, .waveform),
            ({ $0.waveform.splitChannels = true }, .waveform),
            ({ $0.silence.method += 1 }, [.silence, .trim]),
            ({ $0.silence.minimumSeconds = 1 }, [.silence, .trim]),
            ({ $0.trim.mode = .gaps }, .trim),
            ({ $0.trim.keepSilenceSeconds = 0 }, .trim),
            ({ $0.trim.longestGapSeconds = 3 }, .trim),
            ({ $0.trim.fadeMilliseconds = 0 }, .trim),
            ({ $0.trim.format = .wav }, .trim),
        ]
        for (index, row) in table.enumerated() {
            #expect(stale(recipe: row.change, previous: done) == row.stages, "row \(index)")
        }
    }

    @Test func damagedOutputsAreMadeAnewAlongWithWhatTheRecipeChanged() {
        var damaged = done
        damaged.damaged = .trim
        #expect(stale(previous: damaged) == .trim)
        #expect(
            stale(recipe: { $0.waveform.bits = 16 }, previous: damaged) == [.waveform, .trim])
    }
}
