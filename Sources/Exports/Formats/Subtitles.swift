import Recordings

/// Captions of the web (W3C), to the millisecond.
struct WebVTT: ExportFormat {
    static let name = "webvtt"
    static let readers = "browsers, video editors, webvtt-py"
    static let subjects: [ExportSubject] = [.segments, .silences]
    static let ending: String? = ".vtt"
    static func files(of subject: ExportSubject) -> [Pathname] { [] }

    static let hasChannels = true

    private let label: String

    init(_ subject: ExportSubject) { label = subject.label }

    func begin(_ texts: inout [ExportText]) { texts[0].add("WEBVTT\n\n") }

    func add(_ recording: ExportedRecording, to texts: inout [ExportText]) {
        for stretch in recording.stretches {
            let start = ExportValue.clock(stretch.start, point: ".")
            let end = ExportValue.clock(stretch.end, point: ".")
            texts[0].add("\(start) --> \(end)\n[\(stretch.label(label))]\n\n")
        }
    }
}

/// SubRip subtitles, to the millisecond.
struct SubRip: ExportFormat {
    static let name = "srt"
    static let readers = "video editors and players"
    static let subjects: [ExportSubject] = [.segments, .silences]
    static let ending: String? = ".srt"
    static func files(of subject: ExportSubject) -> [Pathname] { [] }

    static let hasChannels = true

    private let label: String

    init(_ subject: ExportSubject) { label = subject.label }

    func add(_ recording: ExportedRecording, to texts: inout [ExportText]) {
        for (index, stretch) in recording.stretches.enumerated() {
            let start = ExportValue.clock(stretch.start, point: ",")
            let end = ExportValue.clock(stretch.end, point: ",")
            texts[0].add("\(index + 1)\n\(start) --> \(end)\n[\(stretch.label(label))]\n\n")
        }
    }
}
