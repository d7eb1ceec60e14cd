import Audio
import CSndfile
import Foundation
import Recordings
import TestSupport
import Testing

/// Why `path` cannot be opened; `nil` where it can.
private func refusal(of path: Pathname) -> AudioFileError? {
    do throws(AudioFileError) {
        _ = try AudioFileReader(opening: path)
        return nil
    } catch {
        return error
    }
}

@Suite struct AudioFileErrorTests {
    private let folder = TestFolder()

    @Test func openFailureIsReportedWithSystemError() {
        let missing = folder.path("missing.wav")
        let expected = AudioFileError(
            activity: .opening, path: missing, reason: .vanished, code: Int(ENOENT),
            detail: "No such file or directory")
        #expect(refusal(of: missing) == expected)
        #expect(refusal(of: Pathname("\(folder.path)/a/b.wav"))?.reason == .vanished)
        let long = Pathname(String(repeating: "n", count: 300))
        #expect(refusal(of: folder.path(long))?.reason == .nameTooLong)
    }

    /// 10 ms of it would not fit into the memory.
    @Test func excessiveSamplesPerSecondAreRefused() {
        let path = folder.path("fast.wav")
        for (rate, channels, reason) in [
            (100_000_000, 2, nil), (100_000_000, 3, RecordingFailure.Reason.corrupt),
            (768_000, 256, nil), (768_000, 1000, .corrupt), (100_000_001, 1, .corrupt),
        ] {
            SoundMaker.write(
                [Int16](repeating: 0, count: channels), format: SF_FORMAT_WAV | SF_FORMAT_PCM_16,
                rate: rate, channels: channels, to: path)
            #expect(refusal(of: path)?.reason == reason, "\(rate) Hz, \(channels) channels")
        }
    }

    @Test func emptyFileIsRefused() {
        #expect(refusal(of: folder.write([], to: "empty.wav"))?.reason == .emptyFile)
    }

    @Test func foldersPipesAndDevicesAreRefused() {
        #expect(refusal(of: folder.path)?.reason == .notARegularFile)
        let pipe = folder.path("pipe.wav")
        #expect(mkfifo(pipe.text, 0o644) == 0)
        #expect(refusal(of: pipe)?.reason == .notARegularFile)
        #expect(refusal(of: "/dev/null")?.reason == .notARegularFile)
    }

    @Test(.enabled(if: geteuid() != 0))
    func permissionDenialIsReported() {
        let path = folder.write([1, 2, 3], to: "secret.wav")
        chmod(path.text, 0)
        #expect(refusal(of: path)?.reason == .permissionDenied)
        #expect(refusal(of: path)?.code == Int(EACCES))
    }

    /// A file of the system's that is there, has a length, and cannot be read.
    private static let unreadable: Pathname = "/sys/devices/software/power/autosuspend_delay_ms"

    private static let isUnreadable: Bool = {
        let descriptor = open(unreadable.text, O_RDONLY)
        var byte: UInt8 = 0
        defer { close(descriptor) }
        return descriptor >= 0 && pread(descriptor, &byte, 1, 0) < 0 && errno == EIO
    }()

    /// The decoder gets no bytes and says that it does not know the format: so a disk's hiccup
    /// would count against the recording, for good.
    @Test(.enabled(if: isUnreadable, "this system has no file that gives an error"))
    func unreadableFileIsReportedAsInputOutputError() {
        let link = folder.path("b.wav")
        #expect(symlink(Self.unreadable.text, link.text) == 0)
        let error = refusal(of: link)
        #expect(error?.reason == .inputOutput && error?.code == Int(EIO))
        #expect(error?.activity == .reading)
    }

    @Test func errnoIsMappedToFailureReason() {
        for (number, reason) in [
            (EACCES, .permissionDenied), (EMFILE, .tooManyOpenFiles), (ENFILE, .tooManyOpenFiles),
            (ENOSPC, .noSpace), (EFBIG, .tooLarge), (EROFS, .readOnly), (EIO, .inputOutput),
            (EINVAL, .other),
        ] as [(Int32, RecordingFailure.Reason)] {
            #expect(AudioFileError(.writing, "x", errno: number).reason == reason)
        }
    }

    @Test(arguments: ["x.wav", "x.mp3", "x.raw", "x.vox", "x.gsm", "x.au", "x"])
    func textFileIsRefusedUnderAnyName(name: String) {
        let text = Array(String(repeating: "Hello, this is no sound.\n", count: 400).utf8)
        #expect(refusal(of: folder.write(text, to: Pathname(name)))?.reason == .unrecognisedFormat)
        let utf16: [UInt8] = [0xFF, 0xFE] + text.flatMap { [$0, 0] }
        #expect(refusal(of: folder.write(utf16, to: Pathname(name)))?.reason == .unrecognisedFormat)
        let tagged: [UInt8] = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 0] + text
        #expect(
            refusal(of: folder.write(tagged, to: Pathname(name)))?.reason == .unrecognisedFormat)
    }

    @Test(
        arguments: [
            [0xFF, 0xD8, 0xFF, 0xE0], [0x01, 0x04], [0xFF, 0xFB, 0x90, 0x00],
            [0x89, 0x50, 0x4E, 0x47],
            [0xFF, 0xFB, 0x00, 0x00], [0x00],
        ] as [[UInt8]])
    func noiseBeginningLikeSoundIsRefused(start: [UInt8]) {
        let noise = (0..<40000).map { UInt8(truncatingIfNeeded: ($0 * $0 * 31) >> 5) }
        for name in ["x.mp3", "x.raw"] as [Pathname] {
            #expect(
                refusal(of: folder.write(start + noise, to: name))?.reason == .unrecognisedFormat)
        }
    }

    @Test func unknownWAVEncodingIsReportedAsUnsupported() {
        let path = folder.path("g726.wav")
        SoundMaker.write(
            tone(frames: 100), format: SF_FORMAT_WAV | SF_FORMAT_PCM_16, to: path)
        var bytes = TestFolder.bytes(of: path)
        bytes[20] = 0x45
        #expect(refusal(of: folder.write(bytes, to: "g726.wav"))?.reason == .unsupportedEncoding)
    }

    @Test(arguments: [1, 9, 100_000_001, Int(Int32.max)])
    func implausibleSampleRateIsRefused(rateHertz: Int) {
        let path = folder.path("rate.wav")
        SoundMaker.write(
            tone(frames: 100), format: SF_FORMAT_WAV | SF_FORMAT_PCM_16, rate: rateHertz, to: path)
        #expect(refusal(of: path)?.reason == .corrupt)
    }

    @Test func parallelOpensReportTheirOwnErrors() async {
        let text = folder.write(Array(repeating: 0x61, count: 4000), to: "text.wav")
        let header =
            Array("RIFF".utf8) + [36, 0, 0, 0] + Array("WAVEfmt ".utf8) + [16, 0, 0, 0, 1]
        let cut = folder.write(header, to: "cut.wav")
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    (0..<300).allSatisfy { _ in refusal(of: text)?.reason == .unrecognisedFormat }
                }
                group.addTask {
                    (0..<300).allSatisfy { _ in
                        refusal(of: cut)?.reason == .truncated
                            && refusal(of: cut)?.detail != refusal(of: text)?.detail
                    }
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }
}
