import Exports
import Recordings
import Testing

/// The text of each format, for one recording with two segments.
@Suite struct ExportFormatTests {
    private static let measured: Stretch = {
        var stretch = Stretch(0.5, 2)
        (stretch.levelDBFS, stretch.signalToNoiseDecibels) = (-23.4, -0.5)
        stretch.confidence = 0.9
        return stretch
    }()

    /// Six seconds of stereo at 8 kHz, with sound from 0.5 to 2 s and from 4 to 5.25 s.
    private static let recording = ExportedRecording(
        folder: "A b", name: "c.wav", file: "/r/A b/c.wav", sampleRateHertz: 8000, channels: 2,
        frames: 48_000, isPlainWAV: true, stretches: [measured, Stretch(4, 5.25)])

    private func texts(
        _ name: String, _ subject: ExportSubject = .segments,
        _ recordings: [ExportedRecording] = [recording], files: Int = 1
    ) throws -> [String] {
        let format = try #require(ExportFormats.named(name))
        var writer = format.init(subject)
        var texts = Array(repeating: ExportText(), count: files)
        writer.begin(&texts)
        for recording in recordings { try writer.add(recording, to: &texts) }
        writer.end(&texts)
        return texts.map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    private static let expected: [(name: String, text: String)] = [
        ("audacity", "0.500000\t2.000000\tsound\n4.000000\t5.250000\tsound\n"),
        (
            "csv",
            "folder,name,startSeconds,endSeconds,kind,levelDBFS,signalToNoiseDecibels,confidence,"
                + "channel\nA b,c.wav,0.500000,2.000000,sound,-23.4,-0.5,0.90,\n"
                + "A b,c.wav,4.000000,5.250000,sound,,,,\n"
        ),
        (
            "cue",
            "FILE \"/r/A b/c.wav\" WAVE\n  TRACK 01 AUDIO\n    INDEX 01 00:00:38\n"
                + "  TRACK 02 AUDIO\n    INDEX 01 00:04:00\n"
        ),
        (
            "edl",
            "TITLE: c.wav\nFCM: NON-DROP FRAME\n\n"
                + "001  AX       AA    C        00:00:00:15 00:00:02:00 00:00:00:00 00:00:01:15\n"
                + "* FROM CLIP NAME: c.wav\n"
                + "002  AX       AA    C        00:00:04:00 00:00:05:08 00:00:01:15 00:00:02:23\n"
                + "* FROM CLIP NAME: c.wav\n"
        ),
        (
            "json",
            #"{"folder":"A b","name":"c.wav","startSeconds":0.500000,"endSeconds":2.000000,"#
                + #""kind":"sound","levelDBFS":-23.4,"signalToNoiseDecibels":-0.5,"confidence":0.90,"#
                + #""channel":null}"#
                + "\n"
                + #"{"folder":"A b","name":"c.wav","startSeconds":4.000000,"endSeconds":5.250000,"#
                + #""kind":"sound","levelDBFS":null,"signalToNoiseDecibels":null,"confidence":null,"#
                + #""channel":null}"#
                + "\n"
        ),
        (
            "m3u",
            "#EXTM3U\n#EXTINF:2,A b/c.wav\n#EXTVLCOPT:start-time=0.500000\n"
                + "#EXTVLCOPT:stop-time=2.000000\n/r/A b/c.wav\n"
                + "#EXTINF:2,A b/c.wav\n#EXTVLCOPT:start-time=4.000000\n"
                + "#EXTVLCOPT:stop-time=5.250000\n/r/A b/c.wav\n"
        ),
        (
            "nemo",
            #"{"audio_filepath":"/r/A b/c.wav","offset":0.500000,"duration":1.500000,"text":"","#
                + "\"label\":\"speech\"}\n"
                + #"{"audio_filepath":"/r/A b/c.wav","offset":4.000000,"duration":1.250000,"#
                + "\"text\":\"\",\"label\":\"speech\"}\n"
        ),
        (
            "raven",
            "Selection\tView\tChannel\tBegin Time (s)\tEnd Time (s)\tLow Freq (Hz)\t"
                + "High Freq (Hz)\tBegin File\tAnnotation\n"
                + "1\tSpectrogram 1\t1\t0.500000\t2.000000\t0.0\t4000.000000\tc.wav\tsound\n"
                + "2\tSpectrogram 1\t1\t4.000000\t5.250000\t0.0\t4000.000000\tc.wav\tsound\n"
        ),
        (
            "rttm",
            "SPEAKER A%20b/c.wav 1 0.500000 1.500000 <NA> <NA> sound 0.90 <NA>\n"
                + "SPEAKER A%20b/c.wav 1 4.000000 1.250000 <NA> <NA> sound <NA> <NA>\n"
        ),
        (
            "srt",
            "1\n00:00:00,500 --> 00:00:02,000\n[sound]\n\n"
                + "2\n00:00:04,000 --> 00:00:05,250\n[sound]\n\n"
        ),
        (
            "webvtt",
            "WEBVTT\n\n00:00:00.500 --> 00:00:02.000\n[sound]\n\n"
                + "00:00:04.000 --> 00:00:05.250\n[sound]\n\n"
        ),
    ]

    @Test(arguments: expected)
    func formatListsTheSegments(name: String, text: String) throws {
        #expect(try texts(name) == [text])
    }

    @Test func textGridHasIntervalsWithoutGaps() throws {
        let lines = try texts("textgrid")[0].split(separator: "\n").map {
            $0.split(separator: " ").joined(separator: " ")
        }
        #expect(lines.contains("intervals: size = 5"))
        let starts = lines.filter { $0.hasPrefix("xmin") }.dropFirst(2)
        let ends = lines.filter { $0.hasPrefix("xmax") }.dropFirst(2)
        #expect(
            starts.map { $0.dropFirst(7) }.dropFirst() == ends.map { $0.dropFirst(7) }.dropLast())
        #expect(
            lines.filter { $0.hasPrefix("text") }
                == [
                    "text = \"\"", "text = \"sound\"", "text = \"\"", "text = \"sound\"",
                    "text = \"\"",
                ])
    }

    @Test func kaldiFolderIsSortedByBytes() throws {
        var other = Self.recording
        (other.folder, other.file, other.isPlainWAV) = ("A", "/r/A/it's.flac", false)
        other.name = "it's.flac"
        let files = try texts("kaldi", .segments, [Self.recording, other], files: 4)
        #expect(
            files[0] == "A%20b/c.wav /r/A b/c.wav\nA/it's.flac ffmpeg -nostdin -v error -i"
                + " file:'/r/A/it'\\''s.flac' -f wav -c:a pcm_s16le - |\n")
        #expect(files[1].hasPrefix("A%20b/c.wav-000000 A%20b/c.wav 0.500000 2.000000\n"))
        #expect(files[2].hasPrefix("A%20b/c.wav-000000 A%20b/c.wav-000000\n"))
        #expect(files[3] == "A%20b/c.wav 6.000000\nA/it's.flac 6.000000\n")
    }

    @Test func lhotseCutsCountTimesFromTheirStart() throws {
        let files = try texts("lhotse", files: 3)
        #expect(files[0].contains("\"num_samples\":48000,\"duration\":6.000000"))
        #expect(files[1].contains("\"start\":4.000000,\"duration\":1.250000,\"channel\":[0,1]"))
        #expect(files[2].contains("\"start\":4.000000,\"duration\":1.250000"))
        #expect(files[2].contains("\"start\":0.000000,\"duration\":1.250000"))
        #expect(files[2].contains("\"type\":\"MultiCut\""))
    }

    @Test func timelineCountsFramesOfTheRecording() throws {
        let text = try texts("otio", .edits)[0]
        #expect(text.contains("\"rate\":8000.0,\"value\":4000.0"))
        #expect(text.contains("\"target_url\":\"file:///r/A%20b/c.wav\""))
    }

    @Test func wholeRecordingsAreListedWithTheirFiles() throws {
        var whole = Self.recording
        whole.stretches = [Stretch(0, 6)]
        #expect(
            try texts("csv", .recordings, [whole])[0].split(separator: "\n").last
                == "A b,c.wav,6.000000,8000,2,,,,/r/A b/c.wav,,,,,")
        (whole.peakDBFS, whole.rmsDBFS, whole.sha256) = (-0.5, -23.456, "e3b0")
        #expect(
            try texts("csv", .recordings, [whole])[0].split(separator: "\n").last
                == "A b,c.wav,6.000000,8000,2,-0.50,-23.46,e3b0,/r/A b/c.wav,,,,,")
        #expect(
            try texts("json", .recordings, [whole])[0].contains(
                #""channels":2,"peakDBFS":-0.50,"rmsDBFS":-23.46,"sha256":"e3b0","file":"#))
        #expect(try texts("uem", .recordings, [whole]) == ["A%20b/c.wav 1 0.000000 6.000000\n"])
        #expect(
            try texts("m3u", .recordings, [whole])
                == ["#EXTM3U\n#EXTINF:6,A b/c.wav\n/r/A b/c.wav\n"])
    }

    @Test func wholeRecordingsAreListedWithWhatTheySayOfThemselves() throws {
        var whole = Self.recording
        (whole.metadata.recordedAt, whole.metadata.title) = ("2026-05-01T05:30:00+01:00", "Dawn")
        (whole.metadata.recorder, whole.metadata.description) = ("=Recorder", "a \"b\", <i>c</i>")
        whole.metadata.tags = ["site": "pond", "artist": "Ü"]
        #expect(
            try texts("csv", .recordings, [whole])[0].hasSuffix(
                ",/r/A b/c.wav,2026-05-01T05:30:00+01:00,Dawn,=Recorder,\"a \"\"b\"\", <i>c</i>\","
                    + "\"{\"\"artist\"\":\"\"Ü\"\",\"\"site\"\":\"\"pond\"\"}\"\n"))
        let members =
            #","recordedAt":"2026-05-01T05:30:00+01:00","title":"Dawn","recorder":"=Recorder","#
            + #""description":"a \"b\", <i>c</i>""#
        #expect(
            try texts("json", .recordings, [whole])[0].hasSuffix(
                members + #","tags":{"artist":"Ü","site":"pond"}}"# + "\n"))
        #expect(try texts("audiofolder", .recordings, [whole])[0].hasSuffix(members + "}\n"))
    }

    // MARK: - Names

    /// Formats that give a recording's name, or its file's.
    private static let naming = ["cue", "edl", "kaldi", "m3u", "raven"]

    private func obstacle(_ format: String, _ name: Pathname) -> ExportObstacle? {
        var recording = Self.recording
        recording.name = name
        recording.file = Pathname("/r").appending(name)
        do {
            _ = try texts(
                format, ExportFormats.named(format)?.subjects[0] ?? .segments, [recording], files: 4
            )
            return nil
        } catch {
            return error as? ExportObstacle
        }
    }

    @Test func nameThatAFormatCannotWriteIsRefused() {
        let latin1 = Pathname(bytes: [0x62, 0xE9])
        for format in Self.naming {
            for name in [latin1, "a\nb", "a\tb"] {
                #expect(obstacle(format, name) == .name, "\(format)")
            }
        }
        for format in ["csv", "json", "nemo", "lhotse", "otio"] {
            #expect(obstacle(format, latin1) == .name, "\(format)")
            #expect(obstacle(format, "a\nb") == nil, "\(format)")
        }
        for format in ["audacity", "rttm", "srt", "textgrid", "uem", "webvtt"] {
            #expect(obstacle(format, latin1) == nil && obstacle(format, "a\nb") == nil, "\(format)")
        }
        #expect(obstacle("cue", "a\"b") == .name)
    }

    @Test func obstacleAddsNothing() throws {
        var bad = Self.recording
        bad.file = Pathname(bytes: [0x2F, 0xE9])
        for format in ["cue", "edl", "json", "kaldi", "lhotse", "m3u", "nemo", "raven"] {
            let type = try #require(ExportFormats.named(format))
            var writer = type.init(type.subjects[0])
            var texts = Array(repeating: ExportText(), count: 4)
            bad.name = Pathname(bytes: [0xE9])
            #expect(throws: ExportObstacle.self) { try writer.add(bad, to: &texts) }
            writer.end(&texts)
            #expect(texts.allSatisfy { $0.bytes.isEmpty }, "\(format)")
        }
    }

    @Test func tooManyPartsAreRefused() throws {
        var long = Self.recording
        long.stretches = (0..<1000).map { Stretch(Double($0) / 200, Double($0) / 200 + 0.001) }
        #expect(throws: ExportObstacle.tooManyStretches(limit: 99)) {
            try texts("cue", .segments, [long])
        }
        #expect(throws: ExportObstacle.tooManyStretches(limit: 999)) {
            try texts("edl", .segments, [long])
        }
    }

    @Test func wordsAreReversible() {
        #expect(ExportValue.word("a b/c%20\n.wav") == "a%20b/c%2520%0A.wav")
        #expect(ExportValue.word("é\u{3000}.wav") == "é%E3%80%80.wav")
        #expect(ExportValue.word(Pathname(bytes: [0x61, 0xE9, 0x20])) == "a%E9%20")
    }

    @Test func valuesAreQuoted() {
        #expect(ExportValue.json("a\"\\\n\u{1}é") == "\"a\\\"\\\\\\n\\u0001é\"")
        #expect(ExportValue.cell("a,\"b\"") == "\"a,\"\"b\"\"\"")
        #expect(ExportValue.url("/a é%") == "file:///a%20%C3%A9%25")
        #expect(ExportValue.seconds(3599.9999996) == "3600.000000")
        #expect(ExportValue.clock(3599.9996, point: ".") == "01:00:00.000")
    }

    @Test func formatsAreListedByName() {
        let names = ExportFormats.all.map { $0.name }
        #expect(Set(names).count == names.count)
        for format in ExportFormats.all {
            let isWritable = format.ending != nil || !format.files(of: format.subjects[0]).isEmpty
            #expect(isWritable, "\(format.name)")
        }
    }

    /// What each format has of two channels, one of which was silent at first.
    @Test(arguments: [
        ("audacity", 1, ["0.500000\t2.000000\tsound 1", "1.000000\t3.000000\tsound 2"]),
        ("csv", 1, ["c.wav,0.500000,2.000000,sound,,,,1", "c.wav,1.000000,3.000000,sound,,,,2"]),
        ("json", 1, ["\"channel\":1}", "\"channel\":2}"]),
        ("kaldi", 4, ["A%20b/c.wav-1 ffmpeg", "'pan=mono|c0=c1' -f wav"]),
        ("lhotse", 3, ["\"channel\":0}", "\"channel\":1,", "\"type\":\"MonoCut\""]),
        ("raven", 1, ["\t1\t0.500000\t2.000000\t", "\t2\t1.000000\t3.000000\t"]),
        ("rttm", 1, ["c.wav 1 0.500000 1.500000 <NA> <NA> channel1", " 2 1.000000 2.000000 "]),
        ("srt", 1, ["[sound 1]", "[sound 2]"]), ("webvtt", 1, ["[sound 1]", "[sound 2]"]),
        ("textgrid", 1, ["size = 2", "name = \"sound 1\"", "name = \"sound 2\""]),
    ])
    func channelsAreListedApart(name: String, files: Int, parts: [String]) throws {
        var (first, second) = (Stretch(0.5, 2), Stretch(1, 3))
        (first.channel, second.channel) = (1, 2)
        var recording = Self.recording
        recording.stretches = [first, second]
        #expect(try #require(ExportFormats.named(name)).hasChannels)
        let text = try texts(name, .segments, [recording], files: files).joined()
        for part in parts { #expect(text.contains(part)) }
    }
}
