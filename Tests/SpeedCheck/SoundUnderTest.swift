import Analysis
import Audio
import CSndfile
import Glibc
import Recordings

/// A minute of sound, in a file and decoded, and the work that is done with it.
struct SoundUnderTest {
    private static let seconds = 60
    /// Decoded blocks that are lent again and again: so many stay in the processor's cache, where a
    /// run's one block is too, so that nobody else's use of the memory counts.
    private static let blocksKept = 12

    private let path: Pathname
    private let format: AudioFormat
    private let blocks: [AudioBlock]
    /// Of the file.
    private let blockCount: Int

    /// Repeats a recording, the same on both channels, to a minute of FLAC.
    init(repeating source: Pathname) throws {
        let samples = try SoundUnderTest.stereo(of: source)
        var template = Array("/tmp/speed-check-XXXXXX".utf8CString)
        // Where that fails, so does writing the file, which is created there anew.
        let descriptor = mkstemp(&template)
        if descriptor >= 0 {
            unlink(template)
            close(descriptor)
        }
        path = Pathname(bytes: template.dropLast().map { UInt8(bitPattern: $0) })
        let rate = try AudioFileReader(opening: source).format.sampleRateHertz
        var writer: SoundWriter? = try SoundWriter(
            creating: path, format: SF_FORMAT_FLAC | SF_FORMAT_PCM_16, sampleRateHertz: rate,
            channels: 2)
        var left = SoundUnderTest.seconds * rate * 2
        while left > 0 {
            try writer?.write(Array(samples.prefix(left)))
            left -= min(left, samples.count)
        }
        // Closes the file.
        writer = nil
        var reader = try AudioFileReader(opening: path)
        var blocks: [AudioBlock] = []
        var count = 0
        _ = try reader.forEachBlock { block in
            if blocks.count < SoundUnderTest.blocksKept { blocks.append(copy block) }
            count += 1
        }
        self.blocks = blocks
        blockCount = count
        format = reader.decodedFormat
    }

    func remove() { _ = path.withCString { unlink($0) } }

    private static func stereo(of source: Pathname) throws(AudioFileError) -> [Float] {
        var reader = try AudioFileReader(opening: source)
        let channels = reader.format.channels
        var samples: [Float] = []
        _ = try reader.forEachBlock { block in
            for frame in 0..<block.frames {
                let sample = block.samples[frame * channels]
                samples += [sample, sample]
            }
        }
        return samples
    }

    /// Does the work of a part, or half of it.
    func work(_ part: Part, half: Bool = false) throws(AudioFileError) {
        let count = half ? blockCount / 2 : blockCount
        switch part {
        case .decode: try decode(count: count) { _ in }
        case .copy:
            var samples = blocks[0].samples
            for index in 0..<count {
                samples.withUnsafeMutableBytes { copy in
                    blocks[index % blocks.count].samples.withUnsafeBytes {
                        copy.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<copy.count]))
                    }
                }
            }
            keep(samples)
        case .listen:
            var waveform = newWaveform
            var levels = LevelMeter(channels: 2)
            var spectrum = newSpectrum
            try decode(count: count) { block in
                waveform.consume(block)
                levels.consume(block)
                spectrum.consume(block)
            }
            keep(waveform.finish())
            keep(levels.finish())
            detect(spectrum.finish())
        case .waveform:
            var waveform = newWaveform
            for index in 0..<count { waveform.consume(blocks[index % blocks.count]) }
            keep(waveform.finish())
        case .levels:
            var levels = LevelMeter(channels: 2)
            for index in 0..<count { levels.consume(blocks[index % blocks.count]) }
            keep(levels.finish())
        case .silence:
            var spectrum = newSpectrum
            for index in 0..<count { spectrum.consume(blocks[index % blocks.count]) }
            detect(spectrum.finish())
        }
    }

    private var newWaveform: WaveformBuilder {
        WaveformBuilder(zooms: [.samplesPerPixel(256)], channels: 2, splitChannels: false)
    }

    private var newSpectrum: SpectrumMeter {
        SpectrumMeter(
            sampleRateHertz: format.sampleRateHertz, channels: 2,
            keepsBands: SilenceRecipe().goesByNetwork)
    }

    private func decode(
        count: Int, _ take: (borrowing AudioBlock) -> Void
    ) throws(AudioFileError) {
        var reader = try AudioFileReader(opening: path)
        var left = count
        _ = try reader.forEachBlock(while: { left > 0 }) { block in
            take(block)
            left -= 1
        }
    }

    private func detect(_ track: ActivityTrack) {
        keep(SilenceDetector.detect(track, recipe: SilenceRecipe(), format: format))
    }

    /// Has the compiler believe that a result is of use.
    @inline(never) private func keep<Result>(_ result: Result) {}
}
