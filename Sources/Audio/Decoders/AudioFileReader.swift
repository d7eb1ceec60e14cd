import CSndfile
import Recordings

/// Decodes a sound file from beginning to end in blocks of frames.
///
/// For one thread at a time; several readers may run in parallel. Reading allocates no memory after
/// the first block.
package struct AudioFileReader: ~Copyable {
    /// Frames per block: enough to amortise calls, few enough to stay in the cache for all
    /// consumers.
    ///
    /// Measured from 1024 to 16384, in complete runs over WAV and FLAC.
    package static let recommendedBlockFrames = 8192

    /// The format declared in the header; `frames` is 0 if none are declared.
    package let format: AudioFormat
    /// Frames read or skipped so far.
    package private(set) var framesRead: Int64 = 0

    let file: DecodableFile
    /// The declared frames of a GSM 6.10 file that holds fewer; else `nil`, as `format.frames` is
    /// the declared count then.
    private let promisedFrames: Int64?
    private let view: SampleView
    /// A buffer for 32-bit samples that are converted to both views.
    private var wideSamples: [Int32] = []
    /// The decoder's first error, and its position.
    private(set) var damage: AudioFileError?

    /// Opens the sound file at `path`.
    ///
    /// Throws if the file is missing, not a regular file, empty, or not decodable. An MPEG stream
    /// is read through once, for its length.
    /// - Parameters:
    ///   - raw: the format if the file has no header; `nil` to go by the extension.
    ///   - isIsolated: whether to decode in a process of its own in any case.
    package init(
        opening path: Pathname, withoutHeaderAs raw: RawFormat? = nil, isIsolated: Bool = false
    ) throws(AudioFileError) {
        let file = try DecodableFile(
            opening: path, withoutHeaderAs: raw, isIsolated: isIsolated)
        var format = file.format
        let isGSM = format.encoding == .gsm610 && [.wav, .w64].contains(format.container)
        let gsm = isGSM ? GSMLength(of: file.source) : nil
        if let gsm {
            format = format.with(frames: min(gsm.frames, format.frames))
        }
        if file.isAmbisonic { format.ambisonic = true }
        self.format = format
        promisedFrames = gsm?.promised
        view = file.view
        self.file = file
    }

    package var decoding: Decoding { file.decoding }

    /// What the recording says of itself.
    ///
    /// Reads chunks and tags up to some kilobytes each. What is no text, or no date, is left out.
    package var metadata: RecordingMetadata { file.metadata }

    /// The format with the frames decoded so far; complete after the last block.
    package var decodedFormat: AudioFormat { format.with(frames: framesRead) }

    /// Fills `block` to its capacity, or with the remaining frames; with none at the end.
    ///
    /// The block must have the file's channels. Damage that the decoder can skip is recorded for
    /// `verifyEnd()`. If decoding cannot continue, the frames before are returned, and the next
    /// call throws.
    package mutating func read(into block: inout AudioBlock) throws(AudioFileError) {
        precondition(block.channels == format.channels, "A block of another file's channels.")
        block.frames = 0
        block.nonFiniteSamples = []
        if let damage, isOfSystem { throw damage }
        var capacity = block.capacityFrames
        // Whatever follows the last frame is neither sound nor damage.
        if format.frames > 0 { capacity = min(capacity, Int(format.frames - framesRead)) }
        while block.frames < capacity {
            // Small steps locate damage equally well for any block size.
            let count = min(capacity - block.frames, AudioFileReader.recommendedBlockFrames)
            let frames = decode(into: &block, from: block.frames, count: count)
            noteDamage(afterFrame: framesRead)
            framesRead += Int64(frames)
            block.frames += frames
            if frames == 0 { break }
        }
    }

    /// Calls `take` with each remaining block; true if it reached the end.
    ///
    /// Returns false as soon as `goesOn` does. Blocks are never empty, and all but the last have
    /// the same size.
    package mutating func forEachBlock(
        while goesOn: () -> Bool = { true }, _ take: (borrowing AudioBlock) -> Void
    ) throws(AudioFileError) -> Bool {
        var block = AudioBlock(
            channels: format.channels, capacityFrames: AudioFileReader.recommendedBlockFrames)
        while goesOn() {
            try read(into: &block)
            guard block.frames > 0 else { return true }
            take(block)
        }
        return false
    }

    /// Passes over frames before a later one, as far as the decoder can do so exactly, and returns
    /// how many; the others are to be read.
    package mutating func skip(to frame: Int64) throws(AudioFileError) -> Int64 {
        guard file.isSeekable, frame > framesRead else { return 0 }
        guard file.decoder.seek(to: frame) else {
            throw AudioFileError(
                .seeking, file.source.path, file.decoder.complaint?.refusal, or: .corrupt,
                frame: frame)
        }
        defer { framesRead = frame }
        return frame - framesRead
    }

    /// Decodes up to `count` frames into both views, after the block's `first` frames.
    private mutating func decode(into block: inout AudioBlock, from first: Int, count: Int) -> Int {
        let (start, channels) = (first * block.channels, block.channels)
        let (view, decoder) = (view, file.decoder)
        let read = block.samples.withUnsafeMutableBufferPointer { samples in
            block.int16.withUnsafeMutableBufferPointer { int16 -> (frames: Int, nonFinite: [Int]) in
                guard let samples = samples.baseAddress, let int16 = int16.baseAddress else {
                    return (0, [])
                }
                return view.read(
                    count, of: channels, from: decoder, into: samples + start, int16 + start,
                    by: &wideSamples)
            }
        }
        block.nonFiniteSamples = block.nonFiniteSamples.adding(read.nonFinite)
        return read.frames
    }

    /// Whether the error is a read error of the system, not damage in the file.
    private var isOfSystem: Bool {
        file.decoder.errorNumber != 0 || damage?.reason == .inputOutput
    }

    /// Records the decoder's first error, or a system error it did not report.
    private mutating func noteDamage(afterFrame frame: Int64) {
        guard damage == nil else { return }
        let (path, number) = (file.source.path, file.decoder.errorNumber)
        if number != 0 {
            damage = AudioFileError(.reading, path, errno: number, frame: frame)
        } else if let (refusal, place) = file.decoder.complaint {
            damage = AudioFileError(
                .reading, path, refusal, or: .corrupt, frame: place ?? frame)
        }
    }
}

