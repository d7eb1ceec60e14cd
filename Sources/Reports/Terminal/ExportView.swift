import Exports
import Jobs
import Recordings

/// The output of `tapedeck export` as text.
package enum ExportView {
    /// "3 recordings, 12 segments".
    package static func counts(recordings: Int, stretches: Int, _ subject: ExportSubject) -> String
    {
        let all = CountText.words(recordings, "recording")
        switch subject {
        case .segments: return all + ", " + CountText.words(stretches, "segment")
        case .silences: return all + ", " + CountText.words(stretches, "silence")
        case .edits: return all + ", " + CountText.words(stretches, "kept part")
        case .recordings: return all
        }
    }

    /// What was left out, and why; `nil` if nothing was.
    package static func leftOut(failed: Int, missing: Int) -> String? {
        let parts = [
            failed > 0 ? CountText.words(failed, "recording") + " failed" : nil,
            missing > 0
                ? CountText.words(missing, "recording") + (missing == 1 ? " is gone" : " are gone")
                : nil,
        ].compactMap { $0 }
        return parts.isEmpty ? nil : "left out: " + parts.joined(separator: ", ")
    }

    /// Which paths in a list have no results; `nil` if there are none.
    package static func unknown(_ paths: [Pathname], of list: Pathname) -> String? {
        guard let example = paths.first else { return nil }
        let list = FailureText.name(ofList: list)
        return paths.count == 1
            ? "\(example.displayText), which is in \(list), has no results"
            : "\(CountText.grouped(paths.count)) of the paths in \(list) have no results, such as"
                + " \(example.displayText)"
    }

    /// Why a recording cannot be listed, or not be split.
    /// - Parameter format: "split" for split files.
    package static func sentence(
        for obstacle: ExportObstacle, of path: Pathname, in format: String
    ) -> String {
        let name = path.displayText
        return switch obstacle {
        case .name:
            "\(name) is left out: \(format) cannot write its name; rename it"
                + (format == "split" ? "" : ", or use another format")
        case .tooManyStretches(let limit):
            "\(name) is left out: \(format) holds no more than \(limit) parts; join them with"
                + " --merge-gap, or use another format"
        case .taken(let file):
            "\(name) is left out: there is another \(file.displayText); rename or delete it, or"
                + " choose other names with --naming of tapedeck split, such as {name}_{index:4}"
        case .failed(let failure) where failure.reason == .changed:
            "\(name) has changed since it was processed; run tapedeck on it first"
        case .failed(let failure): "\(name): " + FailureText.sentence(for: failure)
        }
    }

    /// Why an export or split file of a run is not up to date.
    /// - Parameter root: the run's root as displayed before each path.
    package static func sentence(
        for trouble: ExportTrouble, below root: Pathname = .empty
    ) -> String {
        switch trouble.obstacle {
        case .taken where trouble.format != "split":
            "in the output, \(trouble.path.displayText) is not written: it was modified, or is"
                + " another file; rename or delete it"
        case .failed(let failure) where failure.stage == .manifest:
            "in the output, \(trouble.path.displayText) could not be written:"
                + " \(FailureText.system(failure))"
        default:
            sentence(
                for: trouble.obstacle, of: root.appending(trouble.path), in: trouble.format)
        }
    }

    package static func sentence(for refusal: ExportRefusal) -> String {
        switch refusal {
        case .exists(let path):
            "\(path.displayText) exists; pass --overwrite to replace it, or another folder with"
                + " --into"
        case .notWritten(let path, let detail):
            "\(path.displayText) cannot be written: \(detail)"
        case .unreadable(let path, let detail):
            "the record of results in \(path.displayText) cannot be read: \(detail)"
        case .amongRecordings(let path):
            "\(path.displayText) lies among the recordings, so that the next run would process what"
                + " is written there; choose a folder elsewhere with --into"
        }
    }

    /// A table of all formats, as lines.
    package static func list(_ formats: [any ExportFormat.Type]) -> [String] {
        let rows = formats.map { format in
            let subject = format.subjects[0]
            let files = format.files(of: subject).map(\.text)
            let beside = format.ending.map { "b.wav" + $0 } ?? ""
            // Several are in a folder of their own.
            let common =
                files.count > 1 ? String(files[0].prefix { $0 != "/" }) + "/" : files.first ?? ""
            return [
                format.name, common.isEmpty ? beside : common,
                format.subjects.map(\.rawValue).joined(separator: ", "), format.readers,
            ]
        }
        return QueryView.table(
            ["format", "files", "lists", "read by"], rows, isNumber: [false, false, false, false])
    }
}
