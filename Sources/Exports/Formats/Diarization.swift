import Recordings

/// Rich Transcription Time Marked, of NIST: who speaks when; here, that somebody does.
struct RTTM: ExportFormat {
    static let name = "rttm"
    static let readers = "pyannote, dscore, NeMo, Kaldi"
    static let subjects: [ExportSubject] = [.segments]
    static let ending: String? = ".rttm"
    static func files(of subject: ExportSubject) -> [Pathname] { ["segments.rttm"] }
    static let hasChannels = true

    init(_ subject: ExportSubject) {}

    func add(_ recording: ExportedRecording, to texts: inout [ExportText]) {
        let id = ExportValue.word(recording.path)
        for stretch in recording.stretches {
            texts[0].addLine(
                "SPEAKER", id, String(stretch.channel ?? 1), ExportValue.seconds(stretch.start),
                ExportValue.seconds(stretch.seconds), "<NA>", "<NA>",
                stretch.channel.map { "channel\($0)" } ?? "sound",
                stretch.confidence.map { ExportValue.decimal($0, 2) } ?? "<NA>", "<NA>",
                separator: " ")
        }
    }
}

/// Un-partitioned Evaluation Map, of NIST: which parts of recordings are scored; here, all.
struct UEM: ExportFormat {
    static let name = "uem"
    static let readers = "pyannote, dscore"
    static let subjects: [ExportSubject] = [.recordings]
    static let ending: String? = ".uem"
    static func files(of subject: ExportSubject) -> [Pathname] { ["recordings.uem"] }

    init(_ subject: ExportSubject) {}

    func add(_ recording: ExportedRecording, to texts: inout [ExportText]) {
        for stretch in recording.stretches {
            texts[0].addLine(
                ExportValue.word(recording.path), "1", ExportValue.seconds(stretch.start),
                ExportValue.seconds(stretch.end), separator: " ")
        }
    }
}
