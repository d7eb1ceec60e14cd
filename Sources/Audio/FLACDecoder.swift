import CFLAC
import CLanes
import Recordings

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

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
    /// Whether the numbers of the stream's frames say where their sound belongs, so that frames can
    /// be found by them.
    ///
    /// So they do where all blocks have one size by the header, or each frame says that it has its
    /// own. Encoders that count the last block too, or leave the sizes out, are misread.
    private(set) var isSeekable = false
    /// The number that the next frame of sound has to have which is decoded, where numbers count.
    private var nextNumber: Int64 = 0
    /// The number of the first one, once it is known: where the header says no length, the stream
    /// may be a part that was taken as it was out of something longer.
    private var firstNumber: Int64?
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
        file = VirtualFile(lending: source, length: source.byteCount, isEndSeekable: true)
        guard open(), FLAC__stream_decoder_process_until_end_of_metadata(decoder) != 0,
            isAsItShouldBe
        else { return nil }
        // A bit of its first two bytes says whether a frame has its own size (RFC 9639, 9.1).
        let start = place.map { source.bytes(at: $0, count: 2) } ?? []
        if start.count == 2, start[1] & 1 == 1 { isSeekable = true }
        firstNumber = isLengthKnown ? 0 : nil
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

    var channels: Int { format.channels }

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
    var isPart: Bool { firstNumber ?? 0 > 0 }

    /// Goes to a frame; whether that was as it should be.
    func seek(to frame: Int64) -> Bool {
        if frame == position { return isAsItShouldBe }
        let isWithin = frame >= 0 && (!isLengthKnown || frame < format.frames)
        guard isAsItShouldBe, isSeekable, isWithin else { return false }
        held.drop()
        (arrivedFrames, nextNumber) = (nil, (firstNumber ?? 0) + frame)
        isAsItShouldBe =
            FLAC__stream_decoder_seek_absolute(decoder, UInt64(nextNumber)) != 0 && isAsItShouldBe
        position = frame
        return isAsItShouldBe
    }

    private var frameBytes: Int { format.channels * Int(heldBits) / 8 }
}

// MARK: - What the library asks and says

extension FLACDecoder {
    private func open() -> Bool {
        // Unretained is sound: the decoder goes with `self`, and makes no call after that.
        let status = FLAC__stream_decoder_init_stream(
            decoder,
            { FLACDecoder.from($3).read(into: $1, $2) },
            { FLACDecoder.from($2).goTo($1) },
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

    private func read(
        into buffer: UnsafeMutablePointer<FLAC__byte>?, _ bytes: UnsafeMutablePointer<Int>?
    ) -> FLAC__StreamDecoderReadStatus {
        guard let buffer, let bytes else { return FLAC__STREAM_DECODER_READ_STATUS_ABORT }
        bytes.pointee = Int(file.read(into: buffer, count: Int64(bytes.pointee)))
        if bytes.pointee > 0 { return FLAC__STREAM_DECODER_READ_STATUS_CONTINUE }
        return file.errorNumber == 0
            ? FLAC__STREAM_DECODER_READ_STATUS_END_OF_STREAM
            : FLAC__STREAM_DECODER_READ_STATUS_ABORT
    }

    private func goTo(_ place: FLAC__uint64) -> FLAC__StreamDecoderSeekStatus {
        file.seek(by: Int64(clamping: place), from: SEEK_SET) < 0
            ? FLAC__STREAM_DECODER_SEEK_STATUS_ERROR : FLAC__STREAM_DECODER_SEEK_STATUS_OK
    }

    private func learn(_ block: UnsafePointer<FLAC__StreamMetadata>?) {
        guard let block, block.pointee.type == FLAC__METADATA_TYPE_STREAMINFO else { return }
        let info = block.pointee.data.stream_info
        isSeekable = info.min_blocksize == info.max_blocksize && info.min_blocksize > 0
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
            header.channels == format.channels, header.bits_per_sample == bits
        else {
            isAsItShouldBe = false
            return FLAC__STREAM_DECODER_WRITE_STATUS_ABORT
        }
        let number = Int64(header.number.sample_number)
        if firstNumber == nil {
            nextNumber = isSeekable ? number : 0
            firstNumber = nextNumber
        }
        guard arrivedFrames == nil, !isSeekable || number == nextNumber else {
            (isOutOfPlace, isAsItShouldBe) = (true, false)
            return FLAC__STREAM_DECODER_WRITE_STATUS_ABORT
        }
        let frames = Int(header.blocksize)
        nextNumber += Int64(frames)
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
