import CSndfile
import Recordings

/// A file opened with its decoder, with facts that the decoder does not report.
struct DecodableFile {
    /// The libsndfile handle that recognised the file, even if libFLAC reads it; `nil` if libav
    /// does.
    let sound: SoundFile?
    let decoder: any Decoder
    /// The format that the header declares.
    let format: AudioFormat
    let view: SampleView
    let source: SourceFile
    /// The MPEG frames found in the file; `nil` for other files.
    let stream: MPEGStream?

    /// Plausible sample rates, from seismometers to radio receivers.
    ///
    /// Any other rate is a damaged header. If believed, 10 ms of sound might exceed the memory, or
    /// a minute of sound might last for years.
    private static let possibleRatesHertz = 10...100_000_000

    /// The limit for all channels together, as 10 ms of them must fit into memory.
    private static let mostSamplesPerSecond = 200_000_000

    /// Opens `path`; an MPEG stream is read through once, for its length.
    init(opening path: Pathname) throws(AudioFileError) {
        let source = try SourceFile(opening: path)
        self.source = source
        do throws(AudioFileError) {
            let stream = try DecodableFile.stream(in: source)
            if stream == nil { source.passOverTags() }
            let sound = try DecodableFile.open(source, stream: stream)
            format = AudioFormat(sound.info)
            decoder = FLACDecoder(reading: source, format: format) ?? sound
            view = SampleView(of: format.encoding)
            (self.sound, self.stream) = (sound, stream)
        } catch {
            if let trouble = source.troubleReading() { throw trouble }
            let other = try DecodableFile.openWithLibav(source, after: error)
            (decoder, format, view) = (other, other.format, other.view)
            (sound, stream) = (nil, nil)
        }
    }

    /// The decoder if it is libav.
    var libav: LibavDecoder? { decoder as? LibavDecoder }

    /// libsndfile's code for container, encoding and byte order; `nil` if it has none.
    var sndfileFormat: Int32? { sound?.info.format ?? format.sndfileFormat }

    /// Whether the decoder finds a frame without decoding those before it, and the same samples.
    var isSeekable: Bool {
        format.encoding.bytesPerSample != nil && sound.map { $0.info.seekable != 0 } ?? false
    }

    /// Opens with libav what libsndfile did not open.
    ///
    /// If that fails too, throws the error that says more.
    private static func openWithLibav(
        _ source: SourceFile, after error: AudioFileError
    ) throws(AudioFileError) -> LibavDecoder {
        let isForeign = error.reason == .unrecognisedFormat
        guard isForeign || error.reason == .unsupportedEncoding else { throw error }
        do throws(AudioFileError) {
            return try LibavDecoder(reading: source)
        } catch let second {
            switch second.reason {
            case .unrecognisedFormat, .corrupt, .unsupportedEncoding:
                var told = second.reason == .unrecognisedFormat ? error : second
                if MP4Movie.begins(source), MP4Movie(of: source) == nil {
                    told.reason = .unfinished
                }
                throw told
            case .needsLibav where isForeign && !source.beginsLikeLibavs: throw error
            default: throw second
            }
        }
    }

    /// Whether the decoder has reached the end of the file; false for an MPEG stream, which ends
    /// with its last frame.
    var isReadToItsEnd: Bool { stream == nil && decoder.isReadToItsEnd }

    /// The frames of an MPEG stream; `nil` for any other file.
    ///
    /// Throws if libsndfile would wrongly take the file for a stream, without calling it: its MPEG
    /// decoder prints errors.
    private static func stream(
        in source: SourceFile
    ) throws(AudioFileError) -> MPEGStream? {
        guard MPEGStream.seems(source) else { return nil }
        if let stream = MPEGStream(walking: source) { return stream }
        throw unrecognised(source)
    }

    /// The library's error, refined by the file's own contents.
    private static func refined(
        _ error: AudioFileError, _ source: SourceFile, _ stream: MPEGStream?
    ) -> AudioFileError {
        guard [.corrupt, .unrecognisedFormat].contains(error.reason) else { return error }
        if let stream {
            // Not even one frame may be complete.
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

    /// Opens `source`, or throws a more precise error than the library's.
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
    /// This error, refined by the container's verdict.
    ///
    /// libsndfile's numbers say little, and it takes two bytes for a container. If the container is
    /// valid, its contents must be an unsupported encoding.
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
