import Audio
import Jobs
import Recordings

/// Recordings that are made to measure on where the user names none.
enum BenchSounds {
    static let seconds = 60.0
    /// One that all encoders take.
    static let sampleRateHertz = 48_000
    private static let blockFrames = 4096

    private static let kinds: [(name: Pathname, container: AudioContainer, SampleEncoding)] = [
        ("voice.wav", .wav, .pcm16), ("voice.flac", .flac, .pcm16), ("voice.mp3", .mp3, .mp3),
        ("voice.ogg", .ogg, .vorbis), ("voice.opus", .ogg, .opus),
    ]

    /// Makes one in each format that can be encoded here.
    static func make(
        in folder: Pathname, seconds: Double, _ stop: BenchStop
    ) throws(BenchRefusal) -> [Pathname] {
        do throws(FileSystemError) {
            try FileSystem.makeFolder(folder)
        } catch {
            throw .noScratch(folder, detail: error.detail)
        }
        var paths: [Pathname] = []
        for (name, container, encoding) in kinds {
            let format = AudioFormat(
                container: container, encoding: encoding, sampleRateHertz: sampleRateHertz,
                channels: 2, frames: 0)
            guard AudioFileWriter.canWrite(format) else { continue }
            try write(folder.appending(name), format, seconds, stop)
            paths.append(folder.appending(name))
        }
        return paths
    }

    private static func write(
        _ path: Pathname, _ format: AudioFormat, _ seconds: Double, _ stop: BenchStop
    ) throws(BenchRefusal) {
        do throws(AudioFileError) {
            var writer = try AudioFileWriter(creating: path, as: format)
            var sound = VoiceLikeSound(sampleRateHertz: sampleRateHertz, seconds: seconds)
            while case let block = sound.next(blockFrames), !block.isEmpty {
                if stop.cancellation.isCancelled { break }
                try writer.write(block)
            }
            try writer.finish()
        } catch {
            throw .failed(path, RecordingFailure(error, in: .trim))
        }
        try stop.check()
    }
}
