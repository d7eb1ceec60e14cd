import Jobs
import Recordings

/// What `tapedeck bench` says.
package struct BenchView {
    private let report: BenchReport

    package init(_ report: BenchReport) {
        self.report = report
    }

    /// Lines of text without line ends.
    package var lines: [String] {
        sound + [repeats, ""] + stages + [""] + runs + [
            "",
            "Each stage with the decoding it needs, by one worker; of decoding: CPU time.",
            "A whole run is a process of its own, and ends with all results on the disk.",
            "Its memory is the most that it had in any repeat.",
        ]
    }

    /// That a round has begun.
    package static func line(round: Int, of count: Int) -> String {
        "measuring, \(round) of \(count)"
    }

    private var sound: [String] {
        let sound = report.sound
        let left = sound.found - sound.recordings
        let share =
            left > 0
            ? "\(CountText.grouped(sound.recordings)) of"
                + " \(CountText.words(sound.found, "recording"))"
            : CountText.words(sound.recordings, "recording")
        var lines = [
            "\(share) in \(sound.path.displayText): \(DurationText.words(sound.seconds)) of sound"
        ]
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
        "all were read once before; then each figure was taken"
            + (report.repeats == 1 ? " once" : " \(report.repeats) times")
    }
}

// MARK: - Tables

extension BenchView {
    private var stages: [String] {
        var table = TextTable()
        table.add(
            ["hours of sound a minute", "median", "lowest", "highest", "of decoding"])
        var last: BenchLine?
        for line in report.stages {
            if last.map({ ($0.container, $0.encoding) != (line.container, line.encoding) }) ?? true
            {
                table.add([name(of: line)])
            }
            last = line
            table.add(
                ["  \(words(line.stage))\(count(of: line))"] + cells(line.hoursPerMinute)
                    + [BenchView.number(line.ratioToDecoding.median)])
        }
        return table.lines
    }

    private var runs: [String] {
        var table = TextTable()
        let first = report.runs.first?.jobs ?? 1
        table.add(["whole runs", "median", "lowest", "highest", "against \(first)", "memory"])
        for run in report.runs {
            table.add(
                ["  \(CountText.words(run.jobs, "worker"))"] + cells(run.hoursPerMinute)
                    + [
                        BenchView.number(run.factor.median),
                        "\((run.peakBytes + 500_000) / 1_000_000) MB",
                    ])
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

    private func cells(_ spread: MedianAndRange) -> [String] {
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
