import Jobs
import Recordings

/// The output of `tapedeck map`.
package enum MapView {
    /// The answer for one time.
    package static func line(
        _ moment: TimeMap.Moment, _ direction: TimeMap.Direction, seconds: Double,
        sampleRateHertz: Int
    ) -> String {
        func time(_ frame: Int64) -> String {
            DurationText.exact(Double(frame).seconds(atRate: sampleRateHertz))
        }
        let asked = "\(DurationText.exact(seconds)) in the \(word(for: direction))"
        if let cut = moment.cut {
            return "\(asked) was cut, with all from \(time(cut.lowerBound)) to"
                + " \(time(cut.upperBound)); the cut is at \(time(moment.trimmedFrame)) in the copy"
        }
        return direction == .toSource
            ? "\(asked) is \(time(moment.sourceFrame)) in the recording"
            : "\(asked) is \(time(moment.trimmedFrame)) in the copy"
    }

    /// The message for a time beyond the end.
    package static func beyondEnd(
        _ direction: TimeMap.Direction, seconds: Double, endSeconds: Double
    ) -> String {
        "\(DurationText.exact(seconds)) is beyond the end of the \(word(for: direction)), at"
            + " \(DurationText.exact(endSeconds))"
    }

    /// The message for an input line that is not a time.
    package static func noTime(line: Int, text: String) -> String {
        "line \(line) is not a time: \"\(Pathname(text).displayText)\"; write seconds, m:ss or"
            + " h:mm:ss"
    }

    private static func word(for direction: TimeMap.Direction) -> String {
        direction == .toSource ? "copy" : "recording"
    }
}

extension FailureText {
    /// Why times of a recording cannot be mapped.
    package static func sentence(for refusal: MapRefusal) -> String {
        switch refusal {
        case .manifestMissing(let path):
            "\(path.displayText) does not exist; pass a manifest.json, or its folder and the"
                + " recording's way from there"
        case .manifestUnreadable(let path, .damaged):
            "\(path.displayText) is not a manifest, or is damaged"
        case .manifestUnreadable(let path, let trouble):
            line(for: trouble, with: path)
        case .recordingUnknown(let name, let manifest, let some, let count):
            "\(manifest.displayText) has no recording \(name.displayText)"
                + others(some, of: count)
        case .notTrimmed(let name, let reason):
            "\(name.displayText) has no trimmed copy: \(words(for: reason))"
        case .failed(let name, let failure):
            "\(name.displayText) has no trimmed copy, as it failed:"
                + " \(sentence(for: failure))"
        case .editsDamaged(let name, let manifest):
            "\(manifest.displayText): its entry for the copy of \(name.displayText) is invalid;"
                + " delete the manifest, and the next run rebuilds it"
        }
    }

    /// Why a recording was not trimmed.
    static func words(for refusal: TrimRefusal) -> String {
        switch refusal {
        case .off: "trimming was off"
        case .nothingToCut: "there was nothing to cut, so its times are the same"
        case .silent: "all of it is taken for silence"
        case .notSeparable: "its sound and noise could not be separated"
        case .lowConfidence: "the confidence in its silences is below --min-confidence"
        case .sampleRateTooLow: "silence is not detected at rates below 1 kHz"
        }
    }

    private static func others(_ some: [Pathname], of count: Int) -> String {
        guard !some.isEmpty else { return ", nor any other" }
        let names = some.map(\.displayText).joined(separator: ", ")
        let more = count - some.count
        return "; it has \(names)" + (more > 0 ? " and \(CountText.words(more, "other"))" : "")
    }
}
