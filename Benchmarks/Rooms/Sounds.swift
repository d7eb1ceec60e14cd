import Analysis
import Audio
import CSndfile
import Foundation
import Recordings

/// Twenty seconds of something like a voice, in each format and decoded; made when first asked for.
struct Sounds {
    static let shared = Sounds()

    static let formats: [(name: String, format: Int)] = [
        ("WAV", SF_FORMAT_WAV | SF_FORMAT_PCM_16), ("FLAC", SF_FORMAT_FLAC | SF_FORMAT_PCM_16),
        ("MP3", SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III),
        ("Vorbis", SF_FORMAT_OGG | SF_FORMAT_VORBIS), ("Opus", SF_FORMAT_OGG | SF_FORMAT_OPUS),
    ]
    private static let seconds = 20.0
    private static let sampleRateHertz = 48_000

    /// Blocks as they are lent while decoding FLAC; few enough to stay in the processor's cache.
    let blocks: [AudioBlock]
    /// How many there are in all.
    let blockCount: Int
    let format: AudioFormat
    /// Where the silences are.
    let silence: SilenceMap
    private let folder: URL

    private init() {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "tapedeck-rooms-\(ProcessInfo.processInfo.processIdentifier)")
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true)
            for (name, format) in Sounds.formats {
                try Sounds.make(folder.appending(path: name), format)
            }
            var reader = try AudioFileReader(opening: Pathname(folder.appending(path: "FLAC").path))
            var spectrum = SpectrumMeter(
                sampleRateHertz: Sounds.sampleRateHertz, channels: 2)
            var (blocks, count) = ([AudioBlock](), 0)
            _ = try reader.forEachBlock { block in
                if blocks.count < 12 { blocks.append(copy block) }
                count += 1
                spectrum.consume(block)
            }
            self.blocks = blocks
            blockCount = count
            format = reader.decodedFormat
            silence = SilenceDetector.detect(
                spectrum.finish(), recipe: SilenceRecipe(), format: format)
        } catch {
            fatalError("no sound could be made in \(folder.path): \(error)")
        }
        atexit { Sounds.shared.remove() }
    }

    /// The file of a format.
    func path(_ name: String) -> Pathname { Pathname(folder.appending(path: name).path) }

    private func remove() { try? FileManager.default.removeItem(at: folder) }

    private static func make(_ file: URL, _ format: Int) throws {
        let writer = try SoundWriter(
            creating: Pathname(file.path), format: format, sampleRateHertz: sampleRateHertz,
            channels: 2)
        var voice = VoiceLikeSound(sampleRateHertz: sampleRateHertz, seconds: seconds)
        while case let samples = voice.next(4096), !samples.isEmpty { try writer.write(samples) }
    }
}
