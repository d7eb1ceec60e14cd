import Recordings

/// A manifest of NeMo: one JSON object per segment.
struct NeMoManifest: ExportFormat {
    static let name = "nemo"
    static let readers = "NVIDIA NeMo"
    static let subjects: [ExportSubject] = [.segments, .recordings]
    static let ending: String? = nil
    static func files(of subject: ExportSubject) -> [Pathname] { ["nemo.jsonl"] }

    init(_ subject: ExportSubject) {}

    func add(
        _ recording: ExportedRecording, to texts: inout [ExportText]
    ) throws(ExportObstacle) {
        let file = ExportValue.json(try ExportValue.text(recording.file))
        for stretch in recording.stretches {
            texts[0].add(
                "{\"audio_filepath\":\(file),\"offset\":\(ExportValue.seconds(stretch.start)),"
                    + "\"duration\":\(ExportValue.seconds(stretch.seconds)),\"text\":\"\","
                    + "\"label\":\"speech\"}\n")
        }
    }
}

/// A data folder of Kaldi, each segment with a speaker of its own; sorted as Kaldi demands.
///
/// A channel that was listened to by itself is a recording of its own.
struct KaldiFolder: ExportFormat {
    static let name = "kaldi"
    static let readers = "Kaldi, ESPnet, kaldiio, Lhotse"
    static let subjects: [ExportSubject] = [.segments]
    static let ending: String? = nil
    static let hasChannels = true
    static func files(of subject: ExportSubject) -> [Pathname] {
        ["kaldi/wav.scp", "kaldi/segments", "kaldi/utt2spk", "kaldi/reco2dur"]
    }

    private var lines: [[String]] = Array(repeating: [], count: 4)

    init(_ subject: ExportSubject) {}

    mutating func add(
        _ recording: ExportedRecording, to texts: inout [ExportText]
    ) throws(ExportObstacle) {
        let file = try ExportValue.line(recording.file)
        let id = ExportValue.word(recording.path)
        let quoted = "'" + file.replacing("'", with: "'\\''") + "'"
        // Kaldi itself reads WAV only; whatever ends in a bar is a command.
        let isReadable = recording.isPlainWAV && !file.hasSuffix("|") && !file.hasSuffix(" ")
        for channel in recording.listedChannels {
            let own = channel.map { "\(id)-\($0)" } ?? id
            let filter = channel.map { " -af 'pan=mono|c0=c\($0 - 1)'" } ?? ""
            let source =
                isReadable && channel == nil
                ? file
                : "ffmpeg -nostdin -v error -i file:\(quoted)\(filter) -f wav -c:a pcm_s16le - |"
            lines[0].append("\(own) \(source)\n")
            lines[3].append("\(own) \(ExportValue.seconds(recording.durationSeconds))\n")
            let stretches = recording.stretches.filter { $0.channel == channel }
            for (index, stretch) in stretches.enumerated() {
                let utterance = own + "-" + ExportValue.padded(Int64(index), to: 6)
                let times = [stretch.start, stretch.end].map(ExportValue.seconds)
                lines[1].append("\(utterance) \(own) \(times[0]) \(times[1])\n")
                lines[2].append("\(utterance) \(utterance)\n")
            }
        }
    }

    mutating func end(_ texts: inout [ExportText]) {
        for file in lines.indices {
            lines[file].sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            for line in lines[file] { texts[file].add(line) }
        }
    }
}

/// Recordings, supervisions and cuts of Lhotse.
struct LhotseManifests: ExportFormat {
    static let name = "lhotse"
    static let readers = "Lhotse, icefall"
    static let subjects: [ExportSubject] = [.segments]
    static let ending: String? = nil
    static let hasChannels = true
    static func files(of subject: ExportSubject) -> [Pathname] {
        ["lhotse/recordings.jsonl", "lhotse/supervisions.jsonl", "lhotse/cuts.jsonl"]
    }

    init(_ subject: ExportSubject) {}

    func add(
        _ recording: ExportedRecording, to texts: inout [ExportText]
    ) throws(ExportObstacle) {
        let file = ExportValue.json(try ExportValue.text(recording.file))
        let word = ExportValue.word(recording.path)
        let id = ExportValue.json(word)
        let numbers = (0..<recording.channels).map(String.init).joined(separator: ",")
        let whole =
            "{\"id\":\(id),\"sources\":[{\"type\":\"file\",\"channels\":[\(numbers)],"
            + "\"source\":\(file)}],\"sampling_rate\":\(recording.sampleRateHertz),"
            + "\"num_samples\":\(recording.frames),"
            + "\"duration\":\(ExportValue.seconds(recording.durationSeconds)),"
            + "\"channel_ids\":[\(numbers)]}"
        texts[0].add(whole + "\n")
        for (index, stretch) in recording.stretches.enumerated() {
            let own = ExportValue.json(word + "-" + ExportValue.padded(Int64(index), to: 6))
            let length = ExportValue.seconds(stretch.seconds)
            let one = stretch.channel ?? (recording.channels == 1 ? 1 : nil)
            let channel = one.map { String($0 - 1) } ?? "[\(numbers)]"
            func supervision(at start: Double) -> String {
                "{\"id\":\(own),\"recording_id\":\(id),\"start\":\(ExportValue.seconds(start)),"
                    + "\"duration\":\(length),\"channel\":\(channel)}"
            }
            texts[1].add(supervision(at: stretch.start) + "\n")
            // Within a cut, times count from its start.
            texts[2].add(
                "{\"id\":\(own),\"start\":\(ExportValue.seconds(stretch.start)),"
                    + "\"duration\":\(length),\"channel\":\(channel),"
                    + "\"supervisions\":[\(supervision(at: 0))],\"recording\":\(whole),"
                    + "\"type\":\"\(one == nil ? "MultiCut" : "MonoCut")\"}\n")
        }
    }
}
