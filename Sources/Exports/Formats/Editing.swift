import Recordings

/// A timeline of OpenTimelineIO: one audio track with the listed stretches in a row.
struct OpenTimeline: ExportFormat {
    static let name = "otio"
    static let readers = "DaVinci Resolve, Kdenlive, OpenTimelineIO"
    static let subjects: [ExportSubject] = [.edits, .segments]
    static let ending: String? = ".otio"
    static func files(of subject: ExportSubject) -> [Pathname] { [] }

    init(_ subject: ExportSubject) {}

    func add(
        _ recording: ExportedRecording, to texts: inout [ExportText]
    ) throws(ExportObstacle) {
        let rate = recording.sampleRateHertz
        let name = ExportValue.json(try ExportValue.text(recording.name))
        func time(_ frame: Int64) -> String {
            "{\"OTIO_SCHEMA\":\"RationalTime.1\",\"rate\":\(rate).0,\"value\":\(frame).0}"
        }
        func range(_ start: Int64, _ end: Int64) -> String {
            "{\"OTIO_SCHEMA\":\"TimeRange.1\",\"start_time\":\(time(start)),"
                + "\"duration\":\(time(end - start))}"
        }
        let file =
            "{\"OTIO_SCHEMA\":\"ExternalReference.1\","
            + "\"target_url\":\(ExportValue.json(ExportValue.url(recording.file))),"
            + "\"available_range\":\(range(0, recording.frames))}"
        let clips = recording.stretches.map { stretch in
            let ends = [stretch.start, stretch.end].map { Int64(($0 * Double(rate)).rounded()) }
            return "{\"OTIO_SCHEMA\":\"Clip.1\",\"name\":\(name),"
                + "\"source_range\":\(range(ends[0], min(ends[1], recording.frames))),"
                + "\"media_reference\":\(file)}"
        }
        texts[0].add(
            "{\"OTIO_SCHEMA\":\"Timeline.1\",\"name\":\(name),\"tracks\":"
                + "{\"OTIO_SCHEMA\":\"Stack.1\",\"name\":\"tracks\",\"children\":["
                + "{\"OTIO_SCHEMA\":\"Track.1\",\"kind\":\"Audio\",\"name\":\"audio\","
                + "\"children\":[\n" + clips.joined(separator: ",\n") + "]}]}}\n")
    }
}

/// An edit decision list in the form of CMX 3600, at 30 frames a second.
struct EditDecisionList: ExportFormat {
    static let name = "edl"
    static let readers = "video and audio editors"
    static let subjects: [ExportSubject] = [.edits, .segments]
    static let ending: String? = ".edl"
    static func files(of subject: ExportSubject) -> [Pathname] { [] }

    private static let framesPerSecond: Int64 = 30
    private static let mostEvents = 999

    init(_ subject: ExportSubject) {}

    func add(
        _ recording: ExportedRecording, to texts: inout [ExportText]
    ) throws(ExportObstacle) {
        let name = try ExportValue.line(recording.file.lastComponent)
        guard recording.stretches.count <= EditDecisionList.mostEvents else {
            throw .tooManyStretches(limit: EditDecisionList.mostEvents)
        }
        texts[0].add("TITLE: \(name)\nFCM: NON-DROP FRAME\n\n")
        var position: Int64 = 0
        for (index, stretch) in recording.stretches.enumerated() {
            let first = EditDecisionList.frame(stretch.start)
            let length = EditDecisionList.frame(stretch.end) - first
            let times = [first, first + length, position, position + length]
            let number = ExportValue.padded(Int64(index + 1), to: 3)
            texts[0].add(
                "\(number)  AX       AA    C        "
                    + times.map(EditDecisionList.timecode).joined(separator: " ")
                    + "\n* FROM CLIP NAME: \(name)\n")
            position += length
        }
    }

    private static func frame(_ seconds: Double) -> Int64 {
        Int64((seconds * Double(framesPerSecond)).rounded())
    }

    private static func timecode(_ frame: Int64) -> String {
        let seconds = frame / framesPerSecond
        return [seconds / 3600, seconds / 60 % 60, seconds % 60, frame % framesPerSecond]
            .map { ExportValue.padded($0, to: 2) }.joined(separator: ":")
    }
}
