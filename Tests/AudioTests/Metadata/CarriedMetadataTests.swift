import Foundation
import Recordings
import TestSupport
import Testing

@testable import Audio

/// What copies take along of a recording's metadata.
@Suite struct CarriedMetadataTests {
    let folder = TestFolder()

    /// Frames of the file that `wav` makes.
    let frames: Int64 = 1600

    func copy(
        _ bytes: [UInt8], keeping ranges: [Range<Int64>] = [400..<1000, 1200..<1600],
        as container: TrimmedContainer = .same, name: Pathname = "a.wav"
    ) throws -> (bytes: [UInt8], loss: MetadataLoss) {
        let path = folder.path("copy")
        let loss = try TrimmedCopy.loss(
            keeping: EditList(keeping: ranges, of: frames), from: folder.write(bytes, to: name),
            to: path, container: container)
        return (TestFolder.bytes(of: path), try #require(loss))
    }

    /// The bodies of a WAV file's chunks with that name.
    func bodies(_ name: String, in file: [UInt8]) throws -> [[UInt8]] {
        let source = try SourceFile(opening: folder.write(file, to: "read.wav"))
        let grammar = try #require(ChunkGrammar(beginning: source.bytes(at: 0, count: 16)))
        return grammar.chunks(in: source).filter { $0.id == name }.map {
            source.bytes(at: $0.body, count: Int($0.bytes))
        }
    }

    func cue(_ points: [(id: Int, frame: Int)]) -> [UInt8] {
        chunk(
            "cue ",
            little(points.count, 4)
                + points.flatMap {
                    little($0.id, 4) + little($0.frame, 4) + Array("data".utf8) + little(0, 8)
                        + little($0.frame, 4)
                })
    }

    func label(_ id: Int, _ text: String) -> [UInt8] {
        chunk("labl", little(id, 4) + Array(text.utf8) + [0])
    }

    func stretch(_ id: Int, _ frames: Int) -> [UInt8] {
        chunk("ltxt", little(id, 4) + little(frames, 4) + Array("rgn ".utf8) + little(0, 8))
    }

    /// The places and lengths of a copy's cue points, by their ids.
    func cues(_ copy: [UInt8]) throws -> [UInt32: [Int64]] {
        let lists = try bodies("LIST", in: copy)
        let points = try bodies("cue ", in: copy).first ?? []
        let all = [CuePoint](riff: points, lists, bigEndian: false)
        return Dictionary(uniqueKeysWithValues: all.map { ($0.id, [$0.frame, $0.length]) })
    }

    @Test func cuePointsMoveWithTheSoundAndThoseInCutsAreListed() throws {
        let points = [
            (1, 0), (2, 400), (3, 999), (4, 1000), (5, 1199), (6, 1200), (7, 1600), (8, 9999),
        ]
        let texts = points.flatMap { label($0.0, "point \($0.0)") }
        let list = chunk("LIST", Array("adtl".utf8) + texts)
        let (copy, loss) = try copy(wav(cue(points), list, isBefore: false))
        #expect(try cues(copy) == [2: [0, 0], 3: [599, 0], 6: [600, 0], 7: [1000, 0]])
        #expect(loss.cuePoints.map(\.frame) == [0, 1000, 1199, 9999])
        #expect(loss.cuePoints.map(\.label) == ["point 1", "point 4", "point 5", "point 8"])
    }

    @Test func stretchesLoseWhatIsCutOfThem() throws {
        // Around the first cut, over the second, within it, beyond the end, and before all.
        let points = [(1, 300), (2, 900), (3, 1050), (4, 1500), (5, 10)]
        let lengths = [(1, 200), (2, 400), (3, 100), (4, 5000), (5, 20)]
        let texts = lengths.flatMap { stretch($0.0, $0.1) }
        let (copy, loss) = try copy(wav(cue(points), chunk("LIST", Array("adtl".utf8) + texts)))
        #expect(try cues(copy) == [1: [0, 100], 2: [500, 200], 4: [900, 100]])
        #expect(loss.cuePoints.map(\.frame) == [1050, 10])
    }

    @Test(arguments: [TrimmedContainer.same, .flac])
    func timeReferenceMovesToTheFrame(container: TrimmedContainer) throws {
        var broadcast = bext()
        broadcast.replaceSubrange(8 + 338..<8 + 346, with: little(0x1_FFFF_FF00, 8))
        let (copy, _) = try copy(wav(broadcast, broadcast), as: container)
        let moved = little(0x1_FFFF_FF00 + 400, 8)
        // Both of two, as nobody knows which one counts.
        #expect(copy.ranges(of: moved).count == 2)
        #expect(copy.ranges(of: Array("T=tapedeck; cut\r\n".utf8)).count == 2)
    }

    @Test(arguments: [TrimmedContainer.same, .flac])
    func unknownChunksAndOtherEncodingsAreKeptAsBytes(container: TrimmedContainer) throws {
        let odd: [UInt8] = [0xFF, 0xFE, 0, 1, 0x80, 0x0A, 0x1B]
        let info = chunk("LIST", Array("INFO".utf8) + chunk("INAM", odd))
        let (copy, loss) = try copy(
            wav(chunk("own ", odd), info, chunk("iXML", odd), chunk("guan", odd)), as: container)
        #expect(copy.ranges(of: Array("own ".utf8) + little(7, 4) + odd).count == 1)
        #expect(copy.ranges(of: Array("INAM".utf8) + little(7, 4) + odd).count == 1)
        #expect(copy.ranges(of: odd).count == 4)
        #expect(loss == MetadataLoss())
    }

    @Test func whatTheCopyMakesAnewOrWouldSayWronglyIsNotCopied() throws {
        let (copy, loss) = try copy(
            wav(chunk("PEAK", "x"), chunk("JUNK", "y"), chunk("smpl", "z"), chunk("levl", "u")))
        for name in ["PEAK", "JUNK", "smpl", "levl"] {
            #expect(try bodies(name, in: copy).isEmpty)
        }
        #expect(loss.leftOff == ["levl", "smpl"])
    }

    @Test func whatIsTooLongIsLeftOffAndNamed() throws {
        let long = [UInt8](repeating: 7, count: CarriedMetadata.mostBytes + 1)
        let (copy, loss) = try copy(wav(chunk("long", long), chunk("next", "kept")))
        #expect(copy.count < 10_000)
        #expect(try bodies("next", in: copy) == [Array("kept".utf8)])
        #expect(loss.leftOff == ["long"])
    }

    @Test(arguments: [0, 3, 4, 24, 27, 100])
    func brokenCuePointsLoseNothingElse(bytes: Int) throws {
        let body = [UInt8](repeating: 0xFF, count: bytes)
        let list = chunk("LIST", Array("adtl".utf8) + [UInt8](repeating: 0xFF, count: bytes))
        let (copy, _) = try copy(wav(chunk("cue ", body), list, chunk("own ", "kept")))
        #expect(try bodies("own ", in: copy) == [Array("kept".utf8)])
        #expect(try Decoded(folder.write(copy, to: "b.wav")).format.frames == 1000)
    }

    /// A header that says how long the file is, with the sound where it says.
    @Test(arguments: [[UInt8](), Array("odd".utf8)])
    func headerOfCopyIsRight(body: [UInt8]) throws {
        let (copy, _) = try copy(wav(chunk("own ", body)))
        #expect(little(copy.count - 8, 4) == Array(copy[4..<8]))
        #expect(try Decoded(folder.write(copy, to: "b.wav")).int16.count == 1000)
    }

    @Test func copyOfACopyIsMovedOnceMore() throws {
        let first = try copy(wav(bext(), cue([(1, 700)])), keeping: [400..<1600]).bytes
        let path = folder.path("again")
        _ = try TrimmedCopy.loss(
            keeping: EditList(keeping: [100..<1200], of: 1200),
            from: folder.write(first, to: "b.wav"), to: path, container: .same)
        let second = TestFolder.bytes(of: path)
        #expect(try cues(second) == [1: [200, 0]])
        let broadcast = try #require(try bodies("bext", in: second).first)
        #expect(Array(broadcast[338..<346]) == little(500, 8))
    }

    /// The decoder passes over them.
    @Test func tagInFrontOfAnyFileIsKept() throws {
        let frame = Array("TIT2".utf8) + [0, 0, 0, 4, 0, 0, 3] + Array("Sea".utf8)
        let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, UInt8(frame.count)] + frame
        let file = tag + wav()
        let found = try AudioFileReader(opening: folder.write(file, to: "t.wav")).metadata
        #expect(found.title == "Sea")
        let (copy, _) = try copy(file)
        #expect(copy.ranges(of: Array("Sea".utf8)).count == 1)
    }

