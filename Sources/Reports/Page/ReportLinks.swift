import Exports
import Recordings

/// How the page of a folder reaches its recordings.
package struct ReportLinks: Sendable {
    /// From the page to the folder of its recordings, with a slash at the end.
    private let recordings: String
    /// Whether a server answers, which decodes what browsers do not play.
    let isServed: Bool

    /// - Parameters:
    ///   - folder: the page's, relative to the output.
    ///   - way: from the output to the root of the recordings.
    package init(of folder: Pathname, way: Pathname, isServed: Bool = false) {
        self.isServed = isServed
        let up = Pathname(folder.components.map { _ in "../" }.joined())
        let place = up.appending(way).appending(folder)
        recordings = ExportValue.reference(place) + "/"
    }

    func recording(_ name: Pathname) -> String { recordings + ExportValue.reference(name) }
}
