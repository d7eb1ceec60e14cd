import Jobs
import Recordings

/// The output of `tapedeck inspect`.
package struct InspectionView {
    package let name: Pathname
    package let inspection: Inspection
    /// `nil` if decoding stopped early: such a recording gets no copy.
    package let plan: CutPlanner.Plan?

    package init(_ name: Pathname, _ inspection: Inspection, _ plan: CutPlanner.Plan?) {
        self.name = name
        self.inspection = inspection
        self.plan = plan
    }

    /// Findings and planned cuts as text lines without line ends.
    package var lines: [String] {
        ["\(name.displayText): \(format)"] + metadata + findings + silences + channels + [decision]
    }

    /// The findings in a few lines, as a heading.
    package var heading: [String] {
        [name.lastComponent.displayText, format, floor, "\(silence); \(decision)"]
    }
}

// MARK: - Findings

extension InspectionView {
    private var format: String {
        let format = inspection.format
        return "\(DurationText.exact(format.durationSeconds)), \(format.words)"
    }

    /// What the recording says of itself, a line for each tag.
    private var metadata: [String] {
        let texts = inspection.metadata.texts.compactMap { name, text in text.map { (name, $0) } }
        let tags = (inspection.metadata.tags ?? [:]).sorted { $0.key < $1.key }
        return (texts + tags.map { ($0.key, $0.value) }).map { name, text in
            let shown = text.prefix(InspectionView.mostTagCharacters)
            return "\(Pathname(name).displayText): \(Pathname(String(shown)).displayText)"
                + (shown.endIndex < text.endIndex ? "…" : "")
        }
    }

    private static let mostTagCharacters = 200

    private var findings: [String] {
        let levels = inspection.levels
        var peak = "peak \(decibels(levels.peakDBFS)), RMS \(decibels(levels.rmsDBFS))"
        let clipped = levels.clippedSamples.reduce(0, +)
        if clipped > 0 { peak += ", \(CountText.words(clipped, "clipped sample"))" }
        let beyond = levels.samplesBeyondFullScale.reduce(0, +)
        if beyond > 0 { peak += ", \(CountText.words(beyond, "sample")) beyond full scale" }
        let unbounded = (levels.nonFiniteSamples ?? []).reduce(0, +)
        if unbounded > 0 {
            let are = unbounded == 1 ? "is not a number" : "are not numbers"
            peak += ", \(CountText.words(unbounded, "sample")) \(are)"
        }
        let told = inspection.decoderMessage.map { ["decoder message: \($0)"] } ?? []
        let warnings = (inspection.warnings ?? []).map {
            "warning: " + WarningText.sentence(for: $0, message: nil)
        }
        return decoding + [peak, floor] + warnings + told + [silence]
    }

    /// Why it was not read as libsndfile finds it, if so.
    private var decoding: [String] {
        guard let decoding = inspection.decoding, let reason = decoding.because else { return [] }
        let words =
            switch reason {
            case .notOpened: "libsndfile does not open the file"
            case .unsupportedEncoding: "libsndfile does not support the encoding"
            case .chainedStreams: "libsndfile would read only the first of several streams"
            case .formatChanges: "libsndfile would stop where the format changes"
            case .contradiction: "libsndfile contradicts the header"
            case .noHeader: "no header, read as \(decoding.raw ?? "raw samples")"
            }
        let isRaw = decoding.library == .libsndfile && decoding.raw == nil
        let way = isRaw ? ", as raw samples" : ""
        return ["decoded by \(decoding.library.rawValue)\(way): \(words)"]
    }

    /// "-3.0 dBFS", "-3.0 and -4.1 dBFS"; digital silence has no decibels.
    private func decibels(_ values: [Double?]) -> String {
        let texts = values.map { $0.map(InspectionView.tenths) ?? "-∞" }
        let isAlike = Set(texts).count == 1
        return (isAlike ? texts[0] : texts.joined(separator: ", ")) + " dBFS"
    }

    private var floor: String {
        let silence = inspection.silence
        let floor =
            silence.noiseFloorDBFS.map { "noise floor \(InspectionView.tenths($0)) dBFS" }
            ?? "no noise floor but digital silence"
        let sound = silence.signalToNoiseDecibels.map {
            ", sound \(InspectionView.tenths($0)) dB above it"
        }
        let confidence = silence.confidence.map { ", confidence \(CountText.plain($0))" }
        return floor + (sound ?? "") + (confidence ?? "")
    }

