import Foundation
import Recordings
import TestSupport
import Testing

@testable import Audio

/// Files that somebody joined, files with holes, and containers that a rule takes for raw samples.
@Suite struct JoinedFileTests {
    private let folder = TestFolder()
    private static let rate = 48_000

    private func encoded(_ name: String, _ options: [String] = []) throws -> [UInt8] {
        let path = folder.path(Pathname(name))
        try Encoder.run(
            ["-f", "lavfi", "-i", "anoisesrc=r=\(Self.rate):d=4:a=0.3:s=1"] + options + [path.text])
        return TestFolder.bytes(of: path)
    }

    private func mp3(_ options: String...) throws -> [UInt8] {
        try encoded("a.mp3", ["-c:a", "libmp3lame"] + options)
    }

    private func ending(_ bytes: [UInt8], _ name: Pathname) throws -> (Decoded, AudioFileError?) {
        try Decoded.ending(of: folder.write(bytes, to: name))
    }

    /// Each with a header that counts its own frames alone.
    @Test(arguments: ["0", "4"])
    func joinedMP3sOfOneFormatAreReadToTheEnd(tag: String) throws {
        let one = try mp3("-id3v2_version", tag)
        let (decoded, error) = try ending(one + one + one, "joined.mp3")
        #expect(error == nil)
        #expect(abs(decoded.int16.count - 12 * Self.rate) < 12_000)
    }

    @Test func joinedMP3OfAnotherRateIsReported() throws {
        let (decoded, error) = try ending(mp3() + mp3("-ar", "16000"), "joined.mp3")
        #expect(error?.reason == .formatChanges)
        #expect(abs(decoded.int16.count - 4 * Self.rate) < 6_000)
    }

    @Test(arguments: ["a.wav", "a.aiff", "a.m4a", "a.wma"])
    func joinedFilesOfOtherContainersAreReported(name: String) throws {
        let one = try encoded(name)
        let (alone, none) = try ending(one, "one")
        #expect(none == nil)
        let (decoded, error) = try ending(one + one, "joined")
        #expect(error?.reason == .chainedStreams)
        #expect(decoded.int16 == alone.int16)
    }

    /// libav skips what it does not understand, and says nothing.
    @Test(arguments: [
        ("a.mka", ["-c:a", "libvorbis"]), ("a.webm", ["-c:a", "libopus"]),
        ("a.wma", ["-c:a", "wmav2"]), ("a.m4a", ["-c:a", "aac"]),
    ])
    func holeInContainerIsReported(name: String, options: [String]) throws {
        var bytes = try encoded(name, options)
        let hole = bytes.count * 4 / 10..<bytes.count * 6 / 10
        bytes.replaceSubrange(hole, with: Array(repeating: 0, count: hole.count))
        let (_, error) = try ending(bytes, Pathname(name))
        #expect([.corrupt, .truncated].contains(error?.reason))
    }

    /// A rule for headerless files is not believed against a header.
    @Test(arguments: ["a.m4a", "a.wma", "a.mka", "a.aac", "a.mp3", "a.wav"])
    func containerIsNotReadAsRawSamples(name: String) throws {
        let raw = RawFormat(.pcm16, sampleRateHertz: 8000)
        let path = folder.write(try encoded(name), to: "call.bin")
        let reader = try AudioFileReader(opening: path, withoutHeaderAs: raw)
        #expect(reader.decoding.raw == nil)
        #expect(reader.format.sampleRateHertz == Self.rate)
    }

    @Test func samplesThatBeginLikeAContainerAreRaw() throws {
        var bytes = (0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 7919 >> 5) }
        // As AAC does, and AMR.
        for start in [[0xFF, 0xF1], Array("#!AMR".utf8)] as [[UInt8]] {
            bytes.replaceSubrange(0..<start.count, with: start)
            let path = folder.write(bytes, to: "call.bin")
            let reader = try AudioFileReader(
                opening: path, withoutHeaderAs: RawFormat(.pcm16, sampleRateHertz: 8000))
            #expect(reader.decoding.raw == "s16le,8000,1")
            #expect(reader.format.frames == 10_000)
        }
    }
}
