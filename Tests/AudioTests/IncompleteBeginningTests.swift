import Audio
import CSndfile
import Recordings
import TestSupport
import Testing

/// Files of which hardly more than the beginning is there, or not even that.
@Suite struct IncompleteBeginningTests {
    private let folder = TestFolder()

    private func reason(_ bytes: [UInt8]) -> RecordingFailure.Reason? {
        do throws(AudioFileError) {
            return try Decoded.ending(of: folder.write(bytes, to: "sound")).1?.reason
        } catch {
            return error.reason
        }
    }

    @Test(arguments: [1, 11, 100, 4095, 4096, 100_000])
    func fileOfZerosIsReportedAsUnfinished(count: Int) {
        #expect(reason([UInt8](repeating: 0, count: count)) == .unfinished)
    }

    @Test func zeroedBeginningIsReportedAsUnfinished() {
        let sound = (0..<9000).map { UInt8(truncatingIfNeeded: ($0 * $0) >> 3) }
        #expect(reason([UInt8](repeating: 0, count: 4096) + sound) == .unfinished)
    }

    @Test func fewLeadingZerosAreReportedAsUnrecognised() {
        let text = [UInt8](repeating: 0x61, count: 5000)
        #expect(reason([UInt8](repeating: 0, count: 4095) + text) == .unrecognisedFormat)
    }

    private static let formats = [
        SF_FORMAT_WAV | SF_FORMAT_PCM_16, SF_FORMAT_WAV | SF_FORMAT_PCM_16 | SF_ENDIAN_BIG,
        SF_FORMAT_RF64 | SF_FORMAT_PCM_16, SF_FORMAT_W64 | SF_FORMAT_PCM_16,
        SF_FORMAT_AIFF | SF_FORMAT_PCM_16, SF_FORMAT_CAF | SF_FORMAT_PCM_16,
        SF_FORMAT_AU | SF_FORMAT_PCM_16, SF_FORMAT_AU | SF_FORMAT_PCM_16 | SF_ENDIAN_LITTLE,
        SF_FORMAT_FLAC | SF_FORMAT_PCM_16, SF_FORMAT_OGG | SF_FORMAT_VORBIS,
        SF_FORMAT_OGG | SF_FORMAT_OPUS, SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III,
    ]

    @Test(arguments: formats)
    func shortBeginningIsReportedAsTruncated(format: Int) throws {
        let path = folder.path("whole")
        SoundMaker.write(
            (0..<20_000).map { Double($0 * $0 % 1009) / 2018 - 0.25 }, format: format, rate: 48_000,
            to: path)
        let whole = TestFolder.bytes(of: path)
        try #require(whole.count > 1000)
        for count in Array(1...50) + stride(from: 51, to: 300, by: 13) {
            #expect(reason(Array(whole.prefix(count))) == .truncated, "\(count) bytes")
        }
    }

    @Test func id3TagWithoutSoundIsReportedAsTruncated() {
        // As long as 16 383 bytes, of which a picture may take most.
        let tag = Array("ID3".utf8) + [3, 0, 0, 0, 0, 0x7F, 0x7F]
        for count in [0, 1, 5000, 16_383] {
            #expect(reason(tag + [UInt8](repeating: 7, count: count)) == .truncated)
        }
        #expect(reason(tag.dropLast(4)) == .truncated)
        let text = [UInt8](repeating: 0x61, count: 17_000)
        #expect(reason(tag + text) == .unrecognisedFormat)
    }

    @Test func textResemblingHeaderIsReportedAsUnrecognised() {
        for text in ["R.", "RIFT", "fLaX", "a letter", "Ogg is a format of files"] {
            #expect(reason(Array(text.utf8)) == .unrecognisedFormat, "\(text)")
        }
    }

    @Test func invalidFLACMetadataIsNotReportedAsTruncated() throws {
        let path = folder.path("whole")
        SoundMaker.write(
            [Double](repeating: 0.1, count: 1000), format: SF_FORMAT_FLAC | SF_FORMAT_PCM_16,
            to: path)
        // No channels and no rate: all its metadata is there, and makes no sense.
        var bytes = TestFolder.bytes(of: path)
        for place in 8..<26 { bytes[place] = 0 }
        #expect(reason(bytes) != .truncated)
    }
}
