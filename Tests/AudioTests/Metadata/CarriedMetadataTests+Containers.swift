import Recordings
import TestSupport
import Testing

@testable import Audio

/// What goes from one container to another, and back.
extension CarriedMetadataTests {
    /// A copy of a file that keeps some of it, in its container.
    private func again(
        _ bytes: [UInt8], keeping ranges: [Range<Int64>], of frames: Int64, name: Pathname
    ) throws -> (bytes: [UInt8], loss: MetadataLoss) {
        let path = folder.path("again")
        let loss = try TrimmedCopy.loss(
            keeping: EditList(keeping: ranges, of: frames), from: folder.write(bytes, to: name),
            to: path, container: name.text.hasSuffix("flac") ? .flac : .same)
        return (TestFolder.bytes(of: path), try #require(loss))
    }

    /// A FLAC file of `frames` frames with blocks behind the first.
    private func flac(_ blocks: [UInt8]) throws -> [UInt8] {
        var (bytes, _) = try copy(wav(), keeping: [0..<1600], as: .flac)
        bytes.insert(contentsOf: blocks, at: 42)
        return bytes
    }

    private func foreign(_ chunk: [UInt8]) -> [UInt8] {
        FLACBlock.bytes(.application, Array("riff".utf8) + chunk)
    }

    private func fields(_ texts: [String]) -> [UInt8] {
        let fields = texts.compactMap { VorbisComment(Array($0.utf8)) }
        return FLACBlock.bytes(.comments, VorbisComment.body(fields, by: ""))
    }

    /// A chapter is listed as cut only if all its sound is.
    @Test func chaptersStayWithTheSoundThatTheyHave() throws {
        // Seconds of 8,000 frames: 200, 700, 1000 and 1200.
        let times = ["0.025", "0.0875", "0.125", "0.15"]
        let chapters = times.enumerated().flatMap { index, time in
            ["CHAPTER00\(index + 1)=00:00:0\(time)", "CHAPTER00\(index + 1)NAME=part \(index + 1)"]
        }
        let (copied, loss) = try again(
            flac(fields(chapters)), keeping: [400..<1000, 1200..<1600], of: 1600, name: "c.flac")
        let text = String(decoding: copied, as: UTF8.self)
        // To the millisecond.
        for (time, name) in [("0.000", 1), ("0.038", 2), ("0.075", 4)] {
            #expect(text.contains("=00:00:0\(time)"))
            #expect(text.contains("NAME=part \(name)"))
        }
        #expect(loss.cuePoints.map(\.label) == ["part 3"])
    }

    /// The tag of a chunk is as a tag in front of an MP3.
    @Test func chaptersOfATagInAChunkMove() throws {
        func frame(_ id: String, _ body: [UInt8]) -> [UInt8] {
            Array(id.utf8) + [0, 0, 0, UInt8(body.count), 0, 0] + body
        }
        // From 0.1 s, which is frame 800, to 0.2 s.
        let chapter = frame(
            "CHAP",
            Array("one".utf8) + [0] + [0, 0, 0, 100, 0, 0, 0, 200]
                + [UInt8](repeating: 0xFF, count: 8) + frame("TIT2", [3] + Array("Two".utf8)))
        let frames = chapter + frame("TIT2", [3] + Array("All".utf8))
        let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, UInt8(frames.count)] + frames
        let (copy, _) = try copy(wav(chunk("id3 ", tag)))
        #expect(try cues(copy) == [1: [400, 600]])
        let kept = try #require(try bodies("id3 ", in: copy).first)
        #expect(kept.ranges(of: Array("CHAP".utf8)).isEmpty)
        #expect(kept.ranges(of: Array("All".utf8)).count == 1)
    }

    @Test func whatIsOfTheWholeRecordingIsLeftOffEverywhere() throws {
        let production = """
            <BWFXML><NOTE>x</NOTE><LOUDNESS><LOUDNESS_VALUE>-23</LOUDNESS_VALUE></LOUDNESS>\
            <SYNC_POINT_LIST><SYNC_POINT_TYPE>RELATIVE</SYNC_POINT_TYPE></SYNC_POINT_LIST></BWFXML>
            """
        let (copy, loss) = try copy(
            wav(chunk("MD5 ", "0123456789abcdef"), chunk("iXML", production)))
        #expect(loss.leftOff == ["MD5 ", "iXML LOUDNESS", "iXML SYNC_POINT_LIST"])
        let kept = try bodies("iXML", in: copy).map { String(decoding: $0, as: UTF8.self) }
        #expect(kept == ["<BWFXML><NOTE>x</NOTE></BWFXML>"])

        let absolute = production.replacing("RELATIVE", with: "ABSOLUTE")
        #expect(try self.copy(wav(chunk("iXML", absolute))).loss.leftOff == ["iXML LOUDNESS"])
    }

