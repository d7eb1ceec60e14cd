import CFLAC
import Recordings

/// A FLAC stream in the hands of libFLAC, by which libsndfile decodes it too.
///
/// libsndfile hands over one sample after the other, which takes a sixth of the decoding, and says
/// nothing of frames that are missing or in the wrong place. This reads on over damage, as
/// libsndfile does, and says where it began. For one thread at a time.
final class FLACDecoder {
    /// The next frame to be read.
    private(set) var position: Int64 = 0
    /// The first frame from which on frames of the stream are missing, so that silence came for
    /// them, or at which there is one that belongs elsewhere.
    private(set) var gap: Int64?
    /// The first frame at which the library complained.
    private(set) var complaint: Int64?
    /// Whether a stream that does not say how long it is breaks off within a frame.
    private(set) var isCutOff = false

    /// As many as are in a frame at most (RFC 9639, 9.1.3).
    private static let mostChannels = 8

    let decoder: UnsafeMutablePointer<FLAC__StreamDecoder>
    let file: VirtualFile
    let format: AudioFormat
    /// The bits of a sample, and those of a number that holds it.
    let bits: Int32
    let heldBits: Int32
    /// What is decoded and nobody has asked for.
    var held = HeldSamples()
    /// Where decoded frames go, for how many there is room, how many have come there, and of how
    /// many frames of the stream.
    var room: UnsafeMutableRawPointer?
    var roomFrames = 0
    var arrivedFrames = 0
    var arrivedBlocks = 0
    var numbers = FrameNumbers()
    /// Whether frames are not where the stream's own table says.
    private var isMisled = false
    /// Whether a frame of the stream was none of its place, or the library complained, during the
    /// last call.
    var isOutOfPlace = false
    var isComplaining = false
    /// Whether there is nothing more to be had.
    var isOver = false

    /// The stream in `source`, of which libsndfile says `format`; `nil` where it is none that can
    /// be read here.
    ///
    /// Whoever calls this keeps `source` open at least as long.
    init?(reading source: borrowing SourceFile, format: AudioFormat) {
        guard let bits = FLACDecoder.bits(of: format.encoding), format.container == .flac,
            (1...FLACDecoder.mostChannels).contains(format.channels),
            let decoder = FLAC__stream_decoder_new()
        else { return nil }
        self.decoder = decoder
        self.format = format
        self.bits = bits
        heldBits = bits > 16 ? 32 : 16
        // Behind a stream whose length is known, what follows it is not looked at.
        let end = format.frames > 0 ? source.byteCount : source.streamEnd
        file = VirtualFile(lending: source, length: end, isEndSeekable: true)
        guard open(), FLAC__stream_decoder_process_until_end_of_metadata(decoder) != 0,
            !isComplaining
        else { return nil }
        // A bit of its first two bytes says whether a frame has its own size (RFC 9639, 9.1).
        let frame = place.map { source.bytes(at: $0, count: 2) } ?? []
        if frame.count == 2, frame[1] & 1 == 1 { numbers.areTelling = true }
        if isLengthKnown {
            numbers.beginWithZero()
        } else if !isAtEnd {
            // Seeking wants to know the number of the first frame.
            decode(0, to: nil, from: 0)
        }
    }

    deinit {
        FLAC__stream_decoder_delete(decoder)
    }

    private static func bits(of encoding: SampleEncoding) -> Int32? {
        switch encoding {
        case .pcmS8: 8
        case .pcm16: 16
        case .pcm24: 24
        default: nil
        }
    }

    /// The first error number of the system, 0 while all is well.
    var errorNumber: Int32 { file.errorNumber }

    /// Whether all bytes of the file have been read.
    var isReadToItsEnd: Bool { file.isAtEnd }

    /// Whether frames are decoded of which the header knows nothing any more.
    var isWithinBlock: Bool { isLengthKnown && position == format.frames && !held.isEmpty }

    /// Where in the file stands what follows the frames that are decoded, those that are held among
    /// them.
    var place: Int64? {
        var place: FLAC__uint64 = 0
        let isKnown = FLAC__stream_decoder_get_decode_position(decoder, &place) != 0
        return isKnown ? Int64(clamping: place) : nil
    }

