import Foundation
import TestSupport

/// Runs simulated worlds for longer than a test may take.
///
///     simulate --seeds 1000000 [--from 0] [--watched]
///     simulate --seed 123 [--watched]
///     simulate --mutants
///
/// Each seed is two worlds: one that is worked on in runs that end by themselves, and one that
/// changes while it is watched; `--watched` is for the second alone.
///
/// The last plants bugs and says which seed finds each.
///
/// Exit status: 1 where a seed fails, whose trace is then printed; 64 for wrong usage.
@main enum Simulate {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        if let seed = number(after: "--seed", in: arguments) {
            exit(run(seed, isWatched: arguments.contains("--watched"), isTracing: true) ? 0 : 1)
        }
        if arguments.contains("--mutants") { exit(plantMutants() ? 0 : 1) }
        guard let count = number(after: "--seeds", in: arguments) else {
            tell("usage: simulate (--seeds COUNT [--from SEED] | --seed SEED) [--watched]")
            exit(64)
        }
        let kinds = arguments.contains("--watched") ? [true] : [false, true]
        let first = number(after: "--from", in: arguments) ?? 0
        let start = ContinuousClock.now
        for seed in first..<(first + count) {
            for isWatched in kinds {
                guard run(seed, isWatched: isWatched, isTracing: false) else { exit(1) }
            }
            let done = seed - first + 1
            if done % 10_000 == 0 { tell("\(done) of \(count) seeds") }
        }
        print("\(count) seeds from \(first), nothing wrong, \(ContinuousClock.now - start)")
    }

    /// Whether all went well.
    private static func run(_ seed: UInt64, isWatched: Bool, isTracing: Bool) -> Bool {
        var world = SimulatedWorld(seed: seed, isWatched: isWatched, isTracing: isTracing)
        do throws(SimulatedWorld.Failure) {
            try world.run()
            if isTracing { print(world.trace) }
            return true
        } catch {
            print(isWatched ? "watched, \(error)" : "\(error)")
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
