import CFLAC
import CLanes
import Glibc
import Recordings

// The callbacks of libFLAC.

extension FLACDecoder {
    func open() -> Bool {
        // Unretained is safe: `self` deletes the decoder, which makes no calls after that.
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
            { FLACDecoder.from($2).isComplaining = true },
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
        return errorNumber == 0
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
        numbers.areTelling = info.min_blocksize == info.max_blocksize && info.min_blocksize > 0
    }

    /// Interleaves a decoded FLAC frame into `held`.
    ///
    /// A frame whose format differs from the header's cannot be returned, and ends decoding.
    private func take(
        _ frame: UnsafePointer<FLAC__Frame>?,
        _ channels: UnsafePointer<UnsafePointer<FLAC__int32>?>?
    ) -> FLAC__StreamDecoderWriteStatus {
        guard let header = frame?.pointee.header, let channels,
            header.channels == format.channels, header.bits_per_sample == bits,
            held.count < FLACDecoder.mostHeldBytes
        else {
            (isOutOfPlace, isOver) = (true, true)
            return FLAC__STREAM_DECODER_WRITE_STATUS_ABORT
        }
        guard Int(header.sample_rate) == format.sampleRateHertz else {
            (changesRate, isOver) = (true, true)
            return FLAC__STREAM_DECODER_WRITE_STATUS_ABORT
        }
        let frames = Int(header.blocksize)
        if !numbers.take(Int64(header.number.sample_number), frames: frames) { isOutOfPlace = true }
        arrivedBlocks += 1
        held.append(frames * frameBytes) { samples in
            channels.withMemoryRebound(
                to: UnsafePointer<FLAC__int32>.self, capacity: format.channels
            ) {
                // libFLAC passes a pointer to `blocksize` samples for each channel.
                lanes_interleave(
                    $0, format.channels, 0, frames, heldBits - bits, Int(heldBits) / 8, samples)
            }
        }
        return FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE
    }

    /// Limits the silence for missing frames: damaged numbers may ask for any amount.
    private static let mostHeldBytes = 1 << 26
}
