import Foundation
import Recordings
import Synchronization
import TestSupport
import Testing

@testable import Audio

/// Headers in which libsndfile 1.2 would go round for ever.
@Suite struct HeaderGuardTests {
    private let folder = TestFolder()
    private static let frames = 100

    // MARK: - Sub-chunks of a LIST

    /// Sizes for which a 32-bit sum of sizes wraps, and some for which it does not.
    private static let sizes: [UInt32] =
        (1...40).map { UInt32.max - $0 + 1 } + [0x8000_0000, 0xFFFF_0000, 0xFFFF_FF00, 0x7FFF_FFFF]

    @Test(arguments: ["RIFF", "RIFX", "RF64"])
    func listWithWrappingSizesIsSkipped(magic: String) {
        for size in Self.sizes {
            for position in 0..<4 {
                let header = RIFFHeader(magic)
                // Odd sizes put what follows at odd positions.
                let text = Array("abcde".utf8.prefix(position))
                let list =
                    Array("INFO".utf8) + header.chunk("ISFT", text) + header.chunk("IXYZ", [7])
                    + header.head("XXXX", size) + Array(repeating: 65, count: 8)
                for lists in 1...2 {
                    let extra = (0..<lists).flatMap { _ in header.chunk("LIST", list) }
                    let path = folder.write(header.file(extra: extra, Self.sound), to: "a.wav")
                    #expect(frames(of: path) == Self.frames, "\(magic) \(size) \(position)")
                }
            }
        }
    }

    @Test(arguments: ["RIFF", "RIFX", "RF64"])
    func wrappingListIsSkippedAtAnyPosition(magic: String) {
        let header = RIFFHeader(magic)
        for size in Self.sizes {
            let evil = header.head("XXXX", size) + Array(repeating: 66, count: 16)
            let inInfo = Array("INFO".utf8) + evil
            let list = header.chunk("LIST", inInfo)
            let kinds: [[UInt8]] = [
                // Within another one, at the top, behind garbage that is searched for a chunk.
                header.chunk("LIST", Array("adtl".utf8) + list),
                header.chunk("INFO", evil),
                header.head("LIST", 4) + header.chunk("INFO", evil),
                [1, 2, 3, 4, 5] + list,
                header.chunk("LIST", Array("INFO".utf8) + header.chunk("exif", []) + evil),
                header.chunk("LIST", Array("INFOINFOadtl".utf8) + evil),
                // A cue chunk has the order of bytes turned for what follows.
                header.chunk("cue ", [0, 0, 0, 0]) + RIFFHeader("RIFF").chunk("LIST", inInfo),
                // The list reaches beyond the end of the file.
                header.head("LIST", 0x7000_0000) + inInfo,
                header.head("LIST", .max) + inInfo,
            ]
            for (number, extra) in kinds.enumerated() {
                let bytes = header.file(extra: extra, Self.sound)
                // That it comes back is all that is asked of these.
                _ = frames(of: folder.write(bytes, to: Pathname("\(number).wav")))
                let behind = header.file(extra: [], Self.sound) + extra
                let found = frames(of: folder.write(behind, to: Pathname("\(number).wav")))
                #expect(found == Self.frames, "\(magic) \(size) \(number)")
            }
        }
    }

    @Test func harmlessListIsNotMasked() throws {
        let header = RIFFHeader("RIFF")
        let good = Array("INFO".utf8) + header.chunk("ISFT", Array("somebody".utf8))
        // Longer than it says, and with the sound inside: libsndfile finds its way.
        let kinds = [
            header.chunk("LIST", good), header.head("LIST", 20) + good,
            header.head("LIST", UInt32(good.count) + 60) + good,
        ]
        for (number, extra) in kinds.enumerated() {
            let bytes = header.file(extra: extra, Self.sound)
            var shown = bytes
            var guarded = try #require(HeaderGuard(beginning: bytes, length: Int64(bytes.count)))
            shown.withUnsafeMutableBytes { shown in
                guarded.mask(shown, at: 0) { Array(bytes[Int($0)...].prefix($1)) }
            }
            #expect(shown == bytes, "\(number)")
        }
        let path = folder.write(header.file(extra: kinds[2], Self.sound), to: "inside.wav")
        #expect(frames(of: path) == Self.frames)
    }

