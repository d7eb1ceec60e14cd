import Jobs
import Recordings
import TerminalView
import Workers

/// Tells of a run in one way of speaking.
protocol RunPrinter: Sendable {
    /// Called as things happen, in their order.
    func announce(_ announcement: Announcement)
    /// Called once, at the end.
    func finish(_ summary: Summary, phase: JobStore.Phase, status: ExitStatus, places: RunPlaces)
}

extension RunPrinter {
    /// One line on standard error for each failure, whoever prints.
    func tellFailure(_ announcement: Announcement, through painter: TerminalPainter) {
        guard let line = FailureText.line(for: announcement) else { return }
        painter.print("tapedeck: \(line)", to: .error)
    }
}

/// For people.
struct TextPrinter: RunPrinter {
    let painter: TerminalPainter
    let quiet: Bool
    let isDryRun: Bool

    func announce(_ announcement: Announcement) {
        tellFailure(announcement, through: painter)
        if case .planned(let folder, let name, let stages) = announcement, !quiet {
            painter.print(SummaryView.plan(folder, name, stages), to: .output)
        }
    }

    func finish(_ summary: Summary, phase: JobStore.Phase, status: ExitStatus, places: RunPlaces) {
        guard !quiet else { return }
        let output = isDryRun ? nil : places.shownOutput.displayText
        let lines = SummaryView.lines(summary, phase: phase, output: output)
        StandardStream.output.write(lines.joined(separator: "\n") + "\n")
    }
}
