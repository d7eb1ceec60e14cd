import Exports
import Recordings

/// The pages of a report: one for each folder of an output, of the same few files.
///
/// They work from a folder and from any web server: every link is relative, nothing comes from
/// elsewhere, and a policy forbids all but what lies there. Names of recordings reach a page only
/// in the data of its script, which shows them as text.
package enum ReportPage {
    /// The page of a folder.
    package static let page: Pathname = "index.html"
    /// The recordings of a folder.
    package static let rows: Pathname = "report-rows.js"
    /// The folders of an output, at its top.
    package static let folders: Pathname = "report-folders.js"

    /// Names and bytes of the files that all pages share, at the top of an output.
    package static var shared: [(name: Pathname, bytes: [UInt8])] {
        [("report.css", PackageResources.report_css), ("report.js", PackageResources.report_js)]
    }

    /// Recordings that are drawn from one file.
    package static let rowsPerDrawing = 50

    /// What a page draws of some of a folder's recordings.
    package static func drawings(_ number: Int) -> Pathname { Pathname("report-\(number).js") }

    /// What a page draws of a recording when its row is opened.
    package static func details(of recording: Pathname) -> Pathname {
        recording.adding(suffix: ".report.js")
    }

    /// Text of a script that hands a value to the page's.
    package static func script(_ function: String, _ json: String) -> String {
        "tapedeck.\(function)(\(json));\n"
    }

    /// - Parameter folder: relative to the output.
    package static func html(of folder: Pathname) -> String {
        let top = folder.components.map { _ in "../" }.joined()
        let title = MarkupText.escaped(folder.isEmpty ? "Recordings" : folder.displayText)
        return """
            <!DOCTYPE html>
            <html lang="en" data-top="\(top)">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(policy)">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\(title) – Tapedeck</title>
            <link rel="stylesheet" href="\(top)report.css">
            </head>
            <body>
            <noscript>This page needs JavaScript. The same results are in manifest.json.</noscript>
            <script src="\(top)report.js"></script>
            <script src="\(top)\(folders.text)"></script>
            <script src="\(rows.text)"></script>
            </body>
            </html>

            """
    }

    private static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; media-src 'self';"
        + " img-src 'self'; base-uri 'none'; form-action 'none'"
}

/// A folder in the list of folders.
package struct ReportFolder: Encodable, Sendable {
    /// Relative to the output; empty for its top.
    var path: String
    /// Its page, from the top.
    var page: String
    var recordings = 0
    var seconds = 0.0
    var failed = 0
    var warned = 0
    var silent = 0
    var missing = 0

    package init(_ folder: Pathname) {
        path = folder.isEmpty ? "" : folder.displayText
        page = ExportValue.reference(folder.appending(ReportPage.page))
    }

    package mutating func count(_ row: ReportRow) {
        recordings += 1
        seconds = (seconds + (row.seconds ?? 0)).rounded(toDecimals: 3)
        switch row.state {
        case .failed: failed += 1
        case .missing: missing += 1
        case .done: warned += row.warned == true ? 1 : 0
        }
        if row.silent == true { silent += 1 }
    }
}
