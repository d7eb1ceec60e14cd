import CSndfile
import Recordings

/// A file opened with its decoder, with facts that the decoder does not report.
struct DecodableFile {
    let source: SourceFile
    let decoder: any Decoder
    /// The format that the header declares.
    let format: AudioFormat
    let view: SampleView
    /// libsndfile's code for container, encoding and byte order; `nil` if it has none.
    let sndfileFormat: Int32?
    /// Where the MPEG frames of the file begin; `nil` for other files.
    let streamStart: Int64?
    let decoding: Decoding
    /// The verdict on a container that is judged by reading all of it; `nil` for others.
    let verdict: ContainerVerdict?
    /// Texts that the library finds in the file, by their names in small letters.
    let tags: [String: String]
    /// Whether the decoder finds a frame without decoding those before it, and the same samples.
    let isSeekable: Bool

    /// Opens `path`; MPEG and Ogg streams are read through once, for their length.
    ///
    /// libsndfile comes first. Where it disagrees with what the container says of its samples, they
    /// are read as that says. What it does not open, or is known to misread, goes to libav.
    /// - Parameter raw: the format if the file has no header; `nil` to go by the extension.
    /// - Parameter isIsolated: whether to decode in a process of its own in any case.
    init(
        opening path: Pathname, withoutHeaderAs raw: RawFormat? = nil, isIsolated: Bool = false
    ) throws(AudioFileError) {
        let source = try SourceFile(opening: path)
        let raw = raw ?? path.headerlessFormat
        if isIsolated || HelperPool.decodesAll {
            try self.init(isolating: source, withoutHeaderAs: raw)
        } else {
            try self.init(source, withoutHeaderAs: raw)
        }
    }

    /// Opens a file in this process.
    init(_ source: SourceFile, withoutHeaderAs raw: RawFormat?) throws(AudioFileError) {
        let refused: AudioFileError
        do throws(AudioFileError) {
            let stream = try DecodableFile.stream(in: source)
            if stream == nil { source.passOverTags() }
            let verdict = stream?.verdict ?? OggStream.verdict(on: source)
            try DecodableFile.refuseMisread(source, stream, verdict)
            let sound = try DecodableFile.open(source, stream: stream)
            let declared = stream == nil ? DeclaredSound(of: source) : nil
            if let declared, !declared.agrees(with: sound), declared.frames > 0 {
                try self.init(source, declared, because: .contradiction)
            } else {
                self.init(source, sound, stream, verdict)
            }
            return
        } catch {
            if let trouble = source.troubleReading() { throw trouble }
            refused = error
        }
        if let declared = DeclaredSound(of: source), declared.frames > 0 {
            try self.init(source, declared, because: .notOpened)
            return
        }
        let raw = refused.isOfUnknownFormat && !source.seemsText ? raw : nil
        if let raw, !source.beginsLikeLibavs {
            try self.init(source, headerless: raw)
            return
        }
        do throws(AudioFileError) {
            let libav = try DecodableFile.openWithLibav(source, after: refused)
            self.init(source, libav, Decoding(by: .libav, because: refused.reason.decodingReason))
        } catch {
            // Samples may begin like a container by chance.
            let isForCertain = error.reason == .needsLibav && source.hasMarkOfLibavs
            guard let raw, !isForCertain, [.unrecognisedFormat, .needsLibav].contains(error.reason)
            else { throw error }
            try self.init(source, headerless: raw)
        }
    }

    /// What libsndfile opened.
    private init(
        _ source: SourceFile, _ sound: SoundFile, _ stream: MPEGStream?,
        _ verdict: ContainerVerdict?
    ) {
        (self.source, streamStart) = (source, stream?.start)
        self.verdict = verdict
        sndfileFormat = sound.info.format
        format = AudioFormat(sound.info)
        let flac = FLACDecoder(reading: source, format: format)
        decoder = flac ?? sound
        decoding = Decoding(by: flac == nil ? .libsndfile : .libFLAC)
        view = SampleView(of: format.encoding)
        tags = sound.tags
        isSeekable = format.encoding.bytesPerSample != nil && sound.info.seekable != 0
    }

