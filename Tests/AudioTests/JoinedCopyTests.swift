import CSndfile
import Foundation
import Recordings
import TestSupport
import Testing

@testable import Audio

/// Copies in FLAC that are written section by section.
@Suite struct JoinedCopyTests {
    private let folder = TestFolder()

    /// A kind of source, and what is kept of it.
    struct Kind: CustomTestStringConvertible, Sendable {
        var format = SF_FORMAT_FLAC | SF_FORMAT_PCM_16
        var rate = 44_100
        var channels = 2
        var frames = 50_000
        var kept: [Range<Int64>] = [100..<20_000, 20_001..<20_002, 30_000..<49_999]
        var container = TrimmedContainer.same

        var testDescription: String {
            "\(String(format, radix: 16)) \(channels) x \(rate) Hz, \(kept)"
        }
    }

    static let kinds =
        [SF_FORMAT_PCM_S8, SF_FORMAT_PCM_16, SF_FORMAT_PCM_24].map {
            Kind(format: SF_FORMAT_FLAC | $0)
        }
        // Rates with a code of their own, and in kHz, Hz and tens of Hz.
        + [8000, 12_000, 96_000, 11_025, 65_530, 655_350].map { Kind(rate: $0) }
        + [1, 3, 8].map { Kind(channels: $0) }
        // Last blocks of each length that is coded in a way of its own, one of them whole.
        + [1, 16, 192, 256, 257, 4095, 4096, 4097, 8192].map { Kind(kept: [5..<5 + $0]) }
        + [
            Kind(format: SF_FORMAT_WAV | SF_FORMAT_PCM_U8, container: .flac),
            Kind(format: SF_FORMAT_WAV | SF_FORMAT_PCM_24, channels: 1, container: .flac),
            Kind(format: SF_FORMAT_WAVEX | SF_FORMAT_PCM_16, channels: 6, container: .flac),
            Kind(format: SF_FORMAT_OGG | SF_FORMAT_VORBIS, container: .flac),
            // Numbers of two bytes.
            Kind(channels: 1, frames: 140 * 4096, kept: [0..<135 * 4096 + 7]),
        ]

    private func source(_ kind: Kind) -> Pathname {
        var random = SeededGenerator(seed: 3)
        var level = 0.0
        let samples = (0..<kind.frames * kind.channels).map { _ in
            level = 0.9 * level + Double.random(in: -0.1...0.1, using: &random)
            return Int32(level * 0x1p30)
        }
        let path = folder.path("source")
        SoundMaker.write(
            samples, format: kind.format, rate: kind.rate, channels: kind.channels, to: path)
        return path
    }

    private func edits(_ kind: Kind) -> EditList {
        EditList(keeping: kind.kept, of: Int64(kind.frames))
    }

    private struct NoSections: Error {}

    /// The sections of a copy, of the smallest length.
    private func opened(
        _ edits: EditList, of source: Pathname, as container: TrimmedContainer = .same,
        fadeFrames: Int = 0
    ) throws -> CopySections {
        let sections = try CopySections(
            keeping: edits, from: source, container: container, fadeFrames: fadeFrames,
            sectionBytes: 1)
        guard let sections else { throw NoSections() }
        return sections
    }

    /// The sections of a copy of the smallest length, encoded in another order than they were read.
    private func sections(_ kind: Kind, of source: Pathname) throws -> [EncodedSection] {
        var sections = try opened(
            edits(kind), of: source, as: kind.container, fadeFrames: 40)
        var read: [CopySection] = []
        while let next = try sections.next(isCancelled: { false }) { read.append(next) }
        #expect(read.map(\.number) == Array(read.indices))
        let encoder = sections.encoder
        let encoded = read.reversed().map { encoder.encode($0) }
        return try encoded.reversed().map { try #require($0) }
    }

    @Test(arguments: kinds) func theBytesAreThoseOfOneThatWritesAll(kind: Kind) throws {
        let source = source(kind)
        let (one, joined) = (folder.path("one"), folder.path("joined"))
        _ = try TrimmedCopy.write(
            keeping: edits(kind), from: source, to: one, container: kind.container, fadeFrames: 40,
            isCancelled: { false })
        let bytes = TestFolder.bytes(of: one)
        let created = try CreatedFile(joined)
        var copy = try JoinedCopy(writing: created.file)
        for section in try sections(kind, of: source) { try copy.append(section) }
        // Where the file has it.
        let isComplete = try copy.finish(digest: Array(bytes[26..<42]))
        #expect(isComplete)
        let isSame = TestFolder.bytes(of: joined) == bytes
        #expect(isSame)
    }

    @Test(arguments: [
        (SF_FORMAT_PCM_S8, [0x11, 0x99]), (SF_FORMAT_PCM_16, [0x22, 0x11, 0xaa, 0x99]),
        (SF_FORMAT_PCM_24, [0x33, 0x22, 0x11, 0xbb, 0xaa, 0x99]),
    ])
    func storedBytesAreTheUpperOnesTheLowestFirst(encoding: Int, bytes: [UInt8]) throws {
        let path = folder.path("source")
        let samples = [0x1122_3344, Int32(bitPattern: 0x99aa_bbcc)]
        SoundMaker.write(samples, format: SF_FORMAT_FLAC | encoding, to: path)
        var sections = try opened(EditList(keeping: [0..<2], of: 2), of: path)
        let first = try sections.next(isCancelled: { false })
        let section = try #require(first)
        var stored: [UInt8] = []
        section.withStoredBytes { stored += $0 }
        #expect(stored == bytes)
        let second = try sections.next(isCancelled: { false })
        #expect(second?.number == nil)
    }

    @Test(arguments: [
        (SF_FORMAT_WAV | SF_FORMAT_PCM_16, TrimmedContainer.same),
        (SF_FORMAT_FLAC | SF_FORMAT_PCM_16, .wav), (SF_FORMAT_WAV | SF_FORMAT_FLOAT, .flac),
    ])
    func otherCopiesHaveNoSections(format: Int, container: TrimmedContainer) throws {
        let path = folder.path("source")
        SoundMaker.write([1, 2, 3] as [Int32], format: format, to: path)
        #expect(throws: NoSections.self) {
            _ = try opened(EditList(keeping: [0..<2], of: 3), of: path, as: container)
        }
    }

    @Test func whatNoHeaderCouldSayHasNoSections() throws {
        let path = folder.path("source")
        SoundMaker.write([1, 2, 3] as [Int32], format: SF_FORMAT_FLAC | SF_FORMAT_PCM_16, to: path)
        for (frames, fits) in [((1 << 36) - 1, true), (1 << 36, false)] as [(Int64, Bool)] {
            let edits = EditList(keeping: [0..<frames], of: frames)
            var isOpened = true
            do { _ = try opened(edits, of: path) } catch is NoSections { isOpened = false }
            #expect(isOpened == fits)
        }
    }

    @Test func throwsWhereTheSourceEndsEarlyAndStopsWhenToldTo() throws {
        let kind = Kind(frames: 9000, kept: [0..<9000])
        let path = source(kind)
        let long = EditList(keeping: [0..<10_000], of: 10_000)
        var sections = try opened(long, of: path)
        let cancelled = try sections.next(isCancelled: { true })
        #expect(cancelled?.number == nil)
        for _ in 0..<2 {
            let section = try sections.next(isCancelled: { false })
            #expect(section?.frames == 4096)
        }
        var error: AudioFileError?
        do throws(AudioFileError) {
            _ = try sections.next(isCancelled: { false })
        } catch let thrown {
            error = thrown
        }
        #expect(error?.reason == .truncated && error?.frame == 9000)
    }
}
