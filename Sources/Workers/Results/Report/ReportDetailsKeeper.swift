import Exports
import Jobs
import Recordings
import Reports
import Synchronization

/// Takes the details of recordings while a run listens to them, so that each is decoded once.
///
/// They are files of the report, which has no page for them yet: without one, they go when the
/// report is written next. What cannot be written is made by the next `tapedeck report`.
final class ReportDetailsKeeper: Sendable {
    /// What the names of recordings become those of their details by.
    static let suffix = ReportPage.detailsSuffix

    private let kept: Mutex<KeptExports>

    /// `nil` if the run makes no report.
    init?(
        _ choice: ExportChoice?, in output: Pathname, _ ownership: OutputOwnership,
        _ record: OutputRecord
    ) {
        guard choice?.formats.contains(ReportRun.format) == true else { return nil }
        kept = Mutex(
            KeptExports(ReportRun.format, in: output, ownership, record, isWhole: false))
    }

    func take(_ picture: HeardPicture, of source: RecordingSource, _ recipe: SilenceRecipe) {
        let order = ReportDetailsMaker.Order(
            recording: source.folder.appending(source.name), source: source.stamp, recipe: recipe)
        let text = order.text(
            ReportDetails(
                peaks: picture.peaks, spectrogram: picture.spectrogram, trace: picture.trace,
                base64: JSONLine.base64))
        let path = source.folder.appending(ReportPage.details(of: source.name))
        kept.withLock { kept in
            do throws(ExportRefusal) { try kept.write(text, at: path) } catch {}
        }
    }

    /// Gives the last files their names.
    func publish() {
        kept.withLock { kept in
            do throws(ExportRefusal) { try kept.publish() } catch {}
        }
    }
}
