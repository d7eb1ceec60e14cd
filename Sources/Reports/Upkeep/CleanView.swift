import Recordings

/// The output of `tapedeck clean`.
package enum CleanView {
    /// A recording that is gone, and what was made of it.
    package static func line(_ path: Pathname, files: Int, bytes: Int64) -> String {
        "\(path.displayText): \(CountText.words(files, "file")), \(CountText.grouped(Int(bytes)))"
            + " bytes"
    }

    package static func listed(_ count: Int) -> String {
        count == 0
            ? "nothing to delete"
            : "results of \(CountText.words(count, "recording")) would be deleted; --delete does so"
    }

    package static func removed(_ count: Int) -> String {
        "results of \(CountText.words(count, "recording")) deleted"
    }

    package static func spared(_ path: Pathname) -> String {
        "in the output, \(path.displayText) is kept although its recording is gone: it was modified,"
            + " or is another file; rename or delete it"
    }
}
