import CFLAC
import CLanes
import Recordings

/// A FLAC stream in the hands of the library that libsndfile has decode it too.
///
/// libsndfile hands over one sample after the other, which takes a sixth of the decoding; this
/// does many at once, and comes to the same samples. It is good for streams in which all is as it
/// should be: at the first complaint it has nothing more to say, and libsndfile is to be asked, as
/// `FrameDecoder` does. For one thread at a time.
final class FLACDecoder {
    /// The next frame to be read.
    private(set) var position: Int64 = 0
    /// Where frames of the stream are missing, or cannot be made out, so that silence came for
    /// them, or where there is one that belongs elsewhere.
    private(set) var gap: Int64?

    /// As many as are in a frame at most (RFC 9639, 9.1.3).
    private static let mostChannels = 8

    private let decoder: UnsafeMutablePointer<FLAC__StreamDecoder>
    private let file: VirtualFile
    private let format: AudioFormat
    /// The bits of a sample, and those of a number that holds it.
    private let bits: Int32
    private let heldBits: Int32
    /// What is decoded and nobody has asked for.
    private var held = HeldSamples()
    /// Where decoded frames go, for how many there is room, and how many of a frame of the stream
    /// have come there; `nil` before one has come.
    private var room: UnsafeMutableRawPointer?
    private var roomFrames = 0
    private var arrivedFrames: Int?
    private var numbers = FrameNumbers()
    /// Whether frames are not where the stream's own table says.
    private var isMisled = false
    /// Whether a frame of the stream was none of its place.
    private var isOutOfPlace = false
    private var isAsItShouldBe = true

    /// The stream in `source`, of which libsndfile says `format`; `nil` where it is none that it
    /// can be asked about.
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
            isAsItShouldBe
        else { return nil }
        // A bit of its first two bytes says whether a frame has its own size (RFC 9639, 9.1).
        let frame = place.map { source.bytes(at: $0, count: 2) } ?? []
        if frame.count == 2, frame[1] & 1 == 1 { numbers.areTelling = true }
        if isLengthKnown { numbers.beginWithZero() }
        // Seeking, too, wants to know the number of the first frame.
        if !isLengthKnown { FLAC__stream_decoder_process_single(decoder) }
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

    /// Samples in a frame.
    var channels: Int { format.channels }

    /// Whether there is a way to any frame but through all before it.
    var isSeekable: Bool { numbers.areTelling && !isMisled }

    /// Whether samples are handed over in so many bits: 16, or 32 where there are more than that.
    func handsOver(bits: Int) -> Bool { bits == heldBits }

    /// Writes the next `count` frames, fewer at the end, to where there is room for them; how many.
    ///
    /// As libsndfile does it, the highest bit of each sample becomes that of its number. `nil`
    /// where something is not as it should be: then `position` stays, and this is of no more use.
    func read(_ count: Int, into samples: UnsafeMutableRawPointer) -> Int? {
        guard isAsItShouldBe else { return nil }
        let wanted = isLengthKnown ? Int(min(Int64(count), format.frames - position)) : count
        var done = held.take(wanted * frameBytes, to: samples) / frameBytes
        while isAsItShouldBe, done < wanted, isLengthKnown || !isAtEnd {
            let arrived = decode(wanted - done, to: samples + done * frameBytes)
            if isOutOfPlace { gap = position + Int64(done) }
            done += arrived
        }
        guard isAsItShouldBe else { return nil }
        position += Int64(done)
        return done
    }

    /// Whether the header says how long the stream is; that of one which came through a pipe does
    /// not.
    private var isLengthKnown: Bool { format.frames > 0 }

    /// Whether nothing stands behind the frames that are decoded.
    private var isAtEnd: Bool { place == file.length }

    /// Whether frames are decoded of which the header knows nothing any more.
    var isWithinBlock: Bool { isLengthKnown && position == format.frames && !held.isEmpty }

    /// Whether it could not go on in a stream of unknown length, though there is more of it.
    var hasRemains: Bool { !isLengthKnown && !isAsItShouldBe }

    /// Decodes a frame of the stream, of which up to `count` frames of sound go to `samples`; how
    /// many.
    private func decode(_ count: Int, to samples: UnsafeMutableRawPointer) -> Int {
        (room, roomFrames, arrivedFrames) = (samples, count, nil)
        // The room is that of the caller, for the time of the call.
        defer { (room, roomFrames) = (nil, 0) }
        let isDone = FLAC__stream_decoder_process_single(decoder) != 0
        if !isDone || arrivedFrames == nil { isAsItShouldBe = false }
        return arrivedFrames ?? 0
    }

    /// Where in the file stands what follows the frames that are decoded, those that are held among
    /// them.
    var place: Int64? {
        var place: FLAC__uint64 = 0
        let isKnown = FLAC__stream_decoder_get_decode_position(decoder, &place) != 0
        return isKnown ? Int64(clamping: place) : nil
    }

    /// Whether the stream was taken out of a longer one, of which libsndfile knows nothing.
    var isPart: Bool { numbers.first ?? 0 > 0 }

