import CFLAC
import Recordings

/// A FLAC stream in the hands of libFLAC, by which libsndfile decodes it too.
///
/// libsndfile hands over one sample after the other, which takes a sixth of the decoding, and says
/// nothing of frames that are missing or in the wrong place. This reads on over damage, as
/// libsndfile does, and says where it began. For one thread at a time.
final class FLACDecoder: Decoder {
    /// The next frame to be read.
    private var position: Int64 = 0
    /// The first frame from which on frames of the stream are missing, so that silence came for
    /// them, or at which there is one that belongs elsewhere.
    private var gap: Int64?
    /// The first frame at which the library complained.
    private var refused: Int64?
    /// Whether a stream that does not say how long it is breaks off within a frame.
    private var isCutOff = false

    /// As many as are in a frame at most (RFC 9639, 9.1.3).
    private static let mostChannels = 8
    private static let bytesAtOnce = 1 << 16

    let decoder: UnsafeMutablePointer<FLAC__StreamDecoder>
    private let source: SourceFile
    let file: VirtualFile
    let format: AudioFormat
    /// The bits of a sample, and those of a number that holds it.
    let bits: Int32
    let heldBits: Int32
    /// What is decoded and nobody has asked for.
    var held = HeldSamples()
    /// Frames of the stream that came during the last call.
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
    init?(reading source: SourceFile, format: AudioFormat) {
        guard let bits = FLACDecoder.bits(of: format.encoding), format.container == .flac,
            (1...FLACDecoder.mostChannels).contains(format.channels),
            let decoder = FLAC__stream_decoder_new()
        else { return nil }
        self.decoder = decoder
        self.source = source
        self.format = format
        self.bits = bits
        heldBits = bits > 16 ? 32 : 16
        // Behind a stream whose length is known, what follows it is not looked at.
        let end = format.frames > 0 ? source.byteCount : source.streamEnd
        file = VirtualFile(reading: source, length: end, isEndSeekable: true)
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
            decode(from: 0)
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

    var errorNumber: Int32 { file.errorNumber }
    var complaint: (refusal: LibraryRefusal?, frame: Int64?)? {
        (gap ?? refused).map { (nil, $0) }
    }
    var isReadToItsEnd: Bool { file.isAtEnd }

    /// Where in the file stands what follows the frames that are decoded, those that are held among
    /// them.
    var place: Int64? {
        var place: FLAC__uint64 = 0
        let isKnown = FLAC__stream_decoder_get_decode_position(decoder, &place) != 0
        return isKnown ? Int64(clamping: place) : nil
    }

    /// As libsndfile does it, the highest bit of each sample becomes that of its number, which has
    /// 16 bits, or 32 where samples have more than 16.
    func read(
        _ count: Int, as carrier: SampleType, into samples: UnsafeMutableRawPointer
    ) -> Int {
        precondition(carrier == (heldBits == 16 ? .int16 : .int32), "numbers are as large")
        let wanted = isLengthKnown ? Int(min(Int64(count), format.frames - position)) : count
        var done = 0
        while true {
            let bytes = (wanted - done) * frameBytes
            done += held.take(bytes, to: samples + done * frameBytes) / frameBytes
            guard done < wanted, !isOver, isLengthKnown || !isAtEnd else { break }
            decode(from: position + Int64(done))
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

    /// Decodes a frame of the stream, of which `frame` is the first frame of sound.
    private func decode(from frame: Int64) {
        (arrivedBlocks, isOutOfPlace, isComplaining) = (0, false, false)
        isOver = FLAC__stream_decoder_process_single(decoder) == 0
        if FLAC__stream_decoder_get_state(decoder) == FLAC__STREAM_DECODER_END_OF_STREAM {
            isOver = true
        }
        if isComplaining, refused == nil { refused = frame }
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
            let carrier = heldBits == 16 ? SampleType.int16 : .int32
            guard read(count, as: carrier, into: &passed) == count else { return false }
        }
        return true
    }

    /// Goes to a frame by the numbers of the stream's frames; whether it found it there.
    private func find(_ frame: Int64) -> Bool {
        let isWithin = frame >= 0 && (!isLengthKnown || frame < format.frames)
        guard numbers.areTelling, !isMisled, isWithin else { return false }
        held.drop()
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
        (position, gap, refused) = (0, nil, nil)
        isOver =
            FLAC__stream_decoder_reset(decoder) == 0
            || FLAC__stream_decoder_process_until_end_of_metadata(decoder) == 0
        numbers.areTelling = areTelling
    }

    // MARK: The end

    /// Whether frames are missing, but the last one is there; taken for granted where nothing says
    /// which one that is, or where.
    var lacksFramesWithinAlone: Bool {
        guard gap != nil else { return false }
        guard let other = FLACDecoder(reading: source, format: format) else { return true }
        return !isLengthKnown || !other.numbers.areTelling || other.find(format.frames - 1)
    }

    var troubleAtEnd: RecordingFailure.Reason? {
        if isCutOff { return .truncated }
        guard position == format.frames else { return nil }
        // Within the block that the length ends in, frames are decoded that the header does not
        // count.
        if isLengthKnown, !held.isEmpty { return .corrupt }
        return isFollowedBySound ? .chainedStreams : nil
    }

    /// Whether sound follows of which the header says nothing: further frames of the stream, or
    /// another stream, be it behind a tag or padding.
    ///
    /// All that follows is read, which is hardly ever anything.
    private var isFollowedBySound: Bool {
        guard var place else { return false }
        if FLACStart.ofFrame(source.bytes(at: place, count: FLACStart.mostHeaderBytes)) {
            return true
        }
        var rest: [UInt8]
        repeat {
            rest = source.bytes(at: place, count: FLACDecoder.bytesAtOnce)
            if FLACStart.ofStream(within: rest) { return true }
            // One may begin with the last bytes of these.
            place += Int64(rest.count - FLACStart.beginning.count)
        } while rest.count == FLACDecoder.bytesAtOnce
        return false
    }
}
