import Jobs
import Recordings
import TestSupport
import Testing

@Suite struct BenchComparisonTests {
    private let before = Example.benchReport()

    @Test func comparesSpeedsOnTheSameMachineWithTheSameRecordings() {
        var now = before
        now.version = "0.2.0"
        now.stages[0].hoursPerMinute = Example.spread(110, 120, 130)
        now.runs[1].hoursPerMinute = Example.spread(3.0, 3.9)
        let comparison = BenchComparison(of: now, with: before)
        #expect(comparison.differences == [.version])
        #expect(comparison.measure == .hoursPerMinute)
        #expect(comparison.stages[0]?.before == 80)
        #expect(comparison.stages[0]?.ratio == 1.5)
        #expect(comparison.stages[0]?.isBeyondSpread == true)
        #expect(comparison.stages[1]?.ratio == 1)
        #expect(comparison.stages[1]?.isBeyondSpread == false)
        #expect(comparison.runs[1]?.isBeyondSpread == false)
    }

    @Test(arguments: BenchComparison.Difference.allCases)
    func saysWhatIsNotAsItWasAndComparesOnlyWhatStillCanBe(
        difference: BenchComparison.Difference
    ) {
        var now = before
        switch difference {
        case .machine: now.machine.cores += 1
        case .version: now.version = "0.2.0"
        case .recordings: now.sound.digest = "other"
        }
        now.stages[1].ratioToDecoding = Example.spread(12)
        now.runs[1].factor = Example.spread(1.2)
        let comparison = BenchComparison(of: now, with: before)
        #expect(comparison.differences == [difference])
        guard difference != .version else { return }
        #expect(comparison.measure == .ratio)
        #expect(comparison.stages[1]?.before == 8)
        #expect(comparison.stages[1]?.ratio == 1.5)
        #expect(comparison.runs[1]?.before == 1.8)
        #expect(comparison.runs[1]?.isBeyondSpread == true)
    }

    @Test func aBuildForDebuggingIsAnotherMachine() {
        var now = before
        now.machine.isOptimized.toggle()
        #expect(BenchComparison(of: now, with: before).differences == [.machine])
    }

    @Test func saysNothingOfWhatTheBaselineHasNot() {
        var now = before
        now.stages[1].encoding = .pcm24
        now.runs[1].jobs = 16
        let comparison = BenchComparison(of: now, with: before)
        #expect(comparison.stages[0] != nil && comparison.stages[1] == nil)
        #expect(comparison.runs[0] != nil && comparison.runs[1] == nil)
    }

    @Test func comparesNoFactorsAgainstOtherNumbersOfWorkers() {
        var now = before
        now.runs.removeFirst()
        #expect(BenchComparison(of: now, with: before).runs[0]?.before == 3.78)
        now.machine.cores = 8
        #expect(BenchComparison(of: now, with: before).runs == [nil])
    }
}
