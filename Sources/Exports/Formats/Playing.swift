import Recordings

/// A cue sheet: each stretch begins a track, to 1/75 s.
struct CueSheet: ExportFormat {
    static let name = "cue"
    static let readers = "foobar2000, VLC, CD burning programs"
    static let subjects: [ExportSubject] = [.segments]
    static let ending: String? = ".cue"
    static func files(of subject: ExportSubject) -> [Pathname] { [] }

    private static let mostTracks = 99

    init(_ subject: ExportSubject) {}

    func add(
        _ recording: ExportedRecording, to texts: inout [ExportText]
    ) throws(ExportObstacle) {
        let name = try ExportValue.line(recording.file)
        // The format has no way to write a quote in a name.
        guard !name.contains("\"") else { throw .name }
        guard recording.stretches.count <= CueSheet.mostTracks else {
            throw .tooManyStretches(limit: CueSheet.mostTracks)
        }
        texts[0].add("FILE \"\(name)\" WAVE\n")
        for (index, stretch) in recording.stretches.enumerated() {
            let parts = Int64((stretch.start * 75).rounded())
            let time = [parts / 75 / 60, parts / 75 % 60, parts % 75]
                .map { ExportValue.padded($0, to: 2) }.joined(separator: ":")
            texts[0].add(
                "  TRACK \(ExportValue.padded(Int64(index + 1), to: 2)) AUDIO\n"
                    + "    INDEX 01 \(time)\n")
        }
    }
}

/// A playlist in UTF-8; VLC plays the listed stretches, others whole files.
struct PlayList: ExportFormat {
    static let name = "m3u"
    static let readers = "VLC, mpv, most players"
    static let subjects: [ExportSubject] = [.recordings, .segments]
    static let ending: String? = nil
    static func files(of subject: ExportSubject) -> [Pathname] {
        [Pathname(subject.rawValue + ".m3u8")]
    }

    private let isWhole: Bool

    init(_ subject: ExportSubject) { isWhole = subject == .recordings }

    func begin(_ texts: inout [ExportText]) { texts[0].add("#EXTM3U\n") }

    func add(
        _ recording: ExportedRecording, to texts: inout [ExportText]
    ) throws(ExportObstacle) {
        let file = try ExportValue.line(recording.file)
        let name = try ExportValue.line(recording.path)
        for stretch in recording.stretches {
            texts[0].add("#EXTINF:\(Int64(stretch.seconds.rounded(.up))),\(name)\n")
            if !isWhole {
                texts[0].add(
                    "#EXTVLCOPT:start-time=\(ExportValue.seconds(stretch.start))\n"
                        + "#EXTVLCOPT:stop-time=\(ExportValue.seconds(stretch.end))\n")
            }
            texts[0].add(file + "\n")
        }
    }
}
