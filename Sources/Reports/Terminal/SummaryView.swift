import Jobs
import Recordings

/// The summary printed at the end of a run.
package enum SummaryView {
    /// Lines of text without line ends.
    /// - Parameters:
    ///   - output: the output folder as displayed; `nil` after a dry run.
    ///   - page: the first page as displayed; `nil` if there is none.
    package static func lines(
        _ summary: Summary, phase: JobStore.Phase, output: String?, page: String? = nil
    ) -> [String] {
        if summary.hasNothingUsable { return [nothingUsable(summary) + ending(phase, summary)] }
        var lines = [counts(summary) + ending(phase, summary)]
        if let line = audio(summary) { lines.append(line) }
        let were = summary.awaited == 1 ? "was" : "were"
        let troubles = [
            (summary.manifestsFailed, "manifest", "could not be written"),
            (summary.foldersFailed, "folder", "could not be read"),
            (summary.awaited, "recording", "\(were) not complete yet"),
            (summary.warned, "recording", summary.warned == 1 ? "has a warning" : "have warnings"),
        ]
        for (count, noun, fate) in troubles where count > 0 {
            lines.append("\(CountText.words(count, noun)) \(fate)")
        }
        if summary.videos > 0 {
            lines.append(
                "\(CountText.words(summary.videos, "video")) skipped; --video processes the sound")
        }
        if summary.leftOut > 0 {
            lines.append("\(CountText.words(summary.leftOut, "recording")) left out by filters")
        }
        if summary.exportsWritten > 0 {
            let readers = page == nil ? "other programs" : "pages and other programs"
            lines.append(
                "\(CountText.words(summary.exportsWritten, "file")) written for \(readers)")
        }
        let fates = [
            (summary.missing, "is still there"),
            (summary.pruned, pruning(summary, isDry: output == nil)),
        ]
        lines += fates.filter { $0.0 > 0 }.map(gone)
        if let output {
            if summary.recordings + summary.missing + summary.pruned > 0 {
                lines.append("results are in \(output)")
                if let page { lines.append("look and listen: \(page)") }
            }
            if summary.failed + summary.stillFailed > 0 {
                lines.append("what failed, and why: tapedeck status \(typed(output))")
            }
            if isCutShort(phase), summary.settled < summary.recordings {
                lines.append("finished work is kept; to continue, run the same command again")
            }
        } else {
            lines.append("nothing was written")
        }
        return lines
    }

    /// A path as it would be typed in a shell.
    private static func typed(_ path: String) -> String {
        let isPlain = path.allSatisfy { $0.isLetter || $0.isNumber || "/._-+~".contains($0) }
        return isPlain ? path : "'\(path.replacing("'", with: "'\\''"))'"
    }

    /// Why there is nothing to do, and what to do about it.
    private static func nothingUsable(_ summary: Summary) -> String {
        var parts: [String] = []
        if summary.videos > 0 {
            parts.append(
                "\(CountText.words(summary.videos, "video")) skipped (--video processes the sound)")
        }
        if summary.unsupported > 0 {
            parts.append(
                "\(CountText.words(summary.unsupported, "other file")) skipped (--raw reads files"
                    + " without a header)")
        }
        return "0 recordings; " + parts.joined(separator: ", ")
    }

    private static func counts(_ summary: Summary) -> String {
        CountText.list(
            CountText.words(summary.recordings, "recording"),
            [
                (summary.done, "done"), (summary.upToDate, "up to date"),
                (summary.failed, "failed"), (summary.stillFailed, "still failed"),
                (summary.planned, "to be done"),
            ])
    }

    /// Whether a signal ended the run; of other trouble it was said what to do.
    private static func isCutShort(_ phase: JobStore.Phase) -> Bool {
        switch phase {
        case .finished(.interrupt?), .finished(.terminate?), .finished(.hangUp?): true
        default: false
        }
    }

    private static func ending(_ phase: JobStore.Phase, _ summary: Summary) -> String {
        guard case .finished(let reason?) = phase else { return "" }
        let left = summary.recordings - summary.settled
        let word =
            switch reason {
            case .interrupt: "interrupted"
            case .terminate: "terminated"
            case .hangUp: "hung up"
            case .trouble: "stopped"
            }
        return left > 0 ? ", \(CountText.grouped(left)) left (\(word))" : " (\(word))"
    }

    private static func audio(_ summary: Summary) -> String? {
        guard summary.audioSeconds > 0 else { return nil }
        var parts = ["\(DurationText.words(summary.audioSeconds)) of audio"]
        if summary.trimmed > 0 {
            parts.append(
                "\(DurationText.words(summary.removedSeconds)) of silence cut from"
                    + " \(CountText.words(summary.trimmed, "recording"))")
        }
        if summary.silent > 0 {
            parts.append("\(CountText.grouped(summary.silent)) silent")
        }
        return parts.joined(separator: ", ")
    }

    /// What happens to orphaned outputs: they are deleted once the manifest is written.
    private static func pruning(_ summary: Summary, isDry: Bool) -> String {
        if isDry { return "would be removed" }
        return summary.manifestsFailed > 0 ? "is to be removed" : "is removed"
    }

    private static func gone(_ count: Int, fate: String) -> String {
        let (verb, them) = count == 1 ? ("is", "it") : ("are", "them")
        return
            "\(CountText.words(count, "recording")) \(verb) gone; what was made of \(them) \(fate)"
    }

    /// The line for a missing recording, whose outputs a dry run would delete.
    package static func pruning(_ folder: Pathname, _ name: Pathname) -> String {
        "\(folder.appending(name).displayText): gone; what was made of it would be removed"
    }

    /// The line for a recording that a dry run would process.
    package static func plan(_ folder: Pathname, _ name: Pathname, _ stages: Stages) -> String {
        "\(folder.appending(name).displayText): \(stages.names.joined(separator: ", "))"
    }
}
