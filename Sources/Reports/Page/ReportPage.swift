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

    /// What changes in a folder, from a server.
    package static let events: Pathname = "report-events"

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
        recording.adding(suffix: detailsSuffix)
    }

    package static let detailsSuffix = ".report.js"

    /// What asks a server for a recording as WAV.
    package static let asWAV = "wav"

    /// What a server draws of one recording, as its rows move.
    package static let drawingSuffix = ".report.json"

    /// Text of a script that hands a value to the page's.
    package static func script(_ function: String, _ json: String) -> String {
        "tapedeck.\(function)(\(json));\n"
    }

    /// - Parameters:
    ///   - folder: relative to the output.
    ///   - isLive: whether a server sends what changes.
    package static func html(of folder: Pathname, isLive: Bool = false) -> String {
        let top = folder.components.map { _ in "../" }.joined()
        let title = MarkupText.escaped(folder.isEmpty ? "Recordings" : folder.displayText)
        return """
            <!DOCTYPE html>
            <html lang="en" data-top="\(top)"\(isLive ? " data-events=\"\(events.text)\"" : "")>
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(policy)\(isLive ? livePolicy : "")">
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
    private static let livePolicy = "; connect-src 'self'"
}

/// A folder in the list of folders.
package struct ReportFolder: Encodable, Sendable {
    /// Relative to the output; empty for its top.
    var path: String
    /// Its page, from the top.
    var page: String
    package var recordings = 0
    package var seconds = 0.0
    package var failed = 0
    package var warned = 0
    package var silent = 0
    package var missing = 0

    package var isTop: Bool { path.isEmpty }

    package init(_ folder: Pathname) {
        path = folder.isEmpty ? "" : folder.displayText
        page = ExportValue.reference(folder.appending(ReportPage.page))
    }
}
