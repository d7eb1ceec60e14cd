import Exports
import Recordings

/// A recording as a page of the report lists it.
///
/// Encoded for the page's script. Texts are shown as they are; links are escaped.
package struct ReportRow: Encodable, Sendable {
    package enum State: String, Encodable, Sendable {
        case done, failed, missing
    }

    var name: String
    package private(set) var state: State
    /// Where the recording is, from the page.
    var file: String
    /// Whether browsers play the recording.
    var plays: Bool
    /// The trimmed copy, from the page; `nil` if there is none.
    var copy: String?
    /// Whether browsers play the copy.
    var copyPlays: Bool?
    package private(set) var seconds: Double?
    var format: String?
    /// Of the recording's file, since 1970.
    var modified: Double?
    /// What headers and tags say; `nil` if nothing.
    var metadata: RecordingMetadata?
    /// Of the loudest channel.
    var peak: Double?
    var rms: Double?
    var clipped: Int?
    var floor: Double?
    var signalToNoise: Double?
    var confidence: Double?
    package private(set) var silent: Bool?
    var silenceSeconds: Double?
    var cutSeconds: Double?
    package private(set) var warned: Bool?
    /// The script that draws spectrogram, floor and score, from the page; `nil` if there is none.
    package var details: String?
    /// What a server draws of it.
    var drawing: String?
    /// From a server, the recording as WAV, if browsers do not play it as it is.
    var sound: String?
    /// When its entry was recorded, in seconds since 1970; from a server.
    package var changed: Int64?
    /// What is to be said of it, in sentences.
    var notes: [String]

    /// - Parameter links: of the page's folder.
    package init(_ entry: ManifestEntry, _ links: ReportLinks) {
        name = entry.name.displayText
        state =
            switch entry.status {
            case .done: .done
            case .failed: .failed
            case .sourceMissing: .missing
            }
        file = links.recording(entry.name)
        plays = entry.format.map(BrowserSound.plays) ?? false
        copyPlays = entry.trimmed.map { ["flac", "wav"].contains($0.path.fileExtension) }
        copy = entry.trimmed.map { ExportValue.reference($0.path) }
        modified = entry.source.map { Double($0.modifiedNanoseconds / 1_000_000_000) }
        metadata = entry.metadata == RecordingMetadata() ? nil : entry.metadata
        notes = []
        if let format = entry.format { describe(format, entry) }
        if let levels = entry.levels { describe(levels) }
        if let silence = entry.silence { describe(silence) }
        note(entry)
        if links.isServed { serve(entry) }
    }

    private mutating func serve(_ entry: ManifestEntry) {
        drawing = ExportValue.reference(entry.name.adding(suffix: ReportPage.drawingSuffix))
        guard state == .done, let format = entry.format, format.frames > 0 else { return }
        details = ExportValue.reference(ReportPage.details(of: entry.name))
        if !plays { sound = file + "?" + ReportPage.asWAV }
    }

    private mutating func describe(_ format: AudioFormat, _ entry: ManifestEntry) {
        seconds = format.durationSeconds
        self.format = format.words
        cutSeconds = entry.trimmed.map {
            (format.durationSeconds - $0.durationSeconds).rounded(toDecimals: 3)
        }
    }

    private mutating func describe(_ levels: Levels) {
        peak = levels.peakDBFS.compactMap(\.self).max()?.rounded(toDecimals: 1)
        rms = levels.rmsDBFS.compactMap(\.self).max()?.rounded(toDecimals: 1)
        let samples = levels.clippedSamples.reduce(0, +)
        clipped = samples > 0 ? samples : nil
    }

    private mutating func describe(_ silence: SilenceMap) {
        floor = silence.noiseFloorDBFS?.rounded(toDecimals: 1)
        signalToNoise = silence.signalToNoiseDecibels?.rounded(toDecimals: 1)
        confidence = silence.confidence?.rounded(toDecimals: 2)
        silent = silence.silent ? true : nil
        silenceSeconds = silence.totalSeconds.rounded(toDecimals: 3)
    }

    private mutating func note(_ entry: ManifestEntry) {
        if state == .missing { notes.append("the recording is gone; its results are kept") }
        if let failure = entry.failure { notes.append(FailureText.sentence(for: failure)) }
        if let warnings = entry.warnings, state != .failed {
            warned = true
            notes += warnings.map {
                WarningText.sentence(for: $0, message: entry.decoderMessage)
            }
        }
        if let refusal = entry.notTrimmed, state == .done {
            notes.append("nothing is cut: \(FailureText.words(for: refusal))")
        }
    }
}
