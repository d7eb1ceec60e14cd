import Recordings
import TestSupport
import Testing

@testable import Audio

/// MPEG streams of silence, frame by frame.
@Suite struct MPEGTests {
    private let folder = TestFolder()

    /// A frame of layer III at 44.1 kHz, mono: header and nothing that sounds.
    private func frame(rateIndex: UInt8 = 9, body: [UInt8] = []) -> [UInt8] {
        let kilobits = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160][Int(rateIndex)]
        let header: [UInt8] = [0xFF, 0xFB, rateIndex << 4, 0xC0]
        let bytes = header + body
        return bytes + Array(repeating: 0, count: 144_000 * kilobits / 44100 - bytes.count)
    }

    /// The frame before all others that tells how many they are.
    private func count(_ frames: Int, bytes: Int? = nil) -> [UInt8] {
        let sideInformation = [UInt8](repeating: 0, count: 17)
        let digits = [frames, bytes ?? 0].flatMap { number in
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
        }
        let flags: UInt8 = bytes == nil ? 1 : 3
        return frame(body: sideInformation + Array("Xing".utf8) + [0, 0, 0, flags] + digits)
    }

    private func frames(_ count: Int) -> [UInt8] {
        (0..<count).flatMap { frame(rateIndex: $0 % 3 == 0 ? 1 : 9) }
    }

    private func ending(of bytes: [UInt8]) throws -> (Decoded, AudioFileError?) {
        try Decoded.ending(of: folder.write(bytes, to: "stream.mp3"))
    }

    @Test func vbrStreamWithoutXingHeaderIsReadToEnd() throws {
        // From the small first frame alone, the stream would seem three times as long; from a large
        // one, shorter than it is.
        for bytes in [frames(100), frame(rateIndex: 10) + frames(99)] {
            let (decoded, error) = try ending(of: bytes)
            #expect(error == nil)
            #expect(decoded.int16.count == 100 * 1152)
            #expect(decoded.format.encoding == .mp3)
            #expect(decoded.format.container == .mp3)
        }
    }

    /// The bytes of frames with the first and the last rate of every table: headers, and lengths by
    /// the formulas of ISO 11172-3, 2.4.3.1.
    private static let lengths: [([UInt8], Int)] = [
        // Version 1 at 44.1 kHz, layers I, II and III.
        ([0xFF, 0xFF, 0x10, 0], 12_000 * 32 / 44_100 * 4),
        ([0xFF, 0xFF, 0xE2, 0], (12_000 * 448 / 44_100 + 1) * 4),
        ([0xFF, 0xFD, 0x10, 0], 144_000 * 32 / 44_100),
        ([0xFF, 0xFD, 0xE0, 0], 144_000 * 384 / 44_100),
        ([0xFF, 0xFB, 0x10, 0], 144_000 * 32 / 44_100),
        ([0xFF, 0xFB, 0xE2, 0], 144_000 * 320 / 44_100 + 1),
        // Version 2 at 24 kHz, and 2.5 at 8 kHz.
        ([0xFF, 0xF7, 0x14, 0], 12_000 * 32 / 24_000 * 4),
        ([0xFF, 0xF7, 0xE4, 0], 12_000 * 256 / 24_000 * 4),
        ([0xFF, 0xF5, 0x14, 0], 144_000 * 8 / 24_000),
        ([0xFF, 0xF5, 0xE4, 0], 144_000 * 160 / 24_000),
        ([0xFF, 0xF3, 0x14, 0], 72_000 * 8 / 24_000),
        ([0xFF, 0xE3, 0xE8, 0], 72_000 * 160 / 8000),
    ]

    @Test(arguments: lengths) func frameLengthMatchesISOFormula(header: [UInt8], bytes: Int) {
        #expect(MPEGHeader(header[...])?.byteCount == bytes)
        // Behind something else too.
        #expect(MPEGHeader(([7] + header)[1...])?.byteCount == bytes)
    }

    @Test func framesAreCheckedAgainstXingCount() throws {
        #expect(try ending(of: count(50) + frames(50)).1 == nil)
        let (decoded, error) = try ending(of: count(50) + frames(30))
        #expect(error?.reason == .truncated)
        #expect(error?.frame == Int64(decoded.int16.count))
        #expect(error?.expected == decoded.format.frames)
        // The decoder takes its own delay off the front.
        #expect(decoded.format.frames == 50 * 1152 - 529)
        // It counts only the first of several files that were joined.
        let bytes = count(20) + frames(20)
        for (joined, frames) in [(count(20) + frames(50), 50), (bytes + bytes, 41)] {
            let (decoded, error) = try ending(of: joined)
            #expect(error == nil)
            #expect(decoded.int16.count >= frames * 1152 - 529)
        }
    }

    /// As mp3splt counts, and what is cut off from that.
    @Test func xingCountIncludingItsOwnFrameIsAccepted() throws {
        let bytes = count(0).count + frames(50).count
        let whole = count(51, bytes: bytes) + frames(50)
        #expect(try ending(of: whole).1 == nil)
        #expect(try ending(of: whole + Array("TAG".utf8) + frame().prefix(125)).1 == nil)
        let cut = count(51, bytes: bytes) + frames(49)
        #expect(try ending(of: cut).1?.reason == .truncated)
        #expect(try ending(of: count(51) + frames(50)).1?.reason == .truncated)
        #expect(try ending(of: count(52, bytes: bytes) + frames(50)).1?.reason == .truncated)
    }

    @Test func cutOffLastFrameIsReportedAsTruncated() throws {
        let (decoded, error) = try ending(of: frames(50).dropLast(40))
        #expect(error?.reason == .truncated)
        #expect(decoded.int16.count == 49 * 1152)
    }

    @Test func leadingAndTrailingTagsAreSkipped() throws {
        let front = Array("ID3".utf8) + [4, 0, 0, 0, 0, 1, 72] + Array(repeating: 0, count: 200)
        let back = Array("TAG".utf8) + Array(repeating: 0x20, count: 125)
        let (decoded, error) = try ending(of: front + frames(20) + back)
        #expect(error == nil)
        #expect(decoded.int16.count == 20 * 1152)
    }

    @Test func junkBetweenFramesIsReportedAsCorrupt() throws {
        let junk = Array(repeating: UInt8(0x5A), count: 700)
        let (decoded, error) = try ending(of: frames(20) + junk + frames(20))
        #expect(error?.reason == .corrupt)
        #expect(error?.frame == Int64(decoded.int16.count))
        #expect(decoded.int16.count == 20 * 1152)
    }

    /// Side information that no encoder writes, bit by bit as it stands behind the header.
    private static let impossible: [[UInt8]] = [
        // 289 pairs in the first granule.
        [0, 0, 0, 0x02, 0x42],
        // A window is switched to the ordinary one.
        [0, 0, 0, 0, 0, 0, 0x10],
        // 4095 bits of sound in a frame of fewer bytes, and none left over by earlier ones.
        [0, 0, 0x3F, 0xFC],
    ]

    @Test func undecodableFrameIsReportedAsCorrupt() throws {
        for body in MPEGTests.impossible {
            let damaged = frame(rateIndex: 1, body: body)
            let (decoded, error) = try ending(of: frames(20) + damaged + frames(20))
            #expect(error?.reason == .corrupt, "\(body)")
            #expect(error?.frame == Int64(20 * 1152))
            #expect(decoded.int16.count == 20 * 1152)
        }
        #expect(try ending(of: frames(20) + frame(rateIndex: 1) + frames(20)).1 == nil)
    }
}
