import Jobs
import Recordings

/// What `tapedeck bench` says.
package struct BenchView {
    private let report: BenchReport
    private let comparison: BenchComparison?
    private let baseline: Pathname?
    /// How often each figure was to be taken.
    private let asked: Int

    /// - Parameters:
    ///   - asked: how often each figure was to be taken.
    ///   - comparison: with what was measured before, and in which file that is.
    package init(
        _ report: BenchReport, asked: Int, comparison: BenchComparison? = nil,
        with baseline: Pathname? = nil
    ) {
        self.report = report
        self.asked = asked
        self.comparison = comparison
        self.baseline = baseline
    }

    /// Lines of text without line ends.
    package var lines: [String] {
        [machine] + warnings + sound + [repeats] + heading + [""] + stages + [""] + runs
            + remarks
    }

    private var machine: String {
        let machine = report.machine
        return "tapedeck \(report.version) on \(machine.processor),"
            + " \(CountText.words(machine.cores, "core")), \(machine.system)"
    }

    private var warnings: [String] {
        report.machine.isOptimized
            ? []
            : [
                "this command was built for debugging and is many times slower than for release"
            ]
    }

    private var sound: [String] {
        let sound = report.sound
        let length = DurationText.words(sound.seconds)
        guard let path = sound.path else {
            return [
                "\(CountText.words(sound.recordings, "recording")) made for it, like a voice with"
                    + " pauses: \(length) of sound"
            ]
        }
        let left = sound.found - sound.recordings
        let share =
            left > 0
            ? "\(CountText.grouped(sound.recordings)) of"
                + " \(CountText.words(sound.found, "recording"))"
            : CountText.words(sound.recordings, "recording")
        var lines = ["\(share) in \(path.displayText): \(length) of sound"]
        if left > sound.undecodable {
            lines.append("chosen evenly from the list of all, the same ones each time")
        }
        if sound.undecodable > 0 {
            let verb = sound.undecodable == 1 ? "is" : "are"
            lines.append(
                "\(CountText.grouped(sound.undecodable)) that could not be decoded \(verb) left out"
            )
        }
        return lines
    }

    private var repeats: String {
        let times = "all were read once before; then each figure was taken"
        if report.repeats == asked { return "\(times) \(asked == 1 ? "once" : "\(asked) times")" }
        return "\(times) \(report.repeats == 1 ? "once" : "\(report.repeats) times"), and not"
            + " \(asked): the time was up"
    }
}

// MARK: - Tables

extension BenchView {
    private var stages: [String] {
        var table = TextTable()
        table.add(
            ["hours of sound a minute", "median", "lowest", "highest", "of decoding"]
                + changeTitles(.ratio))
        var last: BenchLine?
        for (index, line) in report.stages.enumerated() {
            if last.map({ ($0.container, $0.encoding) != (line.container, line.encoding) }) ?? true
            {
                table.add([name(of: line)])
            }
            last = line
            table.add(
                ["  \(words(line.stage))\(count(of: line))"] + cells(line.hoursPerMinute)
                    + [BenchView.number(line.ratioToDecoding.median)]
                    + changeCells(comparison?.stages[index]))
        }
        return table.lines
    }

    private var runs: [String] {
        var table = TextTable()
        let first = report.runs.first?.jobs ?? 1
        table.add(
            [
                "whole runs", "median", "lowest", "highest", "against \(first)", "memory",
            ] + changeTitles(.ratio))
        for (index, run) in report.runs.enumerated() {
            table.add(
                ["  \(CountText.words(run.jobs, "worker"))"] + cells(run.hoursPerMinute)
                    + [
                        BenchView.number(run.factor.median),
                        "\((run.peakBytes + 500_000) / 1_000_000) MB",
                    ] + changeCells(comparison?.runs[index]))
        }
        return table.lines
    }

    private func name(of line: BenchLine) -> String {
        let (container, encoding) = (line.container.rawValue, line.encoding.rawValue)
        let format = container == encoding ? container : "\(container) \(encoding)"
        return "\(format): \(CountText.words(line.recordings, "recording")),"
            + " \(DurationText.words(line.soundSeconds))"
    }

    /// Where not all recordings of the format have a part in it.
    private func count(of line: BenchLine) -> String {
        let all = report.stages.first {
            ($0.container, $0.encoding, $0.stage) == (line.container, line.encoding, .decode)
        }
        return all?.recordings == line.recordings ? "" : " of \(CountText.grouped(line.recordings))"
    }

    private func words(_ stage: BenchStage) -> String {
        switch stage {
        case .decode: "decoding alone"
        case .waveform: "waveform"
        case .levels: "levels"
        case .silence: "silence"
        case .listen: "these three at once"
        case .trim: "trimmed copy"
        }
    }

    private func cells(_ spread: Spread) -> [String] {
        [spread.median, spread.lowest, spread.highest].map(BenchView.number)
    }

    /// With three digits that count.
    static func number(_ number: Double) -> String {
        let decimals = number < 9.995 ? 2 : number < 99.95 ? 1 : 0
        let scale = decimals == 2 ? 100.0 : decimals == 1 ? 10 : 1
        let parts = Int((abs(number) * scale).rounded()).quotientAndRemainder(
            dividingBy: Int(scale))
        guard decimals > 0 else { return CountText.grouped(parts.quotient) }
        let digits = String(String(Int(scale) + parts.remainder).dropFirst())
        return "\(parts.quotient).\(digits)"
    }
}

// MARK: - Comparison

extension BenchView {
    /// With what it is compared, and how.
    private var heading: [String] {
        guard let comparison, let baseline else { return [] }
        let others = comparison.differences.map { difference in
            switch difference {
            case .machine: "another machine"
            case .version: "another version"
            case .recordings: "other recordings"
            }
        }
        let name = "compared with \(baseline.displayText)"
        let what = others.isEmpty ? name : "\(name), which is of \(others.joined(separator: ", "))"
        guard comparison.measure == .ratio else { return [what] }
        return [
            what,
            "so hours of sound do not compare: what was before is said of decoding, and of the factor",
        ]
    }

    private func changeTitles(_ measure: BenchComparison.Measure) -> [String] {
        comparison == nil ? [] : ["before", "change"]
    }

    private func changeCells(_ change: BenchComparison.Change??) -> [String] {
        guard comparison != nil else { return [] }
        guard let change = change ?? nil else { return ["-", "-"] }
        let mark = change.isBeyondSpread ? "*" : ""
        return [BenchView.number(change.before), "×\(BenchView.number(change.ratio))\(mark)"]
    }

    private var remarks: [String] {
        var lines = [
            "",
            "Each stage with the decoding it needs, by one worker; of decoding: CPU time.",
            "A whole run is a process of its own, and ends with all results on the disk.",
            "Its memory is the most that it had in any repeat.",
        ]
        if let comparison {
            let better = comparison.measure == .hoursPerMinute ? "more is faster" : "less is faster"
            lines.append(
                "Change: now over before, \(better)"
                    + (comparison.measure == .ratio ? " (of whole runs, more)" : "")
                    + "; * where all repeats lie beyond those before.")
        }
        return lines
    }
}

// MARK: - Progress

extension BenchView {
    /// What it is at, in a line.
    package static func line(_ phase: BenchPhase) -> String {
        switch phase {
        case .making: "making recordings to measure on"
        case .warmingUp(let count): "reading \(CountText.words(count, "recording"))"
        case .round(let number, let count): "measuring, \(number) of \(count)"
        }
    }
}