    @Test func soundResemblingListIsNotMasked() throws {
        let header = RIFFHeader("RIFF")
        // The sound spells what would be hidden in a header.
        let evil = header.chunk(
            "LIST", Array("INFO".utf8) + header.head("XXXX", 0xFFFF_FFEC) + [0, 0, 0, 0])
        let bytes = header.file(extra: [], evil)
        let decoded = try Decoded(folder.write(bytes, to: "spells.wav"))
        let expected = stride(from: 0, to: evil.count, by: 2).map {
            Int16(truncatingIfNeeded: Int(evil[$0]) | Int(evil[$0 + 1]) << 8)
        }
        #expect(decoded.int16 == expected)
    }

    @Test func manySubchunksAreParsedInTime() {
        let header = RIFFHeader("RIFF")
        let many = (0..<200_000).flatMap { _ in header.head("abcd", 0) }
        let list = header.chunk("LIST", Array("INFO".utf8) + many)
        let path = folder.write(header.file(extra: list, Self.sound), to: "many.wav")
        #expect(frames(of: path) == Self.frames)
        let lists = (0..<8_000).flatMap { _ in
            header.head("LIST", 64_000) + Array("adtl".utf8)
        }
        _ = frames(of: folder.write(header.file(extra: lists, Self.sound), to: "lists.wav"))
    }

    // MARK: - Chunks that are skipped by a jump back

    @Test(arguments: ["ANNO", "AUTH", "(c) ", "CHAN", "NAME", "abcd"], ["8SVX", "16SV"])
    func wrappingChunkSizeInIFFDoesNotLoop(id: String, form: String) {
        let header = RIFFHeader("RIFX")
        let voice: [UInt8] = [
            0, 0, 0, 100, 0, 0, 0, 0, 0, 0, 0, 0, 0x1F, 0x40, 1, 0, 0, 0, 0, 0xFF,
        ]
        for size in Self.sizes {
            for pad in 0..<4 {
                let body =
                    Array(form.utf8) + header.chunk("VHDR", voice)
                    + header.chunk("ANNO", Array(repeating: 32, count: 2 * pad))
                    + header.head(id, size) + header.chunk("BODY", Self.sound)
                _ = frames(
                    of: folder.write(header.head("FORM", UInt32(body.count)) + body, to: "a.svx"))
            }
        }
    }

    @Test(arguments: ["RIFF", "RIFX", "RF64"], ["JUNK", "PAD ", "LIST", "cue ", "acid", "abcd"])
    func wrappingChunkSizeInHugeRIFFDoesNotLoop(magic: String, id: String) {
        let header = RIFFHeader(magic)
        for size: UInt32 in [0xFFFF_FFF8, 0xFFFF_FFD0, 0xFFFF_FF00] {
            // Sixteen bytes to come back to, and a hole, which takes no room on the disk.
            let extra = header.chunk("JUNK", Array(repeating: 0, count: 16)) + header.head(id, size)
            let path = folder.write(header.file(extra: extra, Self.sound), to: "huge.wav")
            #expect(truncate(path.text, 5 << 30) == 0)
            _ = frames(of: path)
        }
    }

    @Test(arguments: ["FVER", "INST", "basc", "SFX!"])
    func wrappingChunkSizeInHugeAIFFDoesNotLoop(id: String) {
        let header = RIFFHeader("RIFX")
        let common: [UInt8] = [
            0, 1, 0, 0, 0, 100, 0, 16, 0x40, 0x0B, 0xFA, 0, 0, 0, 0, 0, 0, 0,
        ]
        for size: UInt32 in [0xFFFF_FFF8, 0xFFFF_FFD0] {
            let body =
                Array("AIFF".utf8) + header.chunk("COMM", common) + header.head(id, size)
                + header.chunk("SSND", Array(repeating: 0, count: 8) + Self.sound)
            let path = folder.write(header.head("FORM", 0) + body, to: "huge.aiff")
            #expect(truncate(path.text, 5 << 30) == 0)
            _ = frames(of: path)
        }
    }

    @Test func wrappingChunkSizeInHugeCAFIsRefused() {
        func chunk(_ id: String, _ size: UInt64, _ body: [UInt8]) -> [UInt8] {
            Array(id.utf8) + withUnsafeBytes(of: size.bigEndian, Array.init) + body
        }
        let description: [UInt8] =
            [0x40, 0xBF, 0x40, 0, 0, 0, 0, 0] + Array("lpcm".utf8)
            + [2, 2, 1, 1, 16].flatMap { [0, 0, 0, $0] }
        let before = chunk("free", 300, Array(repeating: 0, count: 300))
        // Behind this one libsndfile would be at the beginning of the one before.
        let back = chunk("free", (1 << 32) - UInt64(before.count + 12), [])
        let path = folder.write(
            Array("caff".utf8) + [0, 1, 0, 0] + chunk("desc", 32, description) + before + back,
            to: "huge.caf")
        #expect(truncate(path.text, 5 << 30) == 0)
        #expect(frames(of: path) == nil)
    }

