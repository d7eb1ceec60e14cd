import Audio
import CSndfile
import Foundation
import Recordings
import TestSupport
import Testing

/// What is told of copies that are longer than what is gathered before it leaves.
@Suite struct CopyTellingTests {
    private let folder = TestFolder()

    private struct Told {
        var answer: TrimmedCopy.Answer
        var bytes: [UInt8]
    }

    /// Copies all but the first frames of a noise of so many, and says what was told of it.
    private func copy(
        _ format: Int, frames: Int, channels: Int = 2, map: [Int32] = []
    ) throws -> Told {
        let source = folder.path("source")
        var random = SeededGenerator(seed: 1)
        SoundMaker.write(
            random.noise(channels * frames) as [Int32], format: format, rate: 22050,
            channels: channels, map: map, to: source)
        var bytes: [UInt8] = []
        let answer = try TrimmedCopy.write(
            keeping: EditList(keeping: [100..<Int64(frames)], of: Int64(frames)), from: source,
            to: folder.path("copy"), container: .same, fadeFrames: 0, isCancelled: { false },
            told: { bytes += $0 })
        return Told(answer: answer, bytes: bytes)
    }

    private var written: [UInt8] { TestFolder.bytes(of: folder.path("copy")) }

    /// Expects that all of the copy was told, from its beginning to its end.
    private func expectAll(_ told: Told) {
        #expect(told.answer == .complete(isToldInOrder: true))
        let isAll = told.bytes == written
        #expect(isAll)
    }

    /// Formats whose headers say from the beginning what will follow.
    private static let announced = TrimmedCopyTests.lossless.filter {
        ![SF_FORMAT_FLAC, SF_FORMAT_RF64].contains($0 & SF_FORMAT_TYPEMASK)
    }

    @Test(arguments: announced)
    func tellsOfAllInOrder(format: Int) throws {
        expectAll(try copy(format, frames: 600_000))
    }

    /// An odd number of bytes, behind which most containers have one more.
    @Test(arguments: [
        SF_FORMAT_WAV | SF_FORMAT_PCM_24, SF_FORMAT_WAVEX | SF_FORMAT_PCM_U8,
        SF_FORMAT_W64 | SF_FORMAT_PCM_24, SF_FORMAT_AU | SF_FORMAT_PCM_S8,
        SF_FORMAT_CAF | SF_FORMAT_PCM_24,
    ])
    func tellsOfAnOddNumberOfBytes(format: Int) throws {
        expectAll(try copy(format, frames: 1_200_001, channels: 1))
    }

    @Test(arguments: [
        SF_FORMAT_AIFF | SF_FORMAT_PCM_16, SF_FORMAT_WAVEX | SF_FORMAT_PCM_16,
        SF_FORMAT_CAF | SF_FORMAT_PCM_16,
    ])
    func tellsOfCopiesWithChannelMaps(format: Int) throws {
        expectAll(
            try copy(
                format, frames: 600_000,
                map: [Int32(SF_CHANNEL_MAP_LEFT), Int32(SF_CHANNEL_MAP_RIGHT)]))
    }

    /// The library comes back to these headers at the end.
    @Test(arguments: [
        SF_FORMAT_FLAC | SF_FORMAT_PCM_24, SF_FORMAT_RF64 | SF_FORMAT_PCM_16,
        SF_FORMAT_AIFF | SF_FORMAT_PCM_24,
    ])
    func saysThatACopyIsNotWhatWasTold(format: Int) throws {
        let told = try copy(format, frames: 1_200_001, channels: 1)
        #expect(told.answer == .complete(isToldInOrder: false))
    }

    @Test func removesTheTimeOfWriting() throws {
        _ = try copy(SF_FORMAT_RF64 | SF_FORMAT_FLOAT, frames: 600_000)
        let bytes = written
        let peaks = try #require(bytes[..<512].firstRange(of: Array("PEAK".utf8)))
        // Behind the chunk's size and version.
        #expect(bytes[peaks.upperBound + 8..<peaks.upperBound + 12] == [0, 0, 0, 0])
        // The peaks themselves came with the header's second writing.
        #expect(bytes[peaks.upperBound + 12..<peaks.upperBound + 16] != [0, 0, 0, 0])
    }
}