    /// A name that is repeated for each of many values must not fill the copy, or the memory.
    @Test func frameOfManyValuesDoesNotGrow() throws {
        let frames = (0..<400).flatMap { _ -> [UInt8] in
            let body =
                [3] + [UInt8](repeating: 0x41, count: 1000) + [0]
                + Array(repeating: [0x42, 0], count: 60).joined()
            let size = [UInt8(body.count >> 7), UInt8(body.count & 0x7F)]
            return Array("TXXX".utf8) + [0, 0] + size + [0, 0] + body
        }
        let size = [14, 7, 0].map { UInt8(frames.count >> $0 & 0x7F) }
        let tag = Array("ID3".utf8) + [4, 0, 0, UInt8(frames.count >> 21)] + size + frames
        let (copy, _) = try copy(tag + wav(), as: .flac)
        // Fields of at most half of what a block may have.
        #expect(copy.count < CarriedMetadata.mostBytes / 2 + 200_000)
        let path = folder.write(copy, to: "many.flac")
        #expect(try AudioFileReader(opening: path).format.frames == 1000)
    }

    @Test func guanoTimeMovesAcrossMidnightAndLengthIsTheCopys() throws {
        let text = "GUANO|Version: 1.0\nTimestamp: 2027-02-28T23:59:59.990+02:00\nLength: 0.2\n"
        let (copy, _) = try copy(wav(chunk("guan", text)))
        let moved = try #require(try bodies("guan", in: copy).first)
        #expect(
            String(decoding: moved, as: UTF8.self)
                == "GUANO|Version: 1.0\nTimestamp: 2027-03-01T00:00:00.040000+02:00\nLength: 0.125\n"
        )
    }
}