    /// Chunks in a FLAC file are those of a WAV file: checked, moved and told alike.
    @Test func chunksThatAFLACFileKeepsAreThoseOfAWAVFile() throws {
        var broadcast = bext()
        broadcast.replaceSubrange(8 + 338..<8 + 346, with: little(5000, 8))
        let blocks = [
            broadcast, chunk("smpl", "loops"), chunk("own ", "kept"), Array("tiny".utf8),
            Array("\u{1}\u{2}\u{3}\u{4}".utf8) + little(2, 4) + [7, 7],
            Array("cut ".utf8) + little(900, 4) + [7, 7],
        ].flatMap(foreign)
        let file = try flac(blocks)
        let told = try AudioFileReader(opening: folder.write(file, to: "f.flac")).metadata
        #expect(told.recordedAt == "2026-05-01T05:30:00")
        #expect(told.recordedAtFrom == .bext)

        let (copied, loss) = try again(file, keeping: [400..<1000], of: 1600, name: "f.flac")
        #expect(loss.leftOff == ["smpl"])
        let source = try SourceFile(opening: folder.write(copied, to: "g.flac"))
        let chunks = FLACBlock.foreignChunks(of: source)
        #expect(chunks.map(\.id) == ["fmt ", "bext", "own "])
        #expect(copied.ranges(of: little(5400, 8)).count == 1)
    }

    @Test func pictureThatIsNoneIsLeftOffAndBreaksNothing() throws {
        for text in ["METADATA_BLOCK_PICTURE=AAAA", "METADATA_BLOCK_PICTURE=no!", "CUESHEET=x"] {
            let (copied, loss) = try again(
                flac(fields([text, "TITLE=Sea"])), keeping: [400..<1000], of: 1600, name: "p.flac")
            #expect(loss.leftOff == [text.hasPrefix("CUE") ? "CUESHEET" : "PICTURE"])
            let read = try AudioFileReader(opening: folder.write(copied, to: "q.flac"))
            #expect(read.metadata.title == "Sea")
        }
    }

    /// libsndfile would make loudspeakers of them.
    @Test func channelsThatAreNoLoudspeakersStaySuch() throws {
        let format = chunk(
            "fmt ",
            little(0xFFFE, 2) + little(4, 2) + little(8000, 4) + little(64000, 4) + little(8, 2)
                + little(16, 2) + little(22, 2) + little(16, 2) + little(0, 4) + little(1, 2)
                + SpeakerLayout.plainIdentifier)
        let body = Array("WAVE".utf8) + format + chunk("data", [UInt8](repeating: 1, count: 12800))
        let file = Array("RIFF".utf8) + little(body.count, 4) + body
        for container in [TrimmedContainer.same, .wav] {
            let (copy, _) = try copy(file, keeping: [0..<1000], as: container)
            let header = try #require(try bodies("fmt ", in: copy).first)
            #expect(Array(header[..<4]) == little(1, 2) + little(4, 2))
        }
    }

    @Test func wavSaysNoMoreThanItsRecording() throws {
        let (copy, _) = try copy(wav(bext()))
        #expect(try bodies("LIST", in: copy).isEmpty)
    }

    @Test func chunksWithoutAPlaceInTheCopyAreNamed() throws {
        func big(_ number: Int, _ bytes: Int) -> [UInt8] { little(number, bytes).reversed() }
        func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
            Array(name.utf8) + big(body.count, 4) + body
        }
        // 8,000 Hz as a number of 80 bits.
        let rate: [UInt8] = [0x40, 0x0B, 0xFA, 0, 0, 0, 0, 0, 0, 0]
        let common = chunk("COMM", big(1, 2) + big(1600, 4) + big(16, 2) + rate)
        let sound = chunk("SSND", [UInt8](repeating: 0, count: 8 + 3200))
        let texts = chunk("NAME", Array("Sea!".utf8)) + chunk("COMT", big(0, 2))
        let body = Array("AIFF".utf8) + common + texts + chunk("APPL", Array("abcd".utf8)) + sound
        let file = Array("FORM".utf8) + big(body.count, 4) + body
        for container in [TrimmedContainer.wav, .flac] {
            let (_, loss) = try copy(file, as: container, name: "a.aiff")
            #expect(loss.leftOff == ["APPL", "COMT"])
        }
        #expect(try copy(file, name: "a.aiff").loss.leftOff.isEmpty)
    }
}
