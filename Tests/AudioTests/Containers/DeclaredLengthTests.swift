import Audio
import CSndfile
import Recordings
import TestSupport
import Testing

/// Rarer containers, whole and cut off.
@Suite struct DeclaredLengthTests {
    private let folder = TestFolder()
    private static let frames = 6000

    private static let orders = [SF_ENDIAN_FILE, SF_ENDIAN_LITTLE, SF_ENDIAN_BIG]
    private static let subtypes = [
        SF_FORMAT_PCM_S8, SF_FORMAT_PCM_U8, SF_FORMAT_PCM_16, SF_FORMAT_PCM_24, SF_FORMAT_PCM_32,
        SF_FORMAT_FLOAT, SF_FORMAT_DOUBLE, SF_FORMAT_ULAW, SF_FORMAT_ALAW, SF_FORMAT_DPCM_8,
        SF_FORMAT_DPCM_16,
    ]

    /// All formats of these containers that libsndfile writes, with so many channels.
    private static func formats(of containers: [Int]) -> [(format: Int, channels: Int)] {
        containers.flatMap { container in
            orders.flatMap { order in
                subtypes.flatMap { subtype in [1, 2].map { (container | order | subtype, $0) } }
            }
        }.filter { SoundMaker.canWrite($0.0, channels: $0.1) }
    }

    private static let counted = formats(of: [
        SF_FORMAT_NIST, SF_FORMAT_VOC, SF_FORMAT_AVR, SF_FORMAT_SVX, SF_FORMAT_MAT4, SF_FORMAT_MAT5,
        SF_FORMAT_SDS,
    ])
    private static let uncounted = formats(of: [
        SF_FORMAT_IRCAM, SF_FORMAT_PAF, SF_FORMAT_PVF, SF_FORMAT_XI,
    ])

    private func sound(_ format: Int, channels: Int) -> [UInt8] {
        let path = folder.path("sound")
        let noise = (0..<Self.frames * channels).map { Double($0 * 7919 % 1000) / 1000 - 0.5 }
        SoundMaker.write(noise, format: format, channels: channels, to: path)
        return TestFolder.bytes(of: path)
    }

    private func ending(_ bytes: some Collection<UInt8>) -> (frames: Int, AudioFileError?) {
        do throws(AudioFileError) {
            let (decoded, error) = try Decoded.ending(of: folder.write(Array(bytes), to: "judged"))
            return (decoded.int16.count / decoded.format.channels, error)
        } catch {
            return (0, error)
        }
    }

    @Test(arguments: counted + uncounted)
    func completeFileIsReadWithoutError(format: Int, channels: Int) {
        let (frames, error) = ending(sound(format, channels: channels))
        #expect(error == nil)
        // PAF fills a block of ten, and VOC ends with a byte that may be taken for sound.
        #expect((Self.frames...Self.frames + 9).contains(frames))
    }

    @Test(arguments: counted)
    func cutOffFileIsReportedAsTruncated(format: Int, channels: Int) throws {
        let whole = sound(format, channels: channels)
        for count in [whole.count * 35 / 100, whole.count / 2, whole.count - 130, whole.count - 9] {
            let (frames, error) = ending(whole.prefix(count))
            #expect(error?.reason == .truncated, "\(count) of \(whole.count)")
            guard error?.activity == .reading else { continue }
            #expect(frames <= Self.frames)
            #expect(try #require(error?.frame) < Self.frames)
            #expect((Self.frames...Self.frames + 1).contains(Int(error?.expected ?? 0)))
        }
    }

    @Test(arguments: uncounted)
    func cutOffFileWithoutDeclaredLengthIsAccepted(format: Int, channels: Int) {
        let whole = sound(format, channels: channels)
        let (frames, error) = ending(whole.prefix(2048 + (whole.count - 2048) / 2))
        #expect(error == nil)
        #expect(frames > Self.frames / 4)
    }

    @Test func xiFileIsCheckedAgainstItsSampleSizes() throws {
        var bytes = sound(SF_FORMAT_XI | SF_FORMAT_DPCM_16, channels: 1)
        let size = 2 * Self.frames
        bytes.replaceSubrange(298..<302, with: [UInt8(size & 255), UInt8(size >> 8), 0, 0])
        #expect(ending(bytes).1 == nil)
        #expect(ending(bytes.dropLast(9)).1?.reason == .truncated)
    }

    @Test func nistFileWithInvalidSampleCountIsAccepted() {
        let bytes = sound(SF_FORMAT_NIST | SF_FORMAT_PCM_16, channels: 1)
        let count = Array("sample_count -i ".utf8)
        let place = bytes.firstRange(of: count)?.upperBound ?? 0
        var uncounted = bytes
        uncounted.replaceSubrange(place..<place + 4, with: Array("0   ".utf8))
        #expect(ending(uncounted).1 == nil)
        // Counts that nothing has.
        uncounted.replaceSubrange(
            place..<place + 30, with: Array("9223372036854775807\nend_head\n ".utf8))
        #expect(ending(uncounted).1 == nil)
    }

    @Test func vocFileWrittenBySoXIsComplete() {
        // Its samples would be taken for the next block, of which some are not there.
        var bytes = sound(SF_FORMAT_VOC | SF_FORMAT_PCM_16, channels: 1)
        let size = 2 * Self.frames + 4
        bytes.replaceSubrange(22..<24, with: [0x0A, 0x01])
        bytes.replaceSubrange(27..<30, with: [UInt8(size & 255), UInt8(size >> 8), 0])
        bytes.replaceSubrange(bytes.count - 9..<bytes.count - 5, with: [1, 0xFF, 0xFF, 0])
        #expect(ending(bytes).1 == nil)
        let (_, error) = ending(bytes.dropLast(10))
        #expect(error?.reason == .truncated && error?.expected == Int64(Self.frames))
        // A size that counts all twelve bytes is right, too.
        bytes.replaceSubrange(27..<28, with: [UInt8((size + 8) & 255)])
        #expect(ending(bytes).1 == nil)
    }

    @Test func cutOffVOCBlockIsReportedAsTruncated() throws {
        let bytes = sound(SF_FORMAT_VOC | SF_FORMAT_PCM_16, channels: 1)
        let sound = bytes[26..<bytes.count - 1]
        // A remark before the sound, and another block behind it.
        let remark: [UInt8] = [5, 3, 0, 0] + Array("ab\0".utf8)
        let whole = bytes[..<26] + remark + sound + sound + [0]
        #expect(ending(whole).1 == nil)
        #expect(ending(whole.dropLast(9)).1?.reason == .truncated)
    }
}