    /// Samples where the container declares them.
    private init(
        _ source: SourceFile, _ declared: DeclaredSound, because reason: Decoding.Reason
    ) throws(AudioFileError) {
        try self.init(
            source, declared.format, AudioContainer(beginning: source.bytes(at: 0, count: 16)),
            from: declared.start, bytes: declared.bytes,
            Decoding(by: .libsndfile, because: reason))
    }

    /// A file without a header.
    private init(_ source: SourceFile, headerless raw: RawFormat) throws(AudioFileError) {
        let library: Decoding.Library = raw.encoding == .g722 ? .libav : .libsndfile
        let decoding = Decoding(by: library, because: .noHeader, raw: raw.text)
        if raw.encoding == .g722 {
            self.init(source, try LibavDecoder(reading: source, as: .g722), decoding)
        } else {
            try self.init(source, raw, .raw, from: 0, bytes: source.byteCount, decoding)
        }
    }

    private init(
        _ source: SourceFile, _ raw: RawFormat, _ container: AudioContainer, from start: Int64,
        bytes: Int64, _ decoding: Decoding
    ) throws(AudioFileError) {
        let sound = try SoundFile(reading: source, as: raw, from: start, length: bytes)
        try DecodableFile.check(rateHertz: raw.sampleRateHertz, channels: raw.channels, source)
        (self.source, decoder, streamStart, tags) = (source, sound, nil, [:])
        isSeekable = raw.encoding.bytesPerSample != nil && sound.info.seekable != 0
        verdict =
            container == .raw && raw.encoding == .gsm610 ? ContainerVerdict(onGSM: source) : nil
        self.decoding = decoding
        format = AudioFormat(
            container: container, encoding: raw.encoding, sampleRateHertz: raw.sampleRateHertz,
            channels: raw.channels, frames: sound.info.frames)
        view = SampleView(of: raw.encoding)
        sndfileFormat = format.sndfileFormat
    }

    /// What libav opened.
    private init(_ source: SourceFile, _ libav: LibavDecoder, _ decoding: Decoding) {
        (self.source, decoder, streamStart, verdict) = (source, libav, nil, nil)
        (self.decoding, tags, isSeekable) = (decoding, libav.tags, false)
        (format, view, sndfileFormat) = (libav.format, libav.view, libav.format.sndfileFormat)
    }

    /// Whether samples are read where the container declares them, against libsndfile.
    var isRepaired: Bool { decoding.library == .libsndfile && decoding.because != nil && !isRaw }
    private var isRaw: Bool { decoding.raw != nil }

    var isLibav: Bool { decoding.library == .libav }
    /// Whether it is a stream of MPEG frames.
    var isStream: Bool { streamStart != nil }

    /// The order of channels for WAV and FLAC; `nil` if it is the decoder's.
    ///
    /// libsndfile returns Vorbis and Opus in the order of Vorbis (Vorbis I, 4.3.9): the centre
    /// second, and the low-frequency channel last.
    var channelOrderOfCopies: [Int]? {
        guard !isLibav, [.vorbis, .opus].contains(format.encoding) else { return nil }
        return DecodableFile.channelOrders[format.channels]
    }

    /// The order of channels that copies of so many have.
    static let channelOrders: [Int: [Int]] = [
        3: [0, 2, 1], 5: [0, 2, 1, 3, 4], 6: [0, 2, 1, 5, 3, 4], 7: [0, 2, 1, 6, 5, 3, 4],
        8: [0, 2, 1, 7, 5, 6, 3, 4],
    ]

    /// Whether the decoder has reached the end of the file; false for an MPEG stream, which ends
    /// with its last frame.
    var isReadToItsEnd: Bool { !isStream && decoder.isReadToItsEnd }
}
