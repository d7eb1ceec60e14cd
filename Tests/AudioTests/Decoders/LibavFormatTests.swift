import Audio
import CSndfile
import Foundation
import Recordings
import TestSupport
import Testing

/// Formats that libav decodes, as ffmpeg writes them.
@Suite struct LibavFormatTests {
    private let folder = TestFolder()
    private static let rate = 44_100
    private static let frames = 70_000
    /// The frames at which a click begins.
    private static let clicks = [5_000, 40_000, 68_000]

    /// A format, and what must come of a recording in it.
    struct Format: CustomTestStringConvertible, Sendable {
        var name: String
        /// What ffmpeg is told beside the names of the files.
        var options: [String]
        var container: AudioContainer
        var encoding: SampleEncoding
        var rateHertz = 44_100
        /// Frames between a click in the source and in what is decoded.
        var offset = 0
        /// The frames decoded; `nil` if the container does not carry the length.
        var frames: Int? = 70_000

        var testDescription: String { name + " " + options.joined(separator: " ") }
    }

    private static let lossy = [
        Format(
            name: "aac.m4a", options: ["-c:a", "aac"], container: .mp4, encoding: .aac),
        Format(
            name: "faststart.m4a", options: ["-c:a", "aac", "-movflags", "+faststart"],
            container: .mp4, encoding: .aac),
        // Fragments carry neither delay nor length.
        Format(
            name: "fragmented.mp4",
            options: ["-c:a", "aac", "-movflags", "frag_keyframe+empty_moov"],
            container: .mp4, encoding: .aac, offset: 1024, frames: nil),
        // Without an edit list, nothing carries the delay.
        Format(
            name: "unedited.m4a", options: ["-c:a", "aac", "-use_editlist", "0"],
            container: .mp4, encoding: .aac, offset: 1024, frames: nil),
        Format(name: "quicktime.mov", options: ["-c:a", "aac"], container: .mp4, encoding: .aac),
        Format(name: "phone.3gp", options: ["-c:a", "aac"], container: .mp4, encoding: .aac),
        Format(
            name: "plain.aac", options: ["-c:a", "aac"], container: .adts, encoding: .aac,
            offset: 1024, frames: nil),
        Format(
            name: "opus.webm", options: ["-c:a", "libopus"], container: .matroska,
            encoding: .opus, rateHertz: 48_000, frames: nil),
        Format(
            name: "vorbis.mka", options: ["-c:a", "libvorbis"], container: .matroska,
            encoding: .vorbis, frames: nil),
        Format(
            name: "speex.spx", options: ["-c:a", "libspeex", "-ar", "16000"], container: .ogg,
            encoding: .speex, rateHertz: 16_000, offset: 223, frames: nil),
    ]

    private static let lossless = [
        Format(name: "alac.m4a", options: ["-c:a", "alac"], container: .mp4, encoding: .alac16),
        Format(
            name: "wavpack.wv", options: ["-c:a", "wavpack"], container: .wavPack,
            encoding: .pcm16),
        Format(name: "tta.tta", options: ["-c:a", "tta"], container: .foreign, encoding: .pcm16),
        Format(name: "flac.oga", options: ["-c:a", "flac"], container: .ogg, encoding: .pcm16),
        Format(name: "alac.caf", options: ["-c:a", "alac"], container: .caf, encoding: .alac16),
        Format(
            name: "pcm.avi", options: ["-c:a", "pcm_s16le"], container: .foreign, encoding: .pcm16),
        Format(
            name: "pcm.mkv", options: ["-c:a", "pcm_s16le"], container: .matroska, encoding: .pcm16),
        Format(
            name: "pcm.mov", options: ["-c:a", "pcm_s16le"], container: .mp4, encoding: .pcm16),
    ]

    private var samples: [Int32] {
        var random = SeededGenerator(seed: 7)
        var samples = (0..<Self.frames).map { _ in Int32.random(in: -40...40, using: &random) }
        for click in Self.clicks {
            for frame in 0..<16 {
                samples[click + frame] = frame.isMultiple(of: 2) ? 28_000 : -28_000
            }
        }
        return samples.map { $0 << 16 }
    }

