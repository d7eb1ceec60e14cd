import Jobs
import Recordings
import Reports

/// `tapedeck report`: makes the pages of an output, which later runs keep up to date.
package struct ReportSession {
    /// What it came to.
    package struct Outcome: Sendable {
        package var report: ExportReport
        /// The first page, as the user would write its path.
        package var page: Pathname
    }

    private let tree: ResultTree
    private let root: Pathname

    package init(_ tree: ResultTree) throws(RunRefusal) {
        self.tree = tree
        root = try tree.root()
    }

    /// Writes what is not up to date; no run may work in the output meanwhile.
    /// - Parameters:
    ///   - makesDetails: whether recordings are decoded for what is missing of their details.
    ///   - tell: called with each recording that was decoded, on several threads.
    package func run(
        makesDetails: Bool, tell: @escaping @Sendable () -> Void
    ) throws(RunRefusal) -> Outcome {
        let places = RunPlaces(
            root: root, output: tree.output, targets: [.folder(.empty)])
        let folder = try OutputFolder(tree.output, root: root)
        let record = folder.record
        var settings = try record.settings(of: places)
        settings.remember { $0.report = true }
        Isolation.follow(settings.usual)
        try record.set(settings, of: places)
        var refresh = ExportRefresh(
            choice: settings.usual.exportChoice, places: places,
            ownership: OutputOwnership(places, record), record: record,
            cancellation: Cancellation())
        if makesDetails {
            refresh.details = ReportDetailsMaker(
                root: root, rules: settings.usual.rules, tell: tell)
        }
        let report = refresh.run()
        _ = folder.closeRecord()
        folder.release()
        let page = tree.shownOutput.appending(tree.folder).appending(ReportPage.page)
        return Outcome(report: report, page: page)
    }
}
