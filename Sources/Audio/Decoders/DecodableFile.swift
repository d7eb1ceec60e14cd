import CSndfile
import Recordings

/// A file in the decoder's hands, and what is known of it beyond what the decoder says.
struct DecodableFile: ~Copyable {
    let sound: SoundFile
    /// Its decoded frames.
    let frames: FrameDecoder
    let source: SourceFile
    /// What the frames of an MPEG stream say of it; `nil` for other files.
    let stream: MPEGStream?

    private static let bytesAtOnce = 1 << 16

    /// From instruments that listen to the ground to receivers of radio waves.
    ///
    /// A rate beyond is a damaged header. Believed, it would make 10 ms of sound larger than the
    /// memory, or a minute of sound last for years.
    private static let possibleRatesHertz = 10...100_000_000

    /// Of all channels together, as 10 ms of them have to fit into the memory.
    private static let mostSamplesPerSecond = 200_000_000

    /// Opens `path`; an MPEG stream is read through once, for its length.
    init(opening path: Pathname) throws(AudioFileError) {
        var source = try SourceFile(opening: path)
        let stream: MPEGStream?
        let sound: SoundFile
        do throws(AudioFileError) {
            stream = try DecodableFile.stream(in: source)
            if stream == nil { source.passOverTags() }
            sound = try DecodableFile.open(source, stream: stream)
        } catch {
            throw source.troubleReading() ?? error
        }
        frames = FrameDecoder(of: sound, in: source)
        self.sound = sound
        self.source = source
        self.stream = stream
    }

    /// Whether the decoder has come to the file's end; never in an MPEG stream, which ends where
    /// its last frame does.
    var isReadToItsEnd: Bool {
        stream == nil && (frames.flac?.isReadToItsEnd ?? sound.isReadToItsEnd)
    }

    /// The first error number of the system, 0 while all is well.
    var errorNumber: Int32 { frames.flac?.errorNumber ?? sound.errorNumber }

    /// The first complaint of whoever decodes, and where it came, if it is known more exactly than
    /// by the last call.
    var complaint: (refusal: LibraryRefusal?, frame: Int64?)? {
        if let flac = frames.flac {
            return (flac.gap ?? flac.complaint).map { (nil, $0) }
        }
        return sound.refusal.map { ($0, nil) }
    }

    /// Whether sound follows what was read of a FLAC stream, of which its header says nothing:
    /// further frames of the stream, or another stream, be it behind a tag or padding.
    ///
    /// False where libsndfile reads it, of which it is not known where it is. All that follows is
    /// read, which is hardly ever anything.
    var isFollowedBySound: Bool {
        guard let end = frames.flac?.place else { return false }
        if FLACStart.ofFrame(source.bytes(at: end, count: FLACStart.mostHeaderBytes)) {
            return true
        }
        var place = end
        var rest: [UInt8]
        repeat {
            rest = source.bytes(at: place, count: DecodableFile.bytesAtOnce)
            if FLACStart.ofStream(within: rest) { return true }
            // One may begin with the last bytes of these.
            place += Int64(rest.count - FLACStart.beginning.count)
        } while rest.count == DecodableFile.bytesAtOnce
        return false
    }

    /// Whether a FLAC stream goes on within the block that the length in its header ends in.
    var isEndedWithinBlock: Bool { frames.flac?.isWithinBlock ?? false }

    /// Whether bytes that make no whole frame follow the last one of a FLAC stream, of which
    /// nothing says how long it is.
    var isFollowedByRemains: Bool { frames.flac?.isCutOff ?? false }

    /// Whether frames of a FLAC stream are missing, but the last one is there; taken for granted
    /// where nothing says which one that is, or where.
    var lacksFramesWithinAlone: Bool {
        guard frames.flac?.gap != nil else { return false }
        let format = AudioFormat(sound.info)
        guard let decoder = FLACDecoder(reading: source, format: format) else { return true }
        return format.frames == 0 || decoder.hasFrame(format.frames - 1)
    }

    /// The frames of an MPEG stream; `nil` for any other file.
    ///
    /// Throws for what libsndfile would take for a stream and is none, without asking it: its
    /// decoder prints complaints.
    private static func stream(
        in source: borrowing SourceFile
    ) throws(AudioFileError) -> MPEGStream? {
        guard MPEGStream.seems(source) else { return nil }
        if let stream = MPEGStream(walking: source) { return stream }
        throw unrecognised(source)
    }

    /// The library's refusal, with what the file itself says of the reason.
    private static func refined(
        _ error: AudioFileError, _ source: borrowing SourceFile, _ stream: MPEGStream?
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

    private static func unrecognised(_ source: borrowing SourceFile) -> AudioFileError {
        AudioFileError(
            activity: .opening, path: source.path,
            reason: source.incompleteBeginning ?? .unrecognisedFormat)
    }

    /// Opens what `source` holds, or says better than the library why that cannot be.
    private static func open(
        _ source: borrowing SourceFile, stream: MPEGStream?
    ) throws(AudioFileError) -> SoundFile {
        let sound: SoundFile
        do throws(AudioFileError) {
            if let stream { return try SoundFile(reading: source, stream: stream) }
            sound = try SoundFile(reading: source)
        } catch {
            throw refined(error, source, stream)
        }
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