// MARK: - The end

extension AudioFileReader {
    /// Checks that the file is complete; call it once `read(into:)` returns no more frames.
    ///
    /// Throws for errors the decoder did not report: truncated sound, a header never completed,
    /// further streams after the first, damage, or no sound at all. All decodable frames have been
    /// returned by then. `frame` is the number of frames read, or the position of the damage;
    /// `expected` is the declared number. Reads Ogg files once more, other files only in places.
    package func verifyEnd() throws(AudioFileError) {
        if let damage, isOfSystem { throw damage }
        if file.isLibav, let reason = file.decoder.troubleAtEnd {
            throw failure(reason, frame: framesRead)
        }
        switch file.verdict ?? ContainerVerdict(on: file.source) {
        case .truncated(let bytes):
            throw failure(.truncated, frame: framesRead, expected: promised(bytes: bytes))
        case .short(let found, let expected):
            throw failure(.truncated, frame: min(found, framesRead), expected: expected)
        case .outgrown,
            .unfinished where framesRead == 0 || file.isRepaired:
            throw failure(.unfinished, frame: framesRead)
        // libav reads one stream of Ogg after another.
        case .chained where !file.isLibav || format.container != .ogg:
            throw failure(.chainedStreams, frame: framesRead)
        case .damaged(let frame):
            throw failure(.corrupt, frame: min(self.frame(ofGranule: frame), framesRead))
        case .whole, .unjudged, .lengthUnknown, .unfinished, .chained:
            break
        }
        // Even if all frames came: the decoder may have replaced some by silence.
        if let damage {
            // Frames missing in the middle are not always replaced by silence in full.
            let breaksOff =
                framesRead != format.frames && file.isReadToItsEnd
                && !file.decoder.lacksFramesWithinAlone
            throw breaksOff
                ? failure(.truncated, frame: framesRead, expected: promised(bytes: nil)) : damage
        }
        if let reason = file.decoder.troubleAtEnd { throw failure(reason, frame: framesRead) }
        if let promisedFrames, framesRead < promisedFrames {
            throw failure(.truncated, frame: framesRead, expected: promisedFrames)
        }
        // The length of an MPEG stream inside another container is an estimate.
        let tolerated = !file.isLibav ? 0 : LibavDecoder.mostPacketFrames
        if framesRead + tolerated < format.frames && format.encoding != .mp3 {
            throw failure(.truncated, frame: framesRead, expected: format.frames)
        }
        if framesRead == 0 { throw failure(.noAudio) }
        if format.container == .mp4, MP4Movie.isFollowedByAnother(file.source) {
            throw failure(.chainedStreams, frame: framesRead)
        }
    }

    private func failure(
        _ reason: RecordingFailure.Reason, frame: Int64? = nil, expected: Int64? = nil
    ) -> AudioFileError {
        AudioFileError(
            activity: .reading, path: file.source.path, reason: reason, code: damage?.code,
            detail: damage?.detail, frame: frame, expected: expected)
    }

    /// Converts from 48 kHz, which Opus counts in at any rate; a damaged page may hold any number.
    private func frame(ofGranule granule: Int64) -> Int64 {
        guard format.encoding == .opus else { return granule }
        let rate = Int64(format.sampleRateHertz)
        let (product, overflows) = granule.multipliedReportingOverflow(by: rate)
        return overflows ? .max : product / 48000
    }

    /// The declared frames: from the bytes of sound if frames have a fixed size.
    private func promised(bytes: Int64?) -> Int64? {
        guard let bytes, let width = format.encoding.bytesPerSample else {
            let frames = promisedFrames ?? format.frames
            return frames > framesRead ? frames : nil
        }
        return bytes / Int64(width * format.channels)
    }
}
