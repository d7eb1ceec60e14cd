import Recordings

/// A folder as `audiofolder` of Hugging Face reads it: links to the recordings, and a list with
/// what is known of each.
struct AudioFolder: ExportFormat {
    static let name = "audiofolder"
    static let readers = "Hugging Face datasets"
    static let subjects: [ExportSubject] = [.recordings]
    static let ending: String? = nil
    static let links: Pathname? = "audiofolder"
    static func files(of subject: ExportSubject) -> [Pathname] { ["audiofolder/metadata.jsonl"] }

    init(_ subject: ExportSubject) {}

    func add(
        _ recording: ExportedRecording, to texts: inout [ExportText]
    ) throws(ExportObstacle) {
        let path = ExportValue.json(try ExportValue.text(recording.path))
        texts[0].add(
            "{\"file_name\":\(path),"
                + "\"durationSeconds\":\(ExportValue.seconds(recording.durationSeconds)),"
                + "\"sampleRateHertz\":\(recording.sampleRateHertz),"
                + "\"channels\":\(recording.channels)\(recording.metadata.members)}\n")
    }
}
