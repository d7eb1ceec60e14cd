import CSndfile
import Recordings

// The choice of a decoder, and the reason if there is none.

extension DecodableFile {
    /// Plausible sample rates, from seismometers to radio receivers.
    ///
    /// Any other rate is a damaged header. If believed, 10 ms of sound might exceed the memory, or
    /// a minute of sound might last for years.
    private static let possibleRatesHertz = 10...100_000_000

    /// More channels than any microphone array has.
    private static let mostChannels = 256

    /// The limit for all channels together, as 10 ms of them must fit into memory.
    private static let mostSamplesPerSecond = 200_000_000

    /// Opens with libav what libsndfile did not open.
    ///
    /// If that fails too, throws the error that says more.
    static func openWithLibav(
        _ source: SourceFile, after error: AudioFileError
    ) throws(AudioFileError) -> LibavDecoder {
        let isForeign = error.reason == .unrecognisedFormat
        let others: [RecordingFailure.Reason] = [
            .unsupportedEncoding, .chainedStreams, .formatChanges,
        ]
        let isUsable = error.isOfIncomplete && source.mayBeUsedInPart
        guard isForeign || isUsable || others.contains(error.reason) else { throw error }
        do throws(AudioFileError) {
            let libav = try LibavDecoder(reading: source)
            try check(
                rateHertz: libav.format.sampleRateHertz, channels: libav.format.channels, source)
            return libav
        } catch let second {
            switch second.reason {
            case _ where isUsable: throw error
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

    /// Throws for files of which libsndfile would silently read a part, or at a wrong rate.
    static func refuseMisread(
        _ source: SourceFile, _ stream: MPEGStream?, _ verdict: ContainerVerdict?
    ) throws(AudioFileError) {
        let reason: RecordingFailure.Reason
        if stream?.changesChannels == true || stream?.changesRate == true {
            reason = .formatChanges
        } else if stream == nil, verdict == .chained {
            reason = .chainedStreams
        } else if OggStream.omitsOpusRate(source) || VoiceBlocks(of: source)?.areMisread == true
            || DeclaredSound.holdsChannelsApart(source)
        {
            reason = .unsupportedEncoding
        } else {
            return
        }
        throw AudioFileError(activity: .opening, path: source.path, reason: reason)
    }

    /// The frames of an MPEG stream; `nil` for any other file.
    ///
    /// Throws if libsndfile would wrongly take the file for a stream, without calling it: its MPEG
    /// decoder prints errors.
    static func stream(
        in source: SourceFile
    ) throws(AudioFileError) -> MPEGStream? {
        guard MPEGStream.seems(source) else { return nil }
        if let stream = MPEGStream(walking: source) { return stream }
        throw unrecognised(source)
    }

    /// The library's error, refined by the file's own contents.
    static func refined(
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

    static func unrecognised(_ source: SourceFile) -> AudioFileError {
        AudioFileError(
            activity: .opening, path: source.path,
            reason: source.incompleteBeginning ?? .unrecognisedFormat)
    }

    /// Opens `source`, or throws a more precise error than the library's.
    static func open(
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
        try check(
            rateHertz: Int(sound.info.samplerate), channels: Int(sound.info.channels), source)
        return sound
    }

    /// Throws if no recorder has such a rate with so many channels.
    static func check(
        rateHertz: Int, channels: Int, _ source: SourceFile
    ) throws(AudioFileError) {
        guard isPossible(rateHertz: rateHertz, channels: channels) else {
            throw AudioFileError(
                activity: .opening, path: source.path, reason: .corrupt,
                detail: "rate: \(rateHertz) Hz, channels: \(channels)")
        }
    }

    /// Whether a recording may have that rate and so many channels.
    static func isPossible(rateHertz: Int, channels: Int) -> Bool {
        possibleRatesHertz.contains(rateHertz) && channels <= mostChannels
            && rateHertz * channels <= mostSamplesPerSecond
    }
}

extension RecordingFailure.Reason {
    /// Why another decoder is asked, after libsndfile failed for this reason.
    var decodingReason: Decoding.Reason {
        switch self {
        case .unsupportedEncoding: .unsupportedEncoding
        case .chainedStreams: .chainedStreams
        case .formatChanges: .formatChanges
        default: .notOpened
        }
    }
}

extension SourceFile {
    /// Whether an incomplete file may hold sound that libsndfile does not open: FLAC in Ogg, and
    /// WAV with other encodings than its own.
    fileprivate var mayBeUsedInPart: Bool {
        let start = bytes(at: 0, count: 16)
        if start.has("OggS") { return true }
        guard let grammar = ChunkGrammar(beginning: start), grammar.family == .riff else {
            return false
        }
        return grammar.chunk("data", in: self) != nil
    }
}

extension AudioFileError {
    var isOfIncomplete: Bool { [.truncated, .unfinished].contains(reason) }

    /// Whether the first bytes are those of no container, or of one that breaks off.
    var isOfUnknownFormat: Bool {
        [.unrecognisedFormat, .unfinished, .truncated].contains(reason)
    }

    /// This error, refined by the container's verdict.
    ///
    /// libsndfile's numbers say little, and it takes two bytes for a container. If the container is
    /// valid, its contents must be an unsupported encoding.
    func opening(as verdict: ContainerVerdict) -> AudioFileError {
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