    private var silence: String {
        let silence = inspection.silence
        if silence.silent { return "taken for silence throughout" }
        if inspection.format.sampleRateHertz < SilenceMap.leastRateHertz {
            return "not detected at rates below 1 kHz"
        }
        if !silence.separable { return "sound and noise floor cannot be told apart" }
        let count = silence.intervalsSeconds.count
        guard count > 0 else { return "no silence" }
        return
            "\(CountText.words(count, "silence")), \(DurationText.words(silence.totalSeconds)) of"
            + " \(DurationText.words(inspection.format.durationSeconds))"
    }

    private var decision: String {
        switch plan {
        case nil: return "nothing is cut: not all of it could be decoded"
        case .keepWhole(let refusal): return "nothing is cut: \(FailureText.words(for: refusal))"
        case .cut(let edits):
            let rate = inspection.format.sampleRateHertz
            let kept = Double(edits.trimmedFrameCount).seconds(atRate: rate)
            let removed = inspection.format.durationSeconds - kept
            return "\(CountText.words(cuts.count, "cut")), \(DurationText.words(removed)); the copy"
                + " will be \(DurationText.exact(kept)) long"
        }
    }

    /// One line per silence, with what is cut from it.
    private var silences: [String] {
        var cuts = cuts[...]
        let rows = inspection.silence.intervalsSeconds.map { interval in
            // Cuts and silences are sorted by time.
            while let first = cuts.first, first.upperBound <= interval[0] { cuts.removeFirst() }
            let cut = cuts.first.flatMap { $0.lowerBound < interval[1] ? $0 : nil }
            let (start, end) = (DurationText.exact(interval[0]), DurationText.exact(interval[1]))
            let fate =
                cut.map {
                    "cut \(DurationText.exact($0.lowerBound)) –"
                        + " \(DurationText.exact($0.upperBound))"
                } ?? "stays"
            return (span: "\(start) – \(end)", fate: fate)
        }
        let width = rows.map(\.span.count).max() ?? 0
        return rows.map {
            "  " + $0.span + String(repeating: " ", count: width - $0.span.count + 2) + $0.fate
        }
    }

    /// One line per channel, if these were looked at by themselves.
    private var channels: [String] {
        (inspection.silence.channels ?? []).enumerated().map { index, map in
            let segments = map.segments ?? []
            let seconds = segments.reduce(0) { $0 + $1.endSeconds - $1.startSeconds }
            return "channel \(index + 1): \(CountText.words(segments.count, "segment")) of sound,"
                + " \(DurationText.words(seconds))"
        }
    }

    /// The cut ranges, in seconds.
    package var cuts: [Range<Double>] {
        guard case .cut(let edits) = plan else { return [] }
        return edits.edits.cutsSeconds(
            of: edits.sourceFrameCount, atRate: inspection.format.sampleRateHertz)
    }

    /// The number with one decimal; it may be negative.
    static func tenths(_ number: Double) -> String {
        (number < 0 ? "-" : "") + DurationText.tenths(abs(number))
    }
}

extension FailureText {
    /// Why a recording cannot be inspected, or only in part.
    package static func line(forInspecting path: Pathname, _ failure: RecordingFailure) -> String {
        switch failure.reason {
        case .vanished: "\(path.displayText) does not exist"
        case .notARegularFile: "\(path.displayText) is not a file; pass one recording"
        default: "\(path.displayText): \(sentence(for: failure))"
        }
    }

    /// Why a picture was not written.
    package static func sentence(for refusal: PictureRefusal) -> String {
        switch refusal {
        case .holdsSomethingElse(let path):
            "\(path.displayText) exists and is not a picture; choose another with --picture"
        case .notWritten(let path, let failure):
            "the picture \(path.displayText) cannot be written: \(system(failure))"
        case .noCairo:
            "pictures need the library Cairo, which cannot be loaded: apt install libcairo2"
        case .notDrawn(let detail): "the picture cannot be drawn: \(detail)"
        case .startsBeyondEnd(let start, let duration):
            "the recording is \(DurationText.exact(duration)) long: --start"
                + " \(DurationText.exact(start)) is beyond its end"
        }
    }
}
