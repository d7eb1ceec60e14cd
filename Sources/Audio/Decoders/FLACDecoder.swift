import CFLAC
import Recordings

/// Decodes a FLAC stream with libFLAC directly, for one thread at a time.
///
/// libsndfile also uses libFLAC, but copies sample by sample, which takes a sixth of the decoding
/// time. It also does not report missing or misplaced frames. Like libsndfile, this decoder
/// continues after damage; it also reports where the damage began.
final class FLACDecoder: Decoder {
    /// The next frame to be read.
    private var position: Int64 = 0
    /// The first frame that is missing from the stream (decoded as silence) or misplaced.
    private var gap: Int64?
    /// The first frame at which libFLAC reported an error.
    private var refused: Int64?
    /// Whether a stream without a declared length ends within a frame.
    private var isCutOff = false

    /// The maximum of a FLAC frame (RFC 9639, 9.1.3).
    private static let mostChannels = 8
    private static let bytesAtOnce = 1 << 16

    let decoder: UnsafeMutablePointer<FLAC__StreamDecoder>
    private let source: SourceFile
    let file: VirtualFile
    let format: AudioFormat
    /// The bits of a sample, and of the integer that holds it.
    let bits: Int32
    let heldBits: Int32
    /// Decoded samples that have not been read yet.
    var held = HeldSamples()
    /// FLAC frames decoded during the last call.
    var arrivedBlocks = 0
    var numbers = FrameNumbers()
    /// Whether the sample rate changes, so that the frames from there on are not returned.
    var changesRate = false
    /// Whether the seek table leads to wrong frames.
    private var isMisled = false
    /// Whether the last call met a misplaced frame, or an error of libFLAC.
    var isOutOfPlace = false
    var isComplaining = false
    /// Whether decoding has ended.
    var isOver = false

    /// Opens the stream in `source`, whose `format` libsndfile reported; `nil` if this decoder
    /// cannot read it.
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
        // If the length is known, whatever follows the stream is ignored.
        let end = format.frames > 0 ? source.byteCount : source.streamEnd
        file = VirtualFile(reading: source, length: end)
        guard open(), FLAC__stream_decoder_process_until_end_of_metadata(decoder) != 0,
            !isComplaining
        else { return nil }
        // A bit in a frame's first two bytes says whether block sizes vary (RFC 9639, 9.1).
        let frame = place.map { source.bytes(at: $0, count: 2) } ?? []
        if frame.count == 2, frame[1] & 1 == 1 { numbers.areTelling = true }
        if isLengthKnown {
            numbers.beginWithZero()
        } else if !isAtEnd {
            // Seeking needs the number of the first frame.
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

    /// The file offset after the last decoded FLAC frame, whose samples may still be held.
    var place: Int64? {
        var place: FLAC__uint64 = 0
        let isKnown = FLAC__stream_decoder_get_decode_position(decoder, &place) != 0
        return isKnown ? Int64(clamping: place) : nil
    }

    /// Left-aligns each sample, as libsndfile does, in 16 bits, or in 32 if samples have more than
    /// 16.
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

    /// Whether the header declares the length; streams written to a pipe do not.
    private var isLengthKnown: Bool { format.frames > 0 }

    /// Whether the file ends after the last decoded frame.
    private var isAtEnd: Bool { place == file.length }

    var frameBytes: Int { format.channels * Int(heldBits) / 8 }

    /// Decodes one FLAC frame, which should start with audio frame `frame`.
    private func decode(from frame: Int64) {
        (arrivedBlocks, isOutOfPlace, isComplaining) = (0, false, false)
        isOver = FLAC__stream_decoder_process_single(decoder) == 0
        if FLAC__stream_decoder_get_state(decoder) == FLAC__STREAM_DECODER_END_OF_STREAM {
            isOver = true
        }
        if isComplaining, refused == nil { refused = frame }
        // libFLAC delivers several blocks per call if frames are missing: silence comes first.
        if isOutOfPlace || arrivedBlocks > 1, gap == nil { gap = frame }
        if isOver, arrivedBlocks == 0, !isLengthKnown { isCutOff = true }
    }

    // MARK: Going to a frame

    /// Moves to a frame; false on failure.
    ///
    /// If seeking fails or leads to a wrong place, all frames before it are decoded instead.
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

    /// Seeks by the frame numbers in the stream; false if the frame was not found.
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

    /// Returns to the beginning of the stream.
    private func restart() {
        held.drop()
        // The frames set this flag; reading the header again would overwrite it.
        let areTelling = numbers.areTelling
        _ = numbers.goOn(with: 0)
        (position, gap, refused) = (0, nil, nil)
        isOver =
            FLAC__stream_decoder_reset(decoder) == 0
            || FLAC__stream_decoder_process_until_end_of_metadata(decoder) == 0
        numbers.areTelling = areTelling
    }

    // MARK: The end

    /// Whether frames are missing but the last one is present; assumed true if the last frame
    /// cannot be located.
    var lacksFramesWithinAlone: Bool {
        guard gap != nil else { return false }
        guard let other = FLACDecoder(reading: source, format: format) else { return true }
        return !isLengthKnown || !other.numbers.areTelling || other.find(format.frames - 1)
    }

    var troubleAtEnd: RecordingFailure.Reason? {
        if changesRate { return .formatChanges }
        if isCutOff { return .truncated }
        guard position == format.frames else { return nil }
        // The last block holds more frames than the header declares.
        if isLengthKnown, !held.isEmpty { return .corrupt }
        return isFollowedBySound ? .chainedStreams : nil
    }

    /// Whether undeclared sound follows: more frames of this stream, or another stream, even after
    /// a tag or padding.
    ///
    /// Reads the rest of the file, which is nearly always empty.
    private var isFollowedBySound: Bool {
        guard var place else { return false }
        if FLACStart.ofFrame(source.bytes(at: place, count: FLACStart.mostHeaderBytes)) {
            return true
        }
        var rest: [UInt8]
        repeat {
            rest = source.bytes(at: place, count: FLACDecoder.bytesAtOnce)
            if FLACStart.ofStream(within: rest) { return true }
            // A stream may begin within the last bytes of this block.
            place += Int64(rest.count - FLACStart.beginning.count)
        } while rest.count == FLACDecoder.bytesAtOnce
        return false
    }
}