    /// Writes the next `count` frames, fewer at the end, to where there is room for them; how many.
    ///
    /// As libsndfile does it, the highest bit of each sample becomes that of its number, which has
    /// 16 bits, or 32 where samples have more than 16.
    func read(_ count: Int, into samples: UnsafeMutableRawPointer) -> Int {
        let wanted = isLengthKnown ? Int(min(Int64(count), format.frames - position)) : count
        var done = held.take(wanted * frameBytes, to: samples) / frameBytes
        while done < wanted, !isOver, isLengthKnown || !isAtEnd {
            decode(wanted - done, to: samples + done * frameBytes, from: position + Int64(done))
            done += arrivedFrames
        }
        position += Int64(done)
        return done
    }

    /// Whether the header says how long the stream is; that of one which came through a pipe does
    /// not.
    private var isLengthKnown: Bool { format.frames > 0 }

    /// Whether nothing stands behind the frames that are decoded.
    private var isAtEnd: Bool { place == file.length }

    var frameBytes: Int { format.channels * Int(heldBits) / 8 }

    /// Decodes a frame of the stream, of which up to `count` frames of sound go to `samples`;
    /// `frame` is the first of them.
    private func decode(_ count: Int, to samples: UnsafeMutableRawPointer?, from frame: Int64) {
        (room, roomFrames, arrivedFrames, arrivedBlocks) = (samples, count, 0, 0)
        (isOutOfPlace, isComplaining) = (false, false)
        // The room is that of the caller, for the time of the call.
        defer { (room, roomFrames) = (nil, 0) }
        isOver = FLAC__stream_decoder_process_single(decoder) == 0
        if FLAC__stream_decoder_get_state(decoder) == FLAC__STREAM_DECODER_END_OF_STREAM {
            isOver = true
        }
        if isComplaining, complaint == nil { complaint = frame }
        // More than one at a time come where some are missing, for which silence comes first.
        if isOutOfPlace || arrivedBlocks > 1, gap == nil { gap = frame }
        if isOver, arrivedBlocks == 0, !isLengthKnown { isCutOff = true }
    }

    // MARK: Going to a frame

    /// Goes to a frame; whether it came there.
    ///
    /// Where the stream shows no way there, or a wrong one, all before it is decoded.
    func seek(to frame: Int64) -> Bool {
        if frame == position || find(frame) { return true }
        guard frame >= 0 else { return false }
        if frame < position || isMisled { restart() }
        var passed = [UInt8](repeating: 0, count: 4096 * frameBytes)
        while position < frame {
            let count = Int(min(4096, frame - position))
            guard read(count, into: &passed) == count else { return false }
        }
        return true
    }

    /// Goes to a frame by the numbers of the stream's frames; whether it found it there.
    ///
    /// True for streams in which these do not tell, of which nothing can be said.
    func hasFrame(_ frame: Int64) -> Bool { !numbers.areTelling || find(frame) }

    private func find(_ frame: Int64) -> Bool {
        let isWithin = frame >= 0 && (!isLengthKnown || frame < format.frames)
        guard numbers.areTelling, !isMisled, isWithin else { return false }
        held.drop()
        (arrivedFrames, arrivedBlocks) = (0, 0)
        (isOutOfPlace, isComplaining, isOver) = (false, false, false)
        let number = numbers.goOn(with: frame)
        let isThere = FLAC__stream_decoder_seek_absolute(decoder, number) != 0
        isMisled = !isThere || isComplaining || isOutOfPlace
        position = frame
        return !isMisled
    }

    /// Goes back to the beginning.
    private func restart() {
        held.drop()
        // Of the frames, not of the header that is read again.
        let areTelling = numbers.areTelling
        _ = numbers.goOn(with: 0)
        (position, gap, complaint, isOver) = (0, nil, nil, false)
        isOver =
            FLAC__stream_decoder_reset(decoder) == 0
            || FLAC__stream_decoder_process_until_end_of_metadata(decoder) == 0
        numbers.areTelling = areTelling
    }
}
