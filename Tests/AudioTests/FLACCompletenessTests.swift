import Audio
import CSndfile
import Recordings
import TestSupport
import Testing

/// FLACs that lack frames, hold others than they should, or say little of what they hold.
@Suite struct FLACCompletenessTests {
    private let folder = TestFolder()
    private static let frames = 30000

    /// A short stream.
    private func sound() -> Pathname {
        let path = folder.path("sound.flac")
        SoundMaker.write(
            tone(frames: Self.frames), format: SF_FORMAT_FLAC | SF_FORMAT_PCM_16, to: path)
        return path
    }

    /// A stream of 700,000 frames of sound, and where its frames of 4096 begin, and the last one.
    private func longFLAC() throws -> ([UInt8], [Int]) {
        let bytes = Self.longStream
        return (bytes, try FLACBytes.places(ofFrames: 0...170, in: bytes))
    }

    /// Made once, as it takes a while.
    private static let longStream = {
        let folder = TestFolder()
        let path = folder.path("long.flac")
        SoundMaker.write(
            tone(frames: 700_000), format: SF_FORMAT_FLAC | SF_FORMAT_PCM_16, to: path)
        return TestFolder.bytes(of: path)
    }()

    private enum Kind: CaseIterable { case usual, tagged, taggedTwice, piped, taggedAndPiped }

    /// The decoder puts silence in the place of frames that are not there, too, and has no word for
    /// it.
    ///
    /// Frames of the stream hold 4096 frames of sound; so many are missing from one on.
    @Test(arguments: [(1, 1), (2, 3), (100, 1), (15, 60), (168, 1)], Kind.allCases)
    private func missingFramesAreReportedAsCorrupt(
        missing: (first: Int, count: Int), of kind: Kind
    ) throws {
        var (bytes, places) = try longFLAC()
        let (first, count) = missing
        bytes.removeSubrange(places[first]..<places[first + count])
        if [.piped, .taggedAndPiped].contains(kind) { FLACBytes.say(frames: 0, in: &bytes) }
        if kind != .usual, kind != .piped { bytes = SoundMaker.tag + bytes }
        if kind == .taggedTwice { bytes = SoundMaker.tag + bytes }
        let (_, error) = try Decoded.ending(of: folder.write(bytes, to: "missing.flac"))
        #expect(error?.reason == .corrupt && error?.frame == Int64(4096 * first))
    }

    /// Whatever is missing before, a recorder may still be writing what is cut off.
    @Test(arguments: [1, 2, 60], [false, true])
    func truncationIsReportedDespiteMissingFrames(count: Int, isTagged: Bool) throws {
        var (bytes, places) = try longFLAC()
        bytes.removeLast(bytes.count - places[100] - 9)
        bytes.removeSubrange(places[20]..<places[20 + count])
        bytes = isTagged ? SoundMaker.tag + bytes : bytes
        let (_, error) = try Decoded.ending(of: folder.write(bytes, to: "missing.flac"))
        #expect(error?.reason == .truncated && error?.expected == 700_000)
    }

    /// Of a stream that says no length, too, a part of a frame shows that there was more; be it as
    /// short as the decoder leaves out without a word.
    @Test(arguments: [1, 7, 15, 16, 1000], [false, true])
    func cutOffPipedStreamIsReportedAsTruncated(bytesThere: Int, isTagged: Bool) throws {
        var (bytes, places) = try longFLAC()
        FLACBytes.say(frames: 0, in: &bytes)
        bytes.removeLast(bytes.count - places[20] - bytesThere)
        bytes = isTagged ? SoundMaker.tag + bytes : bytes
        let (decoded, error) = try Decoded.ending(of: folder.write(bytes, to: "piped.flac"))
        #expect(error?.reason == .truncated && error?.frame == 20 * 4096)
        #expect(decoded.int16.count == 20 * 4096)
    }

    /// The length may lie within the last block.
    @Test(arguments: [1, 100, 3679])
    func blockBeyondHeaderLengthIsReportedAsCorrupt(frames: Int64) throws {
        var (bytes, _) = try longFLAC()
        FLACBytes.say(frames: 700_000 - frames, in: &bytes)
        let (decoded, error) = try Decoded.ending(of: folder.write(bytes, to: "short.flac"))
        #expect(error?.reason == .corrupt && error?.frame == 700_000 - frames)
        #expect(decoded.int16.count == 700_000 - Int(frames))
    }

    /// The header says 16 bits, and libsndfile leaves out what others have more.
    @Test func framesWithMoreBitsAreReportedAsCorrupt() throws {
        let (bytes, places) = try longFLAC()
        let wide = folder.path("wide.flac")
        SoundMaker.write(
            tone(frames: 700_000), format: SF_FORMAT_FLAC | SF_FORMAT_PCM_24, to: wide)
        let others = TestFolder.bytes(of: wide)
        let first = try FLACBytes.places(ofFrames: 10...10, in: others)[0]
        let joined = bytes[..<places[10]] + others[first...]
        let (_, error) = try Decoded.ending(of: folder.write(Array(joined), to: "bits.flac"))
        #expect(error?.reason == .corrupt && error?.frame == 10 * 4096)
    }

