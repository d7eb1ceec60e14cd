import CSndfile
import Recordings

/// A new sound file, written in blocks of frames; for one thread at a time.
///
/// What is written is not the same bytes each time where the encoder makes up numbers of its own,
/// as that of Ogg does.
package struct AudioFileWriter: ~Copyable {
    private var file: SoundFile
    private let created: CreatedFile
    private var path: Pathname { created.file.path }
    private let channels: Int

    /// Creates a sound file in `format`, whose `frames` do not matter.
    ///
    /// Throws `EEXIST` where anything has that name, and `unsupportedEncoding` for what the library
    /// cannot encode.
    package init(creating path: Pathname, as format: AudioFormat) throws(AudioFileError) {
        guard var info = AudioFileWriter.info(for: format), sf_format_check(&info) != 0 else {
            throw AudioFileError(
                activity: .creating, path: path, reason: .unsupportedEncoding)
        }
        let new = try CreatedFile(path)
        file = try SoundFile(writing: new.file, info: info)
        created = new
        file.set(SFC_SET_ADD_PEAK_CHUNK, to: false)
        file.set(SFC_SET_CLIPPING, to: true)
        channels = format.channels
    }

    /// Whether the library can encode to a format.
    package static func canWrite(_ format: AudioFormat) -> Bool {
        guard var info = info(for: format) else { return false }
        return sf_format_check(&info) != 0
    }

    /// Writes samples, interleaved by channel, of full scale ±1; what is beyond is clamped.
    package mutating func write(_ samples: [Float]) throws(AudioFileError) {
        let frames = samples.count / channels
        let written = sf_writef_float(file.handle, samples, Int64(frames))
        if file.errorNumber != 0 {
            throw AudioFileError(.writing, path, errno: file.errorNumber)
        }
        guard written < frames else { return }
        let refusal = file.refusal
        throw AudioFileError(
            activity: .writing, path: path, reason: .other, code: refusal?.code,
            detail: refusal?.detail)
    }

    /// Writes out what the encoder still holds.
    package consuming func finish() throws(AudioFileError) {
        file.close()
        guard file.errorNumber == 0 else {
            throw AudioFileError(.closing, path, errno: file.errorNumber)
        }
    }

    private static func info(for format: AudioFormat) -> SF_INFO? {
        guard let type = format.container.sndfileType, let subtype = format.encoding.writtenSubtype
        else { return nil }
        return SF_INFO(
            frames: 0, samplerate: Int32(format.sampleRateHertz),
            channels: Int32(format.channels), format: Int32(type | subtype), sections: 0,
            seekable: 0)
    }
}

extension AudioContainer {
    /// The library's word for those that are written anew.
    fileprivate var sndfileType: Int? {
        switch self {
        case .wav: SF_FORMAT_WAV
        case .flac: SF_FORMAT_FLAC
        case .ogg: SF_FORMAT_OGG
        case .mp3: SF_FORMAT_MPEG
        default: nil
        }
    }
}

extension SampleEncoding {
    /// The library's word for those that are written anew.
    fileprivate var writtenSubtype: Int? {
        switch self {
        case .pcm16: SF_FORMAT_PCM_16
        case .pcm24: SF_FORMAT_PCM_24
        case .vorbis: SF_FORMAT_VORBIS
        case .opus: SF_FORMAT_OPUS
        case .mp3: SF_FORMAT_MPEG_LAYER_III
        default: nil
        }
    }
}
