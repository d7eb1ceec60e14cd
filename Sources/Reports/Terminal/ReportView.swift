import Recordings

/// The output of `tapedeck report` as text.
package enum ReportView {
    /// While recordings are decoded.
    package static func progress(_ count: Int) -> String {
        "\(CountText.words(count, "recording")) decoded for the pages"
    }

    /// - Parameter page: the first page.
    package static func line(_ report: ExportReport, page: Pathname) -> String {
        let written =
            report.written == 0
            ? "up to date" : "\(CountText.words(report.written, "file")) written"
        return "\(page.displayText): \(written)"
    }
}
