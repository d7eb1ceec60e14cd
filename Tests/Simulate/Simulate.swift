import Foundation
import TestSupport

/// Runs simulated worlds for longer than a test may take.
///
///     simulate --seeds 1000000 [--from 0]
///     simulate --seed 123
///     simulate --mutants
///
/// The last plants bugs and says which seed finds each.
///
/// Exit status: 1 where a seed fails, whose trace is then printed; 64 for wrong usage.
@main enum Simulate {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        if let seed = number(after: "--seed", in: arguments) {
            var events: [SimulatedEvent: Int] = [:]
            exit(run(seed, isTracing: true, &events) ? 0 : 1)
        }
        if arguments.contains("--mutants") { exit(plantMutants() ? 0 : 1) }
        guard let count = number(after: "--seeds", in: arguments) else {
            tell("usage: simulate --seeds COUNT [--from SEED] | --seed SEED")
            exit(64)
        }
        let first = number(after: "--from", in: arguments) ?? 0
        var events: [SimulatedEvent: Int] = [:]
        let start = ContinuousClock.now
        for seed in first..<(first + count) {
            guard run(seed, isTracing: false, &events) else { exit(1) }
            let done = seed - first + 1
            if done % 10_000 == 0 { tell("\(done) of \(count) seeds") }
        }
        for event in SimulatedEvent.allCases { print("\(event): \(events[event, default: 0])") }
        print("\(count) seeds from \(first), nothing wrong, \(ContinuousClock.now - start)")
    }

    /// Whether all went well.
    private static func run(
        _ seed: UInt64, isTracing: Bool, _ events: inout [SimulatedEvent: Int]
    ) -> Bool {
        var world = SimulatedWorld(seed: seed, isTracing: isTracing)
        do throws(SimulatedWorld.Failure) {
            try world.run()
            events.merge(world.events, uniquingKeysWith: +)
            if isTracing { print(world.trace) }
            return true
        } catch {
            print(error)
            return false
        }
    }

    /// Whether all are found.
    private static func plantMutants() -> Bool {
        var isComplete = true
        for mutant in Mutant.allCases {
            if let failure = mutant.firstFailure(in: 0..<100_000) {
                print("\(mutant): seed \(failure.seed): \(failure.sentence)")
            } else {
                print("\(mutant): not found")
                isComplete = false
            }
        }
        return isComplete
    }

    private static func number(after option: String, in arguments: ArraySlice<String>) -> UInt64? {
        guard let place = arguments.firstIndex(of: option), place + 1 < arguments.endIndex else {
            return nil
        }
        return UInt64(arguments[place + 1])
    }

    private static func tell(_ line: String) {
        FileHandle.standardError.write(Data("\(line)\n".utf8))
    }
}