    @Test func wrappingChunkSizeInHugeW64IsRefused() {
        let ends: [[UInt8]] = [
            [0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB, 0x04, 0xC1, 0, 0],
            [0xF3, 0xAC, 0xD3, 0x11, 0x8C, 0xD1, 0, 0xC0, 0x4F, 0x8E, 0xDB, 0x8A],
        ]
        func head(_ id: String, _ size: Int) -> [UInt8] {
            Array(id.utf8) + ends[id == "riff" ? 0 : 1]
                + withUnsafeBytes(of: UInt64(size).littleEndian, Array.init)
        }
        let format: [UInt8] = [1, 0, 1, 0, 0x40, 0x1F, 0, 0, 0x80, 0x3E, 0, 0, 2, 0, 16, 0]
        // W64 goes back by more than 64 kB only, and libsndfile makes that much room in two steps.
        let before = [45_000, 20_504].flatMap {
            head("junk", 24 + $0) + Array(repeating: 0, count: $0)
        }
        let wave = Array("wave".utf8) + ends[1]
        let path = folder.write(
            head("riff", 5 << 30) + wave + head("fmt ", 40) + format + before
                + head("abcd", (1 << 32) - before.count),
            to: "huge.w64")
        #expect(truncate(path.text, 5 << 30) == 0)
        #expect(frames(of: path) == nil)
    }

    /// libsndfile counts the bytes of such a file in 31 bits.
    @Test func sampleDumpIsLimitedToOneGigabyte() throws {
        let path = folder.write([0xF0, 0x7E] + Array(repeating: 1, count: 30), to: "long.sds")
        #expect(truncate(path.text, 3 << 30) == 0)
        #expect(HeaderGuard.shownBytes(of: try SourceFile(opening: path)) < 1 << 30)
    }

    // MARK: - Help

    private static let sound = [UInt8](repeating: 3, count: 2 * frames)

    /// Frames that the file declares; `nil` where it is refused.
    ///
    /// Ends the tests where opening takes a minute, as nothing else ends a thread that spins.
    private func frames(of path: Pathname) -> Int? {
        let isDone = DispatchSemaphore(value: 0)
        let found = Mutex<Int?>(nil)
        Thread.detachNewThread {
            let frames = try? Int(AudioFileReader(opening: path).format.frames)
            found.withLock { $0 = frames }
            isDone.signal()
        }
        let isInTime = isDone.wait(timeout: .now() + 60) == .success
        precondition(isInTime, "libsndfile does not come back from \(path).")
        return found.withLock { $0 }
    }
}

/// Spells RIFF files and their relatives.
private struct RIFFHeader {
    let magic: String

    init(_ magic: String) { self.magic = magic }

    /// The identifier and the size of a chunk.
    func head(_ id: String, _ size: UInt32) -> [UInt8] {
        Array(id.utf8) + number(size, 4)
    }

    func chunk(_ id: String, _ body: [UInt8]) -> [UInt8] {
        // RF64 files are read without the byte behind a chunk of odd size.
        let pad = body.count % 2 == 1 && magic != "RF64" ? [UInt8(0)] : []
        return head(id, UInt32(body.count)) + body + pad
    }

    /// A file of 16-bit samples of one channel, with chunks before the sound.
    func file(extra: [UInt8], _ sound: [UInt8]) -> [UInt8] {
        let format =
            number(1, 2) + number(1, 2) + number(8000, 4) + number(16000, 4) + number(2, 2)
            + number(16, 2)
        let sizes = number(0, 8) + number(UInt32(sound.count), 8) + number(0, 8) + number(0, 4)
        let body =
            Array("WAVE".utf8) + (magic == "RF64" ? chunk("ds64", sizes) : [])
            + chunk("fmt ", format) + extra + chunk("data", sound)
        return head(magic, magic == "RF64" ? .max : UInt32(body.count)) + body
    }

    private func number(_ value: UInt32, _ count: Int) -> [UInt8] {
        let little = (0..<count).map { $0 < 4 ? UInt8(truncatingIfNeeded: value >> (8 * $0)) : 0 }
        return magic == "RIFX" ? little.reversed() : little
    }
}
