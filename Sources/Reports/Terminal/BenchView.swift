import Jobs
import Recordings

/// The output of `tapedeck bench`.
package struct BenchView {
    private let report: BenchReport

    package init(_ report: BenchReport) {
        self.report = report
    }

    /// Lines of text without line ends.
    package var lines: [String] {
        sound + ["all was done once before; then each figure was taken \(repeats)", ""] + runs
            + [
                "",
                "A whole run is a process of its own, and ends with all results on the disk.",
                "Its memory is the most that it had in any repeat.",
            ]
    }

    /// The progress message at the start of a round.
    package static func line(round: Int, of count: Int) -> String {
        "measuring, \(round) of \(count)"
    }

    private var sound: [String] {
        let sound = report.sound
        let count = CountText.words(sound.recordings, "recording")
        var lines = [
            "\(count) in \(sound.path.displayText): \(DurationText.words(sound.seconds)) of sound,"
                + " \(BenchView.number(Double(sound.bytes) / 1e6)) MB"
        ]
        if sound.failed > 0 {
            lines.append("not counted: \(CountText.words(sound.failed, "recording")) that failed")
        }
        return lines
    }

    private var repeats: String { report.repeats == 1 ? "once" : "\(report.repeats) times" }

    private var runs: [String] {
        var table = TextTable()
        table.add(["whole runs", "median", "lowest", "highest"])
        for run in report.runs {
            let megabytes = (run.peakBytes + 500_000) / 1_000_000
            table.add(["\(CountText.words(run.jobs, "worker")), \(megabytes) MB of memory"])
            table.add(["  seconds"] + cells(run.seconds))
            table.add(["  hours of sound a minute"] + cells(run.hoursPerMinute))
            table.add(["  MB a second"] + cells(run.megabytesPerSecond))
        }
        return table.lines
    }

    private func cells(_ spread: MedianAndRange) -> [String] {
        [spread.median, spread.lowest, spread.highest].map(BenchView.number)
    }

    /// The number with three significant digits.
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
