import Recordings

/// What has become of the speeds since a baseline was taken.
package struct BenchComparison: Hashable, Codable, Sendable {
    /// What is not as it was.
    package enum Difference: String, Hashable, Codable, Sendable, CaseIterable {
        case machine, version, recordings
    }

    /// The figures that can be compared.
    package enum Measure: String, Hashable, Codable, Sendable {
        /// The same machine did the same: more is better.
        case hoursPerMinute
        /// Something else was done, or elsewhere: only what is put in relation. Less is better of
        /// stages; of runs it is the factor by which more workers are faster, and more is better.
        case ratio
    }

    /// One figure, then and now.
    package struct Change: Hashable, Codable, Sendable {
        package var before: Double
        /// Now over before.
        package var ratio: Double
        /// Whether all repeats now lie beyond all those before, so that it is more than chance.
        package var isBeyondSpread: Bool

        init(from before: Spread, to now: Spread) {
            self.before = before.median
            ratio = before.median > 0 ? now.median / before.median : 0
            isBeyondSpread = !now.overlaps(before)
        }
    }

    package var differences: [Difference]
    package var measure: Measure
    /// One for each of the report's, `nil` for what the baseline has not.
    package var stages: [Change?]
    package var runs: [Change?]

    package init(of now: BenchReport, with before: BenchReport) {
        var differences: [Difference] = []
        if now.machine != before.machine { differences.append(.machine) }
        if now.version != before.version { differences.append(.version) }
        if now.sound.digest != before.sound.digest { differences.append(.recordings) }
        self.differences = differences
        // Another version on the same machine is what a baseline is for.
        let isAlike = differences.allSatisfy { $0 == .version }
        measure = isAlike ? .hoursPerMinute : .ratio
        stages = now.stages.map { line in
            let old = before.stages.first {
                ($0.container, $0.encoding, $0.stage)
                    == (line.container, line.encoding, line.stage)
            }
            return old.map {
                isAlike
                    ? Change(from: $0.hoursPerMinute, to: line.hoursPerMinute)
                    : Change(from: $0.ratioToDecoding, to: line.ratioToDecoding)
            }
        }
        // A factor says something only beside that of the same number of workers.
        let isSameFactor = now.runs.first?.jobs == before.runs.first?.jobs
        runs = now.runs.map { run in
            guard let old = before.runs.first(where: { $0.jobs == run.jobs }) else { return nil }
            if isAlike { return Change(from: old.hoursPerMinute, to: run.hoursPerMinute) }
            return isSameFactor ? Change(from: old.factor, to: run.factor) : nil
        }
    }
}
