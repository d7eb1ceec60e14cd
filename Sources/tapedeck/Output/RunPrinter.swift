import Jobs
import Recordings
import Reports
import Workers

/// Prints a run's events: as text for people, or as NDJSON for programs.
struct RunPrinter: Sendable {
    let painter: TerminalPainter
    let places: RunPlaces
    let record: OutputRecord
    let options: WorkOptions
    let isDryRun: Bool
    /// Whether text output reports all outcomes as they happen, not only failures.
    let tellsEvents: Bool
    /// Whether it was said in numbers what a change of settings does.
    private var hasToldChange = false
    private let repeated = RepeatedFailures()
    /// Whether the run makes pages.
    var hasPages = false
    /// Whether the run begins anew if its record is damaged, so that its end is no news then.
    var beginsAnew = false

    init(
        painter: TerminalPainter, places: RunPlaces, record: OutputRecord, options: WorkOptions,
        isDryRun: Bool, tellsEvents: Bool
    ) {
        self.painter = painter
        self.places = places
        self.record = record
        self.options = options
        self.isDryRun = isDryRun
        self.tellsEvents = tellsEvents
    }

    /// Called for each announcement, in order.
    func announce(_ announcement: Announcement) {
        if beginsAnew, case .stopped(let failure) = announcement, failure.reason == .damagedRecord {
            return
        }
        if case .settingsChanged = announcement, hasToldChange { return }
        let root = places.shownRoot
        if let line = FailureText.line(for: announcement, below: root),
            tellsEvents || repeated.isFirst(line, for: announcement, below: root)
        {
            let tone = FailureText.tone(of: announcement)
            painter.print("tapedeck: \(line)", to: .error, tone)
        }
        let line =
            options.json
            ? event(announcement)
            : words(for: announcement)
        if let line { painter.print(line, to: .output) }
    }

    /// An event as JSON.
    func event(_ announcement: Announcement) -> String {
        EventLine.text(for: announcement) { try? record.entry($0) }
    }

    /// Called before the first announcement if a damaged record was made anew from manifests.
    func announceRebuilt(setAside aside: Pathname) {
        let record = RunPlaces.shown(places.catalogue).appending(aside)
        painter.print("tapedeck: \(FailureText.damagedRecord(setAside: record))", to: .error)
        if options.json { painter.print(EventLine.recordRebuilt(setAside: aside), to: .output) }
    }

    /// Called before the first announcement with the settings of the run.
    /// - Parameter results: what a change does; `nil` if nothing changes, or there are no results.
    mutating func announce(
        _ change: SettingsChange, _ file: RunSettingsFile, _ results: ChangedResults?
    ) {
        hasToldChange = results != nil
        let remembered = SettingsText.remembered(change)
        let changes = results == nil ? [] : SettingsText.changes(change)
        guard file.path != nil || !(remembered.isEmpty && changes.isEmpty) else { return }
        if options.json {
            let line = EventLine.settings(file.path, remembered, changes, results)
            return painter.print(line, to: .output)
        }
        guard !options.quiet else { return }
        if let path = file.path {
            painter.print("tapedeck: using the settings in \(path.displayText)", to: .error)
        }
        for folder in file.settings.folders.keys.sorted()
        where !ResultTree.isFolder(places.root.appending(folder)) {
            let name = file.path?.displayText ?? ""
            painter.print(
                "tapedeck: \(name): there is no folder \(folder.displayText) yet", to: .error)
        }
        if !remembered.isEmpty {
            let line = SettingsText.line(ofRemembered: remembered)
            painter.print("tapedeck: \(line)", to: .error)
        }
        if let results {
            painter.print(SettingsText.line(ofChanges: changes, results), to: .output)
        }
    }

    /// Called if recordings are decoded apart, and the kernel has nothing to cage a process with.
    func announceUncaged() {
        painter.print("tapedeck: \(WarningText.uncaged)", to: .error)
    }

    /// Called once the pages of the output are served.
    func announce(_ serving: Serving) {
        if options.json { return painter.print(EventLine.serving(serving.url()), to: .output) }
        if !options.quiet { painter.print(serving.line(), to: .output) }
    }

    private func words(for announcement: Announcement) -> String? {
        let root = places.shownRoot
        switch announcement {
        // The explanation implies that the recording is planned.
        case .explained(let folder, let name, let reasons):
            return StalenessText.line(root.appending(folder), name, reasons)
        case _ where options.quiet: return nil
        case .planned(let folder, let name, let stages) where !options.explain:
            return SummaryView.plan(root.appending(folder), name, stages)
        case .missing(let folder, let name, pruned: true) where isDryRun:
            return SummaryView.pruning(root.appending(folder), name)
        case .settingsChanged(let reasons):
            return StalenessText.line(ofSettings: reasons, isDryRun: isDryRun)
        default: return tellsEvents ? WatchText.event(announcement, below: root) : nil
        }
    }

    /// Called once when watching, after the initial scan of all folders.
    func beginWatching(folders: Int) {
        if options.json {
            painter.print(EventLine.watching(folders: folders), to: .output)
        } else if tellsEvents, !options.quiet {
            painter.print(WatchText.beginning(folders: folders), to: .output)
        }
    }

    /// Called once, at the end of the run.
    func finish(_ summary: Summary, phase: JobStore.Phase, status: ExitStatus) {
        if beginsAnew, case .finished(.trouble(let failure)?) = phase,
            failure.reason == .damagedRecord
        {
            return
        }
        for line in repeated.lines { painter.print("tapedeck: \(line)", to: .error) }
        if options.json {
            let line = EventLine.summary(summary, status, output: places.output)
            StandardStream.output.write(line + "\n")
        } else if !options.quiet {
            let output = isDryRun ? nil : places.shownOutput.displayText
            let page = hasPages ? places.shownOutput.appending(ReportPage.page) : nil
            let lines = SummaryView.lines(
                summary, phase: phase, output: output, page: page?.displayText)
            let hasFailures = summary.failed + summary.stillFailed > 0
            for (index, line) in lines.enumerated() {
                painter.print(line, to: .output, index == 0 && hasFailures ? .failure : .plain)
            }
        }
    }
}
