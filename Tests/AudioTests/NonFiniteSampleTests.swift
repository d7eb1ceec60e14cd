import Audio
import CSndfile
import Recordings
import TestSupport
import Testing

/// Samples that are not numbers, or infinite.
@Suite struct NonFiniteSampleTests {
    private let folder = TestFolder()

    private func counts(_ samples: [Double], _ format: Int, channels: Int, blockFrames: Int) throws
        -> ([Int], [Float])
    {
        let path = folder.path("a.wav")
        SoundMaker.write(samples, format: format, channels: channels, to: path)
        var reader = try AudioFileReader(opening: path)
        var block = AudioBlock(channels: channels, capacityFrames: blockFrames)
        var counts: [Int] = []
        var read: [Float] = []
        repeat {
            try reader.read(into: &block)
            counts = counts.adding(block.nonFiniteSamples)
            read += block.samples[..<block.sampleCount]
        } while block.frames > 0
        try reader.verifyEnd()
        return (counts, read)
    }

    @Test(
        arguments: [SF_FORMAT_FLOAT, SF_FORMAT_DOUBLE], [1, 2, 3, 8])
    func nonFiniteSamplesAreCountedAndReadAsZero(encoding: Int, channels: Int) throws {
        var samples = tone(frames: 20_000, channels: channels)
        // In the first and the last frame, and on both sides of the end of a block.
        let bad: [(frame: Int, channel: Int, value: Double)] = [
            (0, 0, .nan), (0, channels - 1, .infinity), (699, 0, -.infinity), (700, 0, .nan),
            (8191, channels - 1, -.nan), (8192, channels - 1, .signalingNaN), (19_999, 0, .nan),
        ]
        for (frame, channel, value) in bad { samples[frame * channels + channel] = value }
        var expected = [Int](repeating: 0, count: channels)
        for place in Set(bad.map { $0.frame * channels + $0.channel }) {
            expected[place % channels] += 1
        }
        for blockFrames in [700, 8192, 20_000] {
            let (counts, read) = try counts(
                samples, SF_FORMAT_WAV | encoding, channels: channels, blockFrames: blockFrames)
            #expect(counts == expected)
            #expect(read.count == samples.count)
            for (index, sample) in samples.enumerated() {
                let isRight = sample.isFinite ? read[index] == Float(sample) : read[index] == 0
                if !isRight { Issue.record("sample \(index) is \(read[index])") }
            }
        }
    }

    @Test func finiteSamplesAreNotCounted() throws {
        let large = [0, 0.5, 1e30, -1e30, Double(Float.greatestFiniteMagnitude), 1e-40]
        let kinds = [SF_FORMAT_WAV | SF_FORMAT_FLOAT, SF_FORMAT_WAV | SF_FORMAT_PCM_16]
        for format in kinds {
            #expect(try counts(large, format, channels: 1, blockFrames: 100).0.isEmpty)
        }
    }
}
