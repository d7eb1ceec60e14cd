import Recordings
import TestSupport
import Testing

@testable import Audio

@Suite struct MP4MovieTests {
    private let folder = TestFolder()

    private func box(_ name: String, _ body: [UInt8]) -> [UInt8] {
        number(8 + body.count) + Array(name.utf8) + body
    }

    private func number(_ value: Int, bytes: Int = 4) -> [UInt8] {
        (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private func header(_ name: String, timescale: Int, units: Int, isWide: Bool = false) -> [UInt8]
    {
        let width = isWide ? 8 : 4
        return box(
            name,
            [isWide ? 1 : 0, 0, 0, 0] + number(0, bytes: 2 * width) + number(timescale)
                + number(units, bytes: width))
    }

    private func edits(_ edits: [(length: Int, start: Int)]) -> [UInt8] {
        let entries = edits.flatMap { number($0.length) + number($0.start) + number(1 << 16) }
        return box("edts", box("elst", number(0) + number(edits.count) + entries))
    }

    private func track(
        _ handler: String = "soun", timescale: Int = 44_100, units: Int = 90_000,
        isWide: Bool = false, edited: [UInt8] = []
    ) -> [UInt8] {
        let media =
            header("mdhd", timescale: timescale, units: units, isWide: isWide)
            + box("hdlr", number(0) + number(0) + Array(handler.utf8))
        return box("trak", edited + box("mdia", media))
    }

    private func movie(_ tracks: [UInt8], more: [UInt8] = []) throws -> MP4Movie? {
        let bytes =
            box("ftyp", Array("M4A ".utf8)) + box("mdat", [1, 2, 3])
            + box("moov", header("mvhd", timescale: 1000, units: 2000) + tracks + more)
        return MP4Movie(of: try SourceFile(opening: folder.write(bytes, to: "a.m4a")))
    }

    @Test func lengthOfTrackIsReadInBothVersions() throws {
        #expect(try movie(track())?.frames(atRate: 44_100) == 90_000)
        #expect(try movie(track(isWide: true))?.frames(atRate: 44_100) == 90_000)
        #expect(try movie(track("vide", units: 5) + track())?.frames(atRate: 44_100) == 90_000)
    }

    @Test func lengthIsConvertedToTheDecodersRate() throws {
        #expect(try movie(track())?.frames(atRate: 88_200) == 180_000)
    }

    @Test func coarseTimescaleStatesNoFrames() throws {
        #expect(try movie(track(timescale: 600))?.frames(atRate: 44_100) == nil)
    }

    @Test func editListExcludesDelayAndPadding() throws {
        // 2 s of movie units, of a track that is longer by its padding.
        let padded = track(edited: edits([(2000, 1024)]))
        #expect(try movie(padded)?.frames(atRate: 44_100) == 88_200)
        #expect(try movie(padded)?.hasEdits == true)
        #expect(try movie(track())?.hasEdits == false)
    }

    @Test func roundedEditLengthDoesNotShortenTrack() throws {
        // 88,976 units are 2,017.6 ms.
        for length in [2017, 2018] {
            let edited = track(edited: edits([(length, 1024)]))
            #expect(try movie(edited)?.frames(atRate: 44_100) == 88_976)
        }
    }

    @Test func initialSilenceInEditListIsNoSound() throws {
        let late = track(edited: edits([(500, -1), (2017, 1024)]))
        #expect(try movie(late)?.frames(atRate: 44_100) == 88_976)
    }

    @Test func severalEditsOrFragmentsStateNoFrames() throws {
        let cut = track(edited: edits([(500, 0), (500, 60_000)]))
        #expect(try movie(cut)?.frames(atRate: 44_100) == nil)
        #expect(try movie(track(), more: box("mvex", []))?.frames(atRate: 44_100) == nil)
    }

    @Test func fileWithoutMovieHasNone() throws {
        let bytes = box("ftyp", Array("M4A ".utf8)) + box("mdat", Array(repeating: 0, count: 5000))
        let source = try SourceFile(opening: folder.write(bytes, to: "a.m4a"))
        #expect(MP4Movie.begins(source))
        #expect(MP4Movie(of: source) == nil)
    }

    @Test func damagedBoxesAreReadWithoutHarm() throws {
        let whole = box("moov", header("mvhd", timescale: 1000, units: 9) + track())
        var random = SeededGenerator(seed: 3)
        for _ in 0..<2000 {
            var bytes = whole
            for _ in 0..<3 {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(
                    in: 0...255, using: &random)
            }
            let source = try SourceFile(opening: folder.write(bytes, to: "b.m4a"))
            let frames = MP4Movie(of: source)?.frames(atRate: 44_100)
            #expect(frames.map { $0 > 0 } != false)
        }
    }
}