    private func file(_ format: Format) throws -> Pathname {
        let wav = folder.path("source.wav")
        SoundMaker.write(
            samples, format: SF_FORMAT_WAV | SF_FORMAT_PCM_16, rate: Self.rate, channels: 1, to: wav
        )
        let path = folder.path(Pathname(format.name))
        try Encoder.run(["-i", wav.text] + format.options + [path.text])
        return path
    }

    @Test(arguments: lossy)
    func clickIsDecodedWhereItWasRecorded(format: Format) throws {
        let decoded = try Decoded(file(format))
        #expect(decoded.format.container == format.container)
        #expect(decoded.format.encoding == format.encoding)
        #expect(decoded.format.sampleRateHertz == format.rateHertz)
        if let frames = format.frames { #expect(decoded.int16.count == frames) }
        let scale = Double(format.rateHertz) / Double(Self.rate)
        // A millisecond, which is also how long a click is smeared.
        let tolerance = format.rateHertz / 1000
        for click in Self.clicks {
            let place = Int((Double(click) * scale).rounded()) + format.offset
            let range =
                place - format.rateHertz
                / 20..<min(
                    place + format.rateHertz / 20, decoded.int16.count)
            let peak = range.max { decoded.int16[$0].magnitude < decoded.int16[$1].magnitude }
            #expect(abs((peak ?? 0) - place - 8) <= tolerance + 8, "\(click)")
        }
    }

    @Test(arguments: lossless)
    func losslessSoundIsDecodedExactly(format: Format) throws {
        let decoded = try Decoded(file(format))
        #expect(decoded.format.container == format.container)
        #expect(decoded.format.encoding == format.encoding)
        #expect(decoded.int16 == samples.map { Int16($0 >> 16) })
    }

    /// As iTunes and Logic write it: no edit list, but a comment with delay, padding and length.
    @Test func commentOfITunesGivesDelayAndLength() throws {
        let unedited = try #require(Self.lossy.first { $0.name == "unedited.m4a" })
        var bytes = TestFolder.bytes(of: try file(unedited))
        func box(_ name: String, _ body: [UInt8]) -> [UInt8] {
            big(body.count + 8) + name.utf8 + body
        }
        func big(_ number: Int) -> [UInt8] {
            (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
        }
        let zeros = [UInt8](repeating: 0, count: 4)
        let padding = (1024 - (Self.frames + 1024) % 1024) % 1024
        let numbers = [0, 1024, padding].map { String(format: "%08X", $0) }
        let text = " " + numbers.joined(separator: " ") + String(format: " %016X", Self.frames)
        let comment = box(
            "----",
            box("mean", zeros + "com.apple.iTunes".utf8) + box("name", zeros + "iTunSMPB".utf8)
                + box("data", big(1) + zeros + text.utf8))
        let handler = box("hdlr", zeros + zeros + "mdirappl".utf8 + [UInt8](repeating: 0, count: 9))
        let data = box("udta", box("meta", zeros + handler + box("ilst", comment)))
        // The index is the last box of the file, and libav's own data the last in it.
        let moov = try #require(bytes.firstRange(of: Array("moov".utf8))).lowerBound - 4
        if let old = bytes.firstRange(of: Array("udta".utf8)) {
            bytes.removeSubrange((old.lowerBound - 4)...)
        }
        bytes += data
        bytes.replaceSubrange(moov..<moov + 4, with: big(bytes.count - moov))
        let decoded = try Decoded(folder.write(bytes, to: "itunes.m4a"))
        #expect(decoded.int16.count == Self.frames)
        for click in Self.clicks {
            let range = click - 2000..<min(click + 2000, Self.frames)
            let peak = range.max { decoded.int16[$0].magnitude < decoded.int16[$1].magnitude }
            #expect(abs((peak ?? 0) - click - 8) <= 52, "\(click)")
        }
    }

    @Test(arguments: ["g726", "g722"])
    func telephoneCodecInWAVIsDecoded(codec: String) throws {
        let rate = codec == "g726" ? 8000 : 16_000
        let path = folder.path("call.wav")
        try Encoder.run([
            "-f", "lavfi", "-i", "sine=400:sample_rate=\(rate):duration=2", "-c:a", codec, "-f",
            "wav", path.text,
        ])
        let decoded = try Decoded(path)
        #expect(decoded.format.encoding == SampleEncoding(rawValue: codec))
        #expect(decoded.format.container == .wav)
        #expect(decoded.int16.count == 2 * rate)
        let peak = decoded.int16.map(\.magnitude).max() ?? 0
        #expect((3500...4700).contains(peak))
    }

    @Test(arguments: [0.5, 1])
    func telephoneCodecInUnfinishedWAVIsDecoded(share: Double) throws {
        let path = folder.path("call.wav")
        try Encoder.run([
            "-f", "lavfi", "-i", "sine=400:sample_rate=16000:duration=2", "-c:a", "g722", "-f",
            "wav", path.text,
        ])
        var bytes = TestFolder.bytes(of: path)
        bytes = Array(bytes.prefix(Int(Double(bytes.count) * share)))
        if share == 1 {
            let size = try #require(bytes.firstRange(of: Array("data".utf8))).upperBound
            for place in [4, size] {
                bytes.replaceSubrange(place..<place + 4, with: Array(repeating: 0xFF, count: 4))
            }
        }
        let (decoded, error) = try Decoded.ending(of: folder.write(bytes, to: "call.wav"))
        #expect(abs(Double(decoded.int16.count) - 32_000 * share) < 500)
        #expect(error?.reason == (share == 1 ? nil : .truncated))
    }

    @Test func videoWithoutSoundIsReportedAsSuch() throws {
        let path = folder.path("mute.mkv")
        try Encoder.run(["-f", "lavfi", "-i", "testsrc=d=1:s=64x48", path.text])
        let error = #expect(throws: AudioFileError.self) { try Decoded(path) }
        #expect(error?.reason == .noAudio)
    }

    @Test func losslessCopyHasTheSameSamples() throws {
        let source = try file(Self.lossless[0])
        let copy = folder.path("copy.flac")
        let edits = EditList(keeping: [10_000..<60_000], of: Int64(Self.frames))
        #expect(
            try TrimmedCopy.write(
                keeping: edits, from: source, to: copy, container: .flac, fadeFrames: 0,
                isCancelled: { false }))
        #expect(try Decoded(copy).int16 == samples[10_000..<60_000].map { Int16($0 >> 16) })
    }

    @Test func truncatedMP4IsReportedAsTruncated() throws {
        let whole = TestFolder.bytes(of: try file(Self.lossy[1]))
        let path = folder.write(Array(whole.prefix(whole.count * 6 / 10)), to: "cut.m4a")
        let (decoded, error) = try Decoded.ending(of: path)
        #expect(error?.reason == .truncated)
        #expect(error?.expected == Int64(Self.frames))
        #expect(decoded.int16.count > Self.frames / 2)
    }

    @Test func mp4WithoutHeaderIsReportedAsUnfinished() throws {
        let whole = TestFolder.bytes(of: try file(Self.lossy[0]))
        let path = folder.write(Array(whole.prefix(whole.count * 6 / 10)), to: "died.m4a")
        let error = #expect(throws: AudioFileError.self) { try Decoded(path) }
        #expect(error?.reason == .unfinished)
    }

    @Test func textNamedLikeSoundIsRefused() {
        let path = folder.write(Array(repeating: UInt8(ascii: "a"), count: 9_000), to: "a.m4a")
        let error = #expect(throws: AudioFileError.self) { try Decoded(path) }
        #expect(error?.reason == .unrecognisedFormat)
    }
}

/// ffmpeg, as a maker of recordings.
enum Encoder {
    static func run(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["ffmpeg", "-v", "error", "-y", "-nostdin"] + arguments
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(arguments)")
    }
}
