import Recordings

/// Comma-separated values (RFC 4180) with a header.
struct CSVTable: ExportFormat {
    static let name = "csv"
    static let readers = "spreadsheets, pandas, R, DuckDB"
    static let subjects = ExportSubject.allCases
    static let ending: String? = ".csv"
    static func files(of subject: ExportSubject) -> [Pathname] {
        [Pathname(subject.rawValue + ".csv")]
    }

    static let hasChannels = true

    private let subject: ExportSubject

    init(_ subject: ExportSubject) { self.subject = subject }

    func begin(_ texts: inout [ExportText]) {
        texts[0].add(
            subject == .recordings
                ? "folder,name,durationSeconds,sampleRateHertz,channels,peakDBFS,rmsDBFS,sha256,"
                    + "file,recordedAt,title,recorder,description,tags\n"
                : "folder,name,startSeconds,endSeconds,kind"
                    + Stretch.columns(of: subject).map { "," + $0 }.joined() + "\n")
    }

    func add(
        _ recording: ExportedRecording, to texts: inout [ExportText]
    ) throws(ExportObstacle) {
        let folder = try ExportValue.text(recording.folder.orDot)
        let name = try ExportValue.text(recording.name)
        let place = ExportValue.cell(folder) + "," + ExportValue.cell(name) + ","
        guard subject != .recordings else {
            let file = ExportValue.cell(try ExportValue.text(recording.file))
            return texts[0].add(
                place + ExportValue.seconds(recording.durationSeconds)
                    + ",\(recording.sampleRateHertz),\(recording.channels),"
                    + recording.values.map { ($0.value ?? "") + "," }.joined() + file
                    + recording.metadata.texts.map { "," + ExportValue.cell($0.text ?? "") }
                    .joined() + "," + ExportValue.cell(recording.metadata.tagsJSON ?? "") + "\n")
        }
        for stretch in recording.stretches {
            texts[0].add(
                place + ExportValue.seconds(stretch.start) + ","
                    + ExportValue.seconds(stretch.end) + "," + subject.label
                    + stretch.values(of: subject).map { "," + ($0 ?? "") }.joined() + "\n")
        }
    }
}

/// One JSON object per line.
struct JSONLines: ExportFormat {
    static let name = "json"
    static let readers = "jq, pandas, DuckDB, Hugging Face datasets"
    static let subjects = ExportSubject.allCases
    static let ending: String? = ".jsonl"
    static func files(of subject: ExportSubject) -> [Pathname] {
        [Pathname(subject.rawValue + ".jsonl")]
    }

    static let hasChannels = true

    private let subject: ExportSubject

    init(_ subject: ExportSubject) { self.subject = subject }

    func add(
        _ recording: ExportedRecording, to texts: inout [ExportText]
    ) throws(ExportObstacle) {
        let folder = ExportValue.json(try ExportValue.text(recording.folder.orDot))
        let name = ExportValue.json(try ExportValue.text(recording.name))
        let place = "{\"folder\":\(folder),\"name\":\(name),"
        guard subject != .recordings else {
            let file = ExportValue.json(try ExportValue.text(recording.file))
            let seconds = ExportValue.seconds(recording.durationSeconds)
            return texts[0].add(
                place + "\"durationSeconds\":\(seconds),"
                    + "\"sampleRateHertz\":\(recording.sampleRateHertz),"
                    + "\"channels\":\(recording.channels),"
                    + recording.values.map { "\"\($0.name)\":\($0.json)," }.joined()
                    + "\"file\":\(file)\(recording.metadata.members),"
                    + "\"tags\":\(recording.metadata.tagsJSON ?? "null")}\n")
        }
        for stretch in recording.stretches {
            texts[0].add(
                place + "\"startSeconds\":\(ExportValue.seconds(stretch.start)),"
                    + "\"endSeconds\":\(ExportValue.seconds(stretch.end)),"
                    + "\"kind\":\"\(subject.label)\""
                    + zip(Stretch.columns(of: subject), stretch.values(of: subject))
                    .map { ",\"\($0)\":\($1 ?? "null")" }.joined() + "}\n")
        }
    }
}

extension ExportedRecording {
    /// What is listed of a recording if it is known, by its name in a manifest.
    fileprivate var values: [(name: String, value: String?, json: String)] {
        let levels = [("peakDBFS", peakDBFS), ("rmsDBFS", rmsDBFS)].map { name, level in
            let text = level.map { ExportValue.decimal($0, 2) }
            return (name, text, text ?? "null")
        }
        return levels + [("sha256", sha256, sha256.map(ExportValue.json) ?? "null")]
    }
}

extension RecordingMetadata {
    /// The texts as further members of a JSON object.
    var members: String {
        texts.map { ",\"\($0.name)\":\($0.text.map(ExportValue.json) ?? "null")" }.joined()
    }

    /// The further tags as a JSON object, by name.
    fileprivate var tagsJSON: String? {
        guard let tags, !tags.isEmpty else { return nil }
        let members = tags.sorted { $0.key < $1.key }
            .map { ExportValue.json($0.key) + ":" + ExportValue.json($0.value) }
        return "{" + members.joined(separator: ",") + "}"
    }
}

extension Stretch {
    /// What is listed beside times, by its name in a manifest.
    fileprivate static func columns(of subject: ExportSubject) -> [String] {
        switch subject {
        case .segments: ["levelDBFS", "signalToNoiseDecibels", "confidence", "channel"]
        case .silences: ["channel"]
        case .edits, .recordings: []
        }
    }

    /// The values of these columns.
    fileprivate func values(of subject: ExportSubject) -> [String?] {
        let channel = channel.map(String.init)
        return switch subject {
        case .segments:
            [
                levelDBFS.map { ExportValue.decimal($0, 1) },
                signalToNoiseDecibels.map { ExportValue.decimal($0, 1) },
                confidence.map { ExportValue.decimal($0, 2) }, channel,
            ]
        case .silences: [channel]
        case .edits, .recordings: []
        }
    }
}

/// A selection table of Raven, over the whole range of frequencies.
struct RavenTable: ExportFormat {
    static let name = "raven"
    static let readers = "Raven Pro and Lite, crowsetta, opensoundscape"
    static let subjects: [ExportSubject] = [.segments, .silences]
    static let ending: String? = ".Table.1.selections.txt"
    static let hasChannels = true
    static func files(of subject: ExportSubject) -> [Pathname] { [] }

    private let label: String

    init(_ subject: ExportSubject) { label = subject.label }

    func begin(_ texts: inout [ExportText]) {
        texts[0].addLine(
            "Selection", "View", "Channel", "Begin Time (s)", "End Time (s)", "Low Freq (Hz)",
            "High Freq (Hz)", "Begin File", "Annotation")
    }

    func add(
        _ recording: ExportedRecording, to texts: inout [ExportText]
    ) throws(ExportObstacle) {
        let file = try ExportValue.line(recording.file.lastComponent)
        let highest = ExportValue.seconds(Double(recording.sampleRateHertz) / 2)
        for (index, stretch) in recording.stretches.enumerated() {
            texts[0].addLine(
                String(index + 1), "Spectrogram 1", String(stretch.channel ?? 1),
                ExportValue.seconds(stretch.start),
                ExportValue.seconds(stretch.end), "0.0", highest, file, label)
        }
    }
}
