import Dispatch
import Jobs
import Recordings
import Reports
import Synchronization

/// Decodes recordings for what an open row of a page draws: spectrogram, floor and score.
struct ReportDetailsMaker: Sendable {
    /// A recording whose details are wanted.
    struct Order: Sendable {
        /// Relative to the root.
        var recording: Pathname
        /// Its file as it was when it was processed.
        var source: FileStamp
        var recipe: SilenceRecipe

        /// The first line of the text that is made, which says of what.
        var mark: String {
            let made = JSONLine.text(recipe)
            let digest = SHA256.hexadecimal(
                of: Array("\(Order.version) \(source) \(made)".utf8))
            return "// \(digest)\n"
        }

        /// Increased when details change.
        private static let version = 1

        func text(_ details: ReportDetails) -> [UInt8] {
            Array((mark + ReportPage.script("details", JSONLine.text(details))).utf8)
        }
    }

    let root: Pathname
    let rules: InputRules
    /// Called with each recording that was decoded.
    let tell: @Sendable () -> Void

    /// Number of recordings whose texts are held at once.
    private static let groupSize = 16

    /// Lends the texts that could be made, by the index of their order; recordings that have
    /// changed or cannot be decoded any more have none.
    func make(
        _ orders: [Order], _ body: (Int, [UInt8]) throws(ExportRefusal) -> Void
    ) throws(ExportRefusal) {
        for first in stride(from: 0, to: orders.count, by: ReportDetailsMaker.groupSize) {
            let group = first..<min(first + ReportDetailsMaker.groupSize, orders.count)
            let texts = Mutex<[Int: [UInt8]]>([:])
            DispatchQueue.concurrentPerform(iterations: group.count) { number in
                let order = orders[first + number]
                let text = order.text(of: root.appending(order.recording), rules)
                tell()
                if let text { texts.withLock { $0[first + number] = text } }
            }
            for (index, text) in texts.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
                try body(index, text)
            }
        }
    }
}

extension ReportDetailsMaker.Order {
    /// The text, by decoding the recording; `nil` if it has changed or cannot be decoded.
    /// - Parameter path: of its file.
    func text(of path: Pathname, _ rules: InputRules) -> [UInt8]? {
        guard let status = try? FileSystem.status(path), status.stamp == source else { return nil }
        var pass = InspectionPass(path, recipe: recipe, isForPicture: true)
        pass.rules = rules
        pass.name = recording.lastComponent
        guard let inspection = try? pass.run(), inspection.source == source else { return nil }
        return text(
            ReportDetails(
                peaks: inspection.peaks, spectrogram: inspection.spectrogram,
                trace: inspection.trace, base64: JSONLine.base64))
    }
}
