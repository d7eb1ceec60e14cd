import Jobs
import Recordings
import Reports
import Workers

/// Tells of a run in one way of speaking.
protocol RunPrinter: Sendable {
    /// Called as things happen, in their order.
    func announce(_ announcement: Announcement)
    /// Called once in a run that goes on, when all folders were looked at for the first time.
    func beginWatching(folders: Int)
    /// Called once, at the end.
    func finish(_ summary: Summary, phase: JobStore.Phase, status: ExitStatus)
}

extension RunPrinter {
    /// One line on standard error for each failure, whoever prints.
    func tellFailure(
        _ announcement: Announcement, below root: Pathname, through painter: TerminalPainter
    ) {
        guard let line = FailureText.line(for: announcement, below: root) else { return }
        painter.print("tapedeck: \(line)", to: .error)
    }
}

/// For people.
struct TextPrinter: RunPrinter {
    let painter: TerminalPainter
    let places: RunPlaces
    let quiet: Bool
    let isDryRun: Bool
    /// Why a recording is to be done says that it is.
    let explains: Bool
    /// What becomes of recordings is told as it happens, not only what fails.
    let tellsEvents: Bool

    func announce(_ announcement: Announcement) {
        tellFailure(announcement, below: places.shownRoot, through: painter)
        switch announcement {
        case .planned(let folder, let name, let stages) where !quiet && !explains:
            let place = places.shownRoot.appending(folder)
            painter.print(SummaryView.plan(place, name, stages), to: .output)
        case .missing(let folder, let name, pruned: true) where isDryRun && !quiet:
            let place = places.shownRoot.appending(folder)
            painter.print(SummaryView.pruning(place, name), to: .output)
        case .explained(let folder, let name, let reasons):
            let place = places.shownRoot.appending(folder)
            painter.print(StalenessText.line(place, name, reasons), to: .output)
        case .settingsChanged(let reasons) where !quiet:
            let line = StalenessText.line(ofSettings: reasons, isDryRun: isDryRun)
            painter.print(line, to: .output)
        default:
            guard tellsEvents, !quiet,
                let line = WatchText.event(announcement, below: places.shownRoot)
            else { return }
            painter.print(line, to: .output)
        }
    }

    func beginWatching(folders: Int) {
        guard tellsEvents, !quiet else { return }
        painter.print(WatchText.beginning(folders: folders), to: .output)
    }

    func finish(_ summary: Summary, phase: JobStore.Phase, status: ExitStatus) {
        guard !quiet else { return }
        let output = isDryRun ? nil : places.shownOutput.displayText
        let lines = SummaryView.lines(summary, phase: phase, output: output)
        StandardStream.output.write(lines.joined(separator: "\n") + "\n")
    }
}
