import CSndfile
import Recordings

/// A sound file, decoded from the beginning to the end in blocks of frames.
///
/// For one thread at a time; several readers may work in parallel. Reading allocates nothing once
/// the first block has been lent.
package struct AudioFileReader: ~Copyable {
    /// Frames that amortise the calls and still stay in the cache on their way through the
    /// listeners.
    ///
    /// Measured from 1024 to 16384, of a whole run over WAV and FLAC.
    package static let recommendedBlockFrames = 8192

    /// What the header declares; `frames` is 0 where it declares none.
    package let format: AudioFormat
    /// Frames lent so far, or passed over.
    package private(set) var framesRead: Int64 = 0

    let file: DecodableFile
    /// Frames that the header counts if it counts more than the file has; of GSM 6.10 only, as
    /// `format.frames` is the header's count otherwise.
    private let promisedFrames: Int64?
    private let view: SampleView
    /// Holds a block of 32-bit samples on their way into both views.
    private var wideSamples: [Int32] = []
    /// The first complaint of the decoder, and where it came.
    private(set) var damage: AudioFileError?

    /// Opens the sound file at `path`.
    ///
    /// Throws where there is no such file, it is no regular file, has no bytes, or is nothing that
    /// can be decoded. An MPEG stream is read through once, for its length.
    package init(opening path: Pathname) throws(AudioFileError) {
        let file = try DecodableFile(opening: path)
        var format = AudioFormat(file.sound.info)
        let isGSM = format.encoding == .gsm610 && [.wav, .w64].contains(format.container)
        let gsm = isGSM ? GSMLength(of: file.source) : nil
        if let gsm {
            format = format.with(frames: min(gsm.frames, format.frames))
        }
        self.format = format
        promisedFrames = gsm?.promised
        view = SampleView(of: format.encoding)
        self.file = file
    }

    /// What was decoded so far, to be asked after the end.
    package var decodedFormat: AudioFormat { format.with(frames: framesRead) }

    /// Fills `block` up to its capacity, or with what is left; no frames at the end.
    ///
    /// The block's channels must be the file's. Damage that the decoder can step over is remembered
    /// for `verifyEnd()`; where it cannot go on, the frames before are lent and the next call
    /// throws.
    package mutating func read(into block: inout AudioBlock) throws(AudioFileError) {
        precondition(block.channels == format.channels, "A block of another file's channels.")
        block.frames = 0
        block.nonFiniteSamples = []
        if let damage, isOfSystem { throw damage }
        var capacity = block.capacityFrames
        // What stands behind the last frame is none of the sound, and no damage to it.
        if format.frames > 0 { capacity = min(capacity, Int(format.frames - framesRead)) }
        while block.frames < capacity {
            // However large the block is, damage is told as closely.
            let count = min(capacity - block.frames, AudioFileReader.recommendedBlockFrames)
            let frames = decode(into: &block, from: block.frames, count: count)
            noteDamage(afterFrame: framesRead)
            framesRead += Int64(frames)
            block.frames += frames
            if frames == 0 { break }
        }
    }

    /// Lends all that is left, block by block; whether it came to the end.
    ///
    /// Stops, and returns false, as soon as `goesOn` does. Blocks are never empty, and of one size
    /// but for the last.
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

    /// Decodes up to `count` frames into both views behind the `first` frames of the block.
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

    /// Whether the damage is none of the file's: the system could not read it.
    private var isOfSystem: Bool {
        file.decoder.errorNumber != 0 || damage?.reason == .inputOutput
    }

    /// Remembers the decoder's first complaint, or what it should have complained of.
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
    /// Says whether what was read is all there is, once `read(into:)` has given no more frames.
    ///
    /// Throws what the decoder passed over in silence: sound that breaks off, a header never
    /// completed, further streams behind the first, damage, or no sound at all. All frames that can
    /// be decoded have been lent by then. `frame` is the number of frames read, or where the damage
    /// is; `expected` is the frames promised. Ogg files are read once more for this, other files
    /// only here and there.
    package func verifyEnd() throws(AudioFileError) {
        if let damage, isOfSystem { throw damage }
        switch file.stream?.verdict ?? ContainerVerdict(on: file.source) {
        case .truncated(let bytes):
            throw failure(.truncated, frame: framesRead, expected: promised(bytes: bytes))
        case .short(let found, let expected):
            throw failure(.truncated, frame: min(found, framesRead), expected: expected)
        case .outgrown,
            .unfinished where framesRead == 0:
            throw failure(.unfinished, frame: framesRead)
        case .chained:
            throw failure(.chainedStreams, frame: framesRead)
        case .damaged(let frame):
            throw failure(.corrupt, frame: min(self.frame(ofGranule: frame), framesRead))
        case .whole, .unjudged, .lengthUnknown, .unfinished:
            break
        }
        // Also where all frames came: the decoder may have put silence in the place of some.
        if let damage {
            // Where frames are missing in the middle, silence need not have come for all of them.
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
        // What an MPEG stream declares inside another container is an estimate.
        if framesRead < format.frames && format.encoding != .mp3 {
            throw failure(.truncated, frame: framesRead, expected: format.frames)
        }
        if framesRead == 0 { throw failure(.noAudio) }
    }

    private func failure(
        _ reason: RecordingFailure.Reason, frame: Int64? = nil, expected: Int64? = nil
    ) -> AudioFileError {
        AudioFileError(
            activity: .reading, path: file.source.path, reason: reason, code: damage?.code,
            detail: damage?.detail, frame: frame, expected: expected)
    }

    /// Opus counts at 48 kHz whatever the rate it is decoded to; a damaged page says anything.
    private func frame(ofGranule granule: Int64) -> Int64 {
        guard format.encoding == .opus else { return granule }
        let rate = Int64(format.sampleRateHertz)
        let (product, overflows) = granule.multipliedReportingOverflow(by: rate)
        return overflows ? .max : product / 48000
    }

    /// Frames promised: by the bytes of sound, where each frame has as many.
    private func promised(bytes: Int64?) -> Int64? {
        guard let bytes, let width = format.encoding.bytesPerSample else {
            let frames = promisedFrames ?? format.frames
            return frames > framesRead ? frames : nil
        }
        return bytes / Int64(width * format.channels)
    }
}
