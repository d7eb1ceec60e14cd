import Analysis
import Audio
import Foundation
import Recordings

/// Twenty seconds of something like a voice, in each format and decoded; made when first asked for.
struct Sounds {
    static let shared = Sounds()

    static let formats: [(name: String, container: AudioContainer, encoding: SampleEncoding)] = [
        ("WAV", .wav, .pcm16), ("FLAC", .flac, .pcm16), ("MP3", .mp3, .mp3),
        ("Vorbis", .ogg, .vorbis), ("Opus", .ogg, .opus),
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
            for (name, container, encoding) in Sounds.formats {
                try Sounds.make(folder.appending(path: name), container, encoding)
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

    private static func make(
        _ file: URL, _ container: AudioContainer, _ encoding: SampleEncoding
    ) throws(AudioFileError) {
        var writer = try AudioFileWriter(
            creating: Pathname(file.path),
            as: AudioFormat(
                container: container, encoding: encoding, sampleRateHertz: sampleRateHertz,
                channels: 2, frames: 0))
        var voice = VoiceLikeSound(sampleRateHertz: sampleRateHertz, seconds: seconds)
        while case let samples = voice.next(4096), !samples.isEmpty { try writer.write(samples) }
        try writer.finish()
    }
}