    /// Frames in the place of others, as many as there should be; damage is at the first that is
    /// none of its place.
    @Test(arguments: [
        (removed: 0..<1, repeated: 1), (0..<1, 19), (19..<20, 20), (20..<21, 19), (170..<171, 19),
        (0..<0, 50), (1..<2, 0),
    ])
    func misplacedFramesAreReportedAsCorrupt(removed: Range<Int>, repeated: Int) throws {
        let (bytes, places) = try longFLAC()
        let ends = Array(places.dropFirst()) + [bytes.count]
        var order = Array(0...170)
        order.removeAll { removed.contains($0) }
        if let place = order.firstIndex(of: repeated) { order.insert(repeated, at: place) }
        let frames = order.flatMap { bytes[places[$0]..<ends[$0]] }
        let path = folder.write(Array(bytes[..<places[0]]) + frames, to: "other.flac")
        let (_, error) = try Decoded.ending(of: path)
        let wrong = try #require(order.indices.first { order[$0] != $0 })
        #expect(error?.reason == .corrupt && error?.frame == Int64(4096 * wrong))
    }

    /// The header of the first of two streams, as of what ffmpeg joins without encoding it anew.
    @Test(arguments: [false, true])
    func framesBeyondHeaderLengthAreReportedAsChained(isTagged: Bool) throws {
        var (bytes, places) = try longFLAC()
        bytes += bytes[places[0]..<places[3]]
        bytes = isTagged ? SoundMaker.tag + bytes : bytes
        let (decoded, error) = try Decoded.ending(of: folder.write(bytes, to: "more.flac"))
        #expect(error?.reason == .chainedStreams && error?.frame == 700_000)
        #expect(decoded.int16.count == 700_000)
    }

    /// As of encoders that count the last block too, or leave the sizes out: numbers are misread.
    @Test(arguments: [(1000, 4096), (0, 0)], [false, true])
    func streamWithoutFixedBlockSizeIsReadToEnd(
        sizes: (least: Int, most: Int), isPiped: Bool
    ) throws {
        var (bytes, _) = try longFLAC()
        FLACBytes.say(blocks: sizes, in: &bytes)
        if isPiped { FLACBytes.say(frames: 0, in: &bytes) }
        let path = folder.write(bytes, to: "numbered.flac")
        #expect(try Decoded(path, blockFrames: 8192).int16.count == 700_000)
    }

    /// What is found by numbers is not where they say.
    @Test(arguments: [2048, 3072, 8192]) func wrongBlockSizeInHeaderIsReportedAsCorrupt(
        size: Int
    ) throws {
        var (bytes, _) = try longFLAC()
        FLACBytes.say(blocks: (size, size), in: &bytes)
        let (_, error) = try Decoded.ending(of: folder.write(bytes, to: "sizes.flac"))
        #expect(error?.reason == .corrupt && error?.frame == 4096)
    }

    /// As ffmpeg takes it out without encoding it anew.
    @Test(arguments: [1, 20, 169]) func extractedPartOfStreamIsComplete(first: Int) throws {
        var (bytes, places) = try longFLAC()
        let whole = try Decoded(folder.write(bytes, to: "whole.flac"), blockFrames: 8192)
        bytes.removeSubrange(places[0]..<places[first])
        FLACBytes.say(frames: 0, in: &bytes)
        let part = try Decoded(folder.write(bytes, to: "part.flac"), blockFrames: 8192)
        #expect(part.int16.elementsEqual(whole.int16.dropFirst(4096 * first)))
    }

    @Test(arguments: [1, 2], [0, 10, 128, 65_500, 65_502, 65_504, 70_000])
    func secondStreamAfterTagIsReportedAsChained(channels: Int, padding: Int) throws {
        try expectSecondStream(
            channels: channels, before: SoundMaker.tag,
            between: SoundMaker.tag + Array(repeating: 0, count: padding))
    }

    @Test(arguments: [1, 2], [false, true])
    func secondStreamIsReportedAsChained(channels: Int, isTagged: Bool) throws {
        try expectSecondStream(
            channels: channels, before: isTagged ? SoundMaker.tag : [], between: [])
    }

    private func expectSecondStream(
        channels: Int, before: [UInt8], between: [UInt8]
    ) throws {
        let format = SF_FORMAT_FLAC | SF_FORMAT_PCM_16
        let second = folder.path("second.flac")
        SoundMaker.write(
            tone(frames: 9000, channels: channels), format: format, channels: channels, to: second)
        let first = TestFolder.bytes(of: sound())
        let both = before + first + between + TestFolder.bytes(of: second)
        let path = folder.write(both, to: "both.flac")
        let (decoded, error) = try Decoded.ending(of: path)
        #expect(error?.reason == .chainedStreams)
        #expect(error?.frame == Int64(Self.frames) && decoded.int16.count == Self.frames)
    }

    /// Such as the tag that players once put there, where they put another one before it, too.
    @Test(arguments: [false, true], [false, true])
    func trailingTagsAreSkipped(isBefore: Bool, isPiped: Bool) throws {
        let before = isBefore ? SoundMaker.tag : []
        let behind = Array("TAG".utf8) + Array(repeating: 0x20, count: 125)
        var whole = TestFolder.bytes(of: sound())
        if isPiped { FLACBytes.say(frames: 0, in: &whole) }
        let path = folder.write(before + whole + behind, to: "tagged.flac")
        #expect(try Decoded(path, blockFrames: 999).int16.count == Self.frames)
    }
}
