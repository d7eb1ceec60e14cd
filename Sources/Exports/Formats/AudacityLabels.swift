import Recordings

/// Labels for File > Import > Labels: start, end and text, separated by tabs.
struct AudacityLabels: ExportFormat {
    static let name = "audacity"
    static let readers = "Audacity, Tenacity, mir_eval"
    static let subjects: [ExportSubject] = [.segments, .silences, .edits]
    static let ending: String? = ".txt"
    static func files(of subject: ExportSubject) -> [Pathname] { [] }

    static let hasChannels = true

    private let label: String

    init(_ subject: ExportSubject) { label = subject.label }

    func add(_ recording: ExportedRecording, to texts: inout [ExportText]) {
        for stretch in recording.stretches {
            texts[0].addLine(
                ExportValue.seconds(stretch.start), ExportValue.seconds(stretch.end),
                stretch.label(label))
        }
    }
}
