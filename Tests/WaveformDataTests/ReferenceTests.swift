import Audio
import Foundation
import Recordings
import TestSupport
import Testing
import WaveformData

/// A folder with files that the reference tool wrote, and the sound they were made of.
private let shared = ProcessInfo.processInfo.environment["TAPEDECK_SHARED"].map {
    Pathname($0).appending("reference/audiowaveform")
}

/// Byte identity with the reference tool, from the sound file to the waveform.
@Suite(.enabled(if: shared.map { FileManager.default.fileExists(atPath: $0.text) } ?? false))
struct ReferenceTests {
    private func file(_ name: Pathname) throws -> Pathname {
        try #require(shared).appending(name)
    }

    private func waveform(of path: Pathname, split: Bool, bits: Int) throws -> Waveform {
        var reader = try AudioFileReader(opening: path)
        var block = AudioBlock(channels: reader.format.channels, capacityFrames: 1000)
        var samples: [Int16] = []
        repeat {
            try reader.read(into: &block)
            samples += block.int16[..<block.sampleCount]
        } while block.frames > 0
        try reader.verifyEnd()
        let peaks = plainPeaks(
            samples, channels: reader.format.channels, samplesPerPixel: 64, split: split)
        return Waveform(peaks: peaks, sampleRateHertz: reader.format.sampleRateHertz, bits: bits)
    }

    @Test(arguments: [
        ("test_file_stereo.wav", "test_file_stereo_8bit_64spp_wav.dat"),
        ("test_file_stereo.oga", "test_file_stereo_8bit_64spp_oga.dat"),
    ])
    func eightBitDataMatchesAudiowaveform(sound: String, data: String) throws {
        let waveform = try waveform(of: file(Pathname(sound)), split: false, bits: 8)
        #expect(waveform.binaryBytes() == TestFolder.bytes(of: try file(Pathname(data))))
    }

    @Test func flacCopyOfWAVMatchesAudiowaveform() throws {
        let folder = TestFolder()
        let wav = try file("test_file_stereo.wav")
        let flac = folder.path("same.flac")
        let frames = try AudioFileReader(opening: wav).format.frames
        let descriptor = open(flac.text, O_RDWR | O_CREAT | O_EXCL, 0o666)
        defer { close(descriptor) }
        _ = try TrimmedCopy.write(
            keeping: EditList(keeping: [0..<frames], of: frames), from: wav,
            to: NewFile(descriptor: descriptor, path: flac),
            container: .flac, fadeFrames: 0, isCancelled: { false })
        let expected = TestFolder.bytes(of: try file("test_file_stereo_8bit_64spp_wav.dat"))
        #expect(try waveform(of: flac, split: false, bits: 8).binaryBytes() == expected)
    }

    /// The FLAC file there was dithered anew, so that a few values fall on the other side of a
    /// step.
    @Test func ditheredFLACDiffersByAtMostOneStep() throws {
        let flac = try waveform(of: file("test_file_stereo.flac"), split: false, bits: 8)
        let data = TestFolder.bytes(of: try file("test_file_stereo_8bit_64spp_wav.dat"))
        let reference = data.dropFirst(20).map { Int16(Int8(bitPattern: $0)) }
        let differences = zip(flac.values, reference).map { abs($0 - $1) }
        #expect(flac.values.count == reference.count)
        #expect(differences.max() == 1)
        #expect(differences.count { $0 != 0 } == 11)
    }

    @Test func sixteenBitDataMatchesAudiowaveform() throws {
        let waveform = try waveform(of: file("test_file_stereo.wav"), split: false, bits: 16)
        let expected = TestFolder.bytes(of: try file("test_file_stereo_16bit_64spp_wav.dat"))
        #expect(waveform.binaryBytes() == expected)
    }

    @Test func splitChannelDataMatchesAudiowaveform() throws {
        let waveform = try waveform(of: file("test_file_stereo.wav"), split: true, bits: 8)
        let expected = TestFolder.bytes(of: try file("test_file_2channel_8bit_64spp_wav.dat"))
        #expect(waveform.binaryBytes() == expected)
    }

    @Test func jsonMatchesAudiowaveform() throws {
        let waveform = try waveform(of: file("test_file_stereo.wav"), split: false, bits: 8)
        let expected = TestFolder.bytes(of: try file("test_file_stereo_8bit_64spp_wav.json"))
        #expect(waveform.jsonBytes() == expected)
    }
}

/// The peaks of interleaved samples, computed in the plainest way there is.
private func plainPeaks(
    _ samples: [Int16], channels: Int, samplesPerPixel: Int, split: Bool
) -> Peaks {
    let frames = stride(from: 0, to: samples.count, by: channels).map { first -> [Int] in
        let frame = samples[first..<first + channels].map(Int.init)
        return split ? frame : [frame.reduce(0, +) / channels]
    }
    var values: [Int16] = []
    for first in stride(from: 0, to: frames.count, by: samplesPerPixel) {
        let pixel = frames[first..<min(first + samplesPerPixel, frames.count)]
        for channel in 0..<(split ? channels : 1) {
            let column = pixel.map { Int16($0[channel]) }
            values += [column.min() ?? 0, column.max() ?? 0]
        }
    }
    return Peaks(samplesPerPixel: samplesPerPixel, channels: split ? channels : 1, values: values)
}
