import CSndfile
import Recordings

/// A file in the decoder's hands, and what is known of it beyond what the decoder says.
struct DecodableFile {
    /// By whom it was recognised, whoever decodes it.
    let sound: SoundFile
    let decoder: any Decoder
    let source: SourceFile
    /// What the frames of an MPEG stream say of it; `nil` for other files.
    let stream: MPEGStream?

    /// From instruments that listen to the ground to receivers of radio waves.
    ///
    /// A rate beyond is a damaged header. Believed, it would make 10 ms of sound larger than the
    /// memory, or a minute of sound last for years.
    private static let possibleRatesHertz = 10...100_000_000

    /// Of all channels together, as 10 ms of them have to fit into the memory.
    private static let mostSamplesPerSecond = 200_000_000

    /// Opens `path`; an MPEG stream is read through once, for its length.
    init(opening path: Pathname) throws(AudioFileError) {
        source = try SourceFile(opening: path)
        do throws(AudioFileError) {
            stream = try DecodableFile.stream(in: source)
            if stream == nil { source.passOverTags() }
            sound = try DecodableFile.open(source, stream: stream)
        } catch {
            throw source.troubleReading() ?? error
        }
        decoder = FLACDecoder(reading: source, format: AudioFormat(sound.info)) ?? sound
    }

    /// Whether the decoder has come to the file's end; never in an MPEG stream, which ends where
    /// its last frame does.
    var isReadToItsEnd: Bool { stream == nil && decoder.isReadToItsEnd }

    /// The frames of an MPEG stream; `nil` for any other file.
    ///
    /// Throws for what libsndfile would take for a stream and is none, without asking it: its
    /// decoder prints complaints.
    private static func stream(
        in source: SourceFile
    ) throws(AudioFileError) -> MPEGStream? {
        guard MPEGStream.seems(source) else { return nil }
        if let stream = MPEGStream(walking: source) { return stream }
        throw unrecognised(source)
    }

    /// The library's refusal, with what the file itself says of the reason.
    private static func refined(
        _ error: AudioFileError, _ source: SourceFile, _ stream: MPEGStream?
    ) -> AudioFileError {
        guard [.corrupt, .unrecognisedFormat].contains(error.reason) else { return error }
        if let stream {
            // Not one frame need be whole.
            guard case .truncated = stream.verdict else { return error }
            return error.opening(as: stream.verdict)
        }
        var refined = error
        if error.reason == .corrupt { refined = error.opening(as: ContainerVerdict(on: source)) }
        if refined.reason == .unrecognisedFormat, let reason = source.incompleteBeginning {
            refined.reason = reason
        }
        return refined
    }

    private static func unrecognised(_ source: SourceFile) -> AudioFileError {
        AudioFileError(
            activity: .opening, path: source.path,
            reason: source.incompleteBeginning ?? .unrecognisedFormat)
    }

    /// Opens what `source` holds, or says better than the library why that cannot be.
    private static func open(
        _ source: SourceFile, stream: MPEGStream?
    ) throws(AudioFileError) -> SoundFile {
        let sound: SoundFile
        do throws(AudioFileError) {
            sound = try SoundFile(reading: source, stream: stream)
        } catch {
            throw refined(error, source, stream)
        }
        if stream != nil { return sound }
        guard sound.isRecognisedForCertain else { throw unrecognised(source) }
        let rate = Int(sound.info.samplerate)
        guard possibleRatesHertz.contains(rate),
            rate * Int(sound.info.channels) <= mostSamplesPerSecond
        else {
            throw AudioFileError(activity: .opening, path: source.path, reason: .corrupt)
        }
        return sound
    }
}

extension AudioFileError {
    /// This refusal, with what the container itself says of the reason.
    ///
    /// The library's numbers say little, and it takes two bytes for a container. Where the
    /// container is as it should be, what it holds must be something else than expected.
    fileprivate func opening(as verdict: ContainerVerdict) -> AudioFileError {
        var refined = self
        switch verdict {
        case .truncated(let bytes):
            refined.reason = .truncated
            refined.expected = bytes
        case .short: refined.reason = .truncated
        case .unfinished, .outgrown, .lengthUnknown: refined.reason = .unfinished
        case .unjudged: refined.reason = .unrecognisedFormat
        case .damaged: refined.reason = .corrupt
        case .whole, .chained: refined.reason = .unsupportedEncoding
        }
        return refined
    }
}
