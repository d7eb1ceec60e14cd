import Foundation
import Recordings
import TestSupport
import Testing

@testable import Audio

/// What recordings say of themselves, by container.
@Suite struct MetadataTests {
    private let folder = TestFolder()

    private func metadata(_ bytes: [UInt8], _ name: Pathname = "a.wav") throws -> RecordingMetadata
    {
        try AudioFileReader(opening: folder.write(bytes, to: name)).metadata
    }

    @Test(arguments: [true, false])
    func broadcastExtensionIsRead(isBefore: Bool) throws {
        let found = try metadata(wav(bext(), isBefore: isBefore))
        #expect(found.recordedAt == "2026-05-01T05:30:00")
        #expect(found.recordedAtFrom == .bext)
        #expect(found.description == "sSPEED=023.976-ND")
        #expect(found.recorder == "Zoom F3")
        #expect(found.tags == ["originatorReference": "REF1"])
    }

    @Test func guanoComesBeforeOthers() throws {
        let text =
            "GUANO|Version: 1.0\nTimestamp: 2026-05-01T05:30:00.123+01:00\nMake: Open Acoustic"
            + " Devices\nModel: AudioMoth\nSerial: 24F3\nLoc Position: 51.5 -0.1\nNote: a pond\n"
        let found = try metadata(wav(bext("2001-01-01"), chunk("guan", text)))
        #expect(found.recordedAt == "2026-05-01T05:30:00.123+01:00")
        #expect(found.recordedAtFrom == .guano)
        #expect(found.recorder == "Open Acoustic Devices AudioMoth 24F3")
        #expect(found.description == "a pond")
        #expect(found.tags?["Loc Position"] == "51.5 -0.1")
    }

    @Test func commentOfAudioMothIsMoreThanTheDateOfInfo() throws {
        let comment = "Recorded at 05:30:00 01/05/2026 (UTC+1) by AudioMoth 24F3 at medium gain"
        let info = chunk(
            "LIST",
            Array("INFO".utf8) + chunk("ICMT", comment) + chunk("ICRD", "2026")
                + chunk("INAM", "A pond\0") + chunk("IART", "AudioMoth 24F3"))
        let found = try metadata(wav(info))
        #expect(found.recordedAt == "2026-05-01T05:30:00+01:00")
        #expect(found.recordedAtFrom == .comment)
        #expect(found.recorder == "AudioMoth 24F3")
        #expect(found.title == "A pond")
        #expect(found.tags?["artist"] == "AudioMoth 24F3")
    }

    @Test func chunkOfSongMetersIsRead() throws {
        func entry(_ number: Int, _ text: String) -> [UInt8] {
            little(number, 2) + little(text.utf8.count, 4) + Array(text.utf8)
        }
        let body = entry(1, "SM4") + entry(2, "S4A01234") + entry(5, "2026-05-01 18:30:00-04:00")
        let found = try metadata(wav(chunk("wamd", body)))
        #expect(found.recordedAt == "2026-05-01T18:30:00-04:00")
        #expect(found.recordedAtFrom == .wamd)
        #expect(found.recorder == "SM4 S4A01234")
    }

    @Test func productionNotesOfFilmAreRead() throws {
        let xml =
            "<?xml version=\"1.0\"?><BWFXML><PROJECT>Harbour</PROJECT><SCENE>12 &amp;lt;A</SCENE>"
            + "<NOTE>wind</NOTE><BEXT><BWF_ORIGINATION_DATE>2026-05-01</BWF_ORIGINATION_DATE>"
            + "<BWF_ORIGINATION_TIME>05:30:00</BWF_ORIGINATION_TIME></BEXT></BWFXML>"
        let found = try metadata(wav(chunk("iXML", xml)))
        #expect(found.recordedAt == "2026-05-01T05:30:00" && found.recordedAtFrom == .ixml)
        #expect(found.description == "wind")
        // Escaped twice, it is no markup.
        #expect(found.tags == ["project": "Harbour", "scene": "12 &lt;A"])
    }

    @Test func recordingThatSaysNothingHasNoTime() throws {
        #expect(try metadata(wav()) == RecordingMetadata())
        let text = String(decoding: try JSONEncoder().encode(RecordingMetadata()), as: UTF8.self)
        #expect(text == #"{"recordedAt":null}"#)
    }

    /// Two of a kind, dates that are none, control characters, other encodings, lengths that lie.
    @Test func whatIsNoTextIsNotTold() throws {
        let dates = ["0000-00-00", "\u{1B}[31m", "9999-99-99"]
        for date in dates { #expect(try metadata(wav(bext(date))).recordedAt == nil) }
        let both = try metadata(wav(bext("2026-05-01"), bext("2001-01-01")))
        #expect(both.recordedAt == "2026-05-01T05:30:00")
        let latin = chunk("LIST", Array("INFO".utf8) + chunk("INAM", [0x47, 0xFC, 0x6E]))
        #expect(try metadata(wav(latin)).title == "Gün")
        let bytes = chunk("LIST", Array("INFO".utf8) + chunk("INAM", [0x47, 0x81, 0xFF]))
        #expect(try metadata(wav(bytes)).title == nil)
        let control = chunk("LIST", Array("INFO".utf8) + chunk("INAM", "a\u{1B}[31mb"))
        #expect(try metadata(wav(control)).title == nil)
        let liar = chunk("LIST", Array("INFOINAM".utf8) + little(0x7FFF_FFFF, 4) + [0x41])
        #expect(try metadata(wav(liar)).title == "A")
        let markup = chunk("LIST", Array("INFO".utf8) + chunk("INAM", "<script>"))
        #expect(try metadata(wav(markup)).title == "<script>")
        let many = (0..<10_000).map { "Key\($0): value\n" }.joined()
        #expect(try metadata(wav(chunk("guan", many))).tags?.count == 64)
        for count in 0..<80 {
            let chunks = [bext(), chunk("guan", "Timestamp: 2026"), chunk("wamd", [5, 0, 9])]
            _ = try? metadata(wav(chunks.flatMap { $0.dropLast(count * 7) }))
        }
    }

    /// As ffmpeg writes them: ID3 2.3 and 2.4, Vorbis comments, m4a, Matroska.
    @Test(arguments: ["mp3", "mp3 -id3v2_version 3", "flac", "ogg", "opus", "m4a", "mka", "aiff"])
    func tagsOfOtherContainersAreRead(kind: String) throws {
        let words = kind.split(separator: " ", maxSplits: 1).map(String.init)
        let file = folder.path(Pathname("x.\(words[0])"))
        let options = words.count > 1 ? words[1] : ""
        let id3 = words[0] == "aiff" ? "-write_id3v2 0" : ""
        let made = Tool.shell(
            "ffmpeg -v error -nostdin -y -f lavfi -i sine=d=1 -metadata title='Grüße'"
                + " -metadata artist=me -metadata date=2026-05-01 \(options) \(id3) '\(file.text)'")
        #expect(made.status == 0, "\(made.errors)")
        let found = try AudioFileReader(opening: file).metadata
        #expect(found.title == "Grüße")
        if words[0] != "aiff" {
            #expect(found.recordedAt == "2026-05-01" && found.recordedAtFrom == .tag)
            #expect(found.tags?["artist"] == "me")
        }
    }
}