    /// Goes to a frame; whether that was as it should be.
    func seek(to frame: Int64) -> Bool {
        if frame == position { return isAsItShouldBe }
        let isWithin = frame >= 0 && (!isLengthKnown || frame < format.frames)
        guard isAsItShouldBe, isSeekable, isWithin else { return false }
        held.drop()
        arrivedFrames = nil
        let number = numbers.goOn(with: frame)
        isAsItShouldBe =
            FLAC__stream_decoder_seek_absolute(decoder, number) != 0 && isAsItShouldBe
        position = frame
        return isAsItShouldBe
    }

    /// Goes back to the beginning, to come from there to wherever it is to go: the way that the
    /// stream itself shows has led nowhere.
    func restart() {
        held.drop()
        isMisled = true
        // Of the frames, not of the header that is read again.
        let areTelling = numbers.areTelling
        _ = numbers.goOn(with: 0)
        (position, gap) = (0, nil)
        (arrivedFrames, isOutOfPlace, isAsItShouldBe) = (nil, false, true)
        let isBack =
            FLAC__stream_decoder_reset(decoder) != 0
            && FLAC__stream_decoder_process_until_end_of_metadata(decoder) != 0
        numbers.areTelling = areTelling
        isAsItShouldBe = isBack && isAsItShouldBe && file.errorNumber == 0
    }

    private var frameBytes: Int { format.channels * Int(heldBits) / 8 }
}

// MARK: - What the library asks and says

extension FLACDecoder {
    private func open() -> Bool {
        // Unretained is sound: the decoder goes with `self`, and makes no call after that.
        let status = FLAC__stream_decoder_init_stream(
            decoder,
            { FLACDecoder.from($3).file.read(into: $1, $2) },
            { FLACDecoder.from($2).file.goTo($1) },
            {
                $1?.pointee = FLAC__uint64(FLACDecoder.from($2).file.position)
                return FLAC__STREAM_DECODER_TELL_STATUS_OK
            },
            {
                $1?.pointee = FLAC__uint64(FLACDecoder.from($2).file.length)
                return FLAC__STREAM_DECODER_LENGTH_STATUS_OK
            },
            { FLACDecoder.from($1).file.isAtEnd ? 1 : 0 },
            { FLACDecoder.from($3).take($1, $2) },
            { FLACDecoder.from($2).learn($1) },
            { FLACDecoder.from($2).isAsItShouldBe = false },
            Unmanaged.passUnretained(self).toOpaque())
        return status == FLAC__STREAM_DECODER_INIT_STATUS_OK
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> FLACDecoder {
        // The library hands back the context of `open()`, which is never nil.
        Unmanaged.fromOpaque(context.unsafelyUnwrapped).takeUnretainedValue()
    }

    private func learn(_ block: UnsafePointer<FLAC__StreamMetadata>?) {
        guard let block, block.pointee.type == FLAC__METADATA_TYPE_STREAMINFO else { return }
        let info = block.pointee.data.stream_info
        numbers.areTelling = info.min_blocksize == info.max_blocksize && info.min_blocksize > 0
    }

    /// Takes a frame of the stream, interleaved: into the room that there is, and what is left of
    /// it is held.
    ///
    /// More than one at a time come where some are missing, for which silence comes first.
    private func take(
        _ frame: UnsafePointer<FLAC__Frame>?,
        _ channels: UnsafePointer<UnsafePointer<FLAC__int32>?>?
    ) -> FLAC__StreamDecoderWriteStatus {
        guard let header = frame?.pointee.header, let channels,
            header.channels == format.channels
        else {
            isAsItShouldBe = false
            return FLAC__STREAM_DECODER_WRITE_STATUS_ABORT
        }
        let frames = Int(header.blocksize)
        // libsndfile tells of other channels; where samples have more bits, it leaves them out.
        guard arrivedFrames == nil, header.bits_per_sample == bits,
            numbers.take(Int64(header.number.sample_number), frames: frames)
        else {
            (isOutOfPlace, isAsItShouldBe) = (true, false)
            return FLAC__STREAM_DECODER_WRITE_STATUS_ABORT
        }
        let arrived = min(roomFrames, frames)
        arrivedFrames = arrived
        if let room { interleave(channels, from: 0, count: arrived, to: room) }
        let left = frames - arrived
        held.hold(left * frameBytes) { interleave(channels, from: arrived, count: left, to: $0) }
        return FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE
    }

    private func interleave(
        _ channels: UnsafePointer<UnsafePointer<FLAC__int32>?>, from first: Int, count: Int,
        to samples: UnsafeMutableRawPointer
    ) {
        channels.withMemoryRebound(
            to: UnsafePointer<FLAC__int32>.self, capacity: format.channels
        ) {
            // The library has a pointer for each channel of the frame, of `blocksize` samples.
            lanes_interleave(
                $0, format.channels, first, count, heldBits - bits, Int(heldBits) / 8, samples)
        }
    }
}
