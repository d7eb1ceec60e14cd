import CFLAC
import Glibc

// The calls of a file as libFLAC makes them.

extension VirtualFile {
    /// Reads what comes next, up to as many bytes as are asked for; how many they are.
    func read(
        into buffer: UnsafeMutablePointer<FLAC__byte>?, _ bytes: UnsafeMutablePointer<Int>?
    ) -> FLAC__StreamDecoderReadStatus {
        guard let buffer, let bytes else { return FLAC__STREAM_DECODER_READ_STATUS_ABORT }
        bytes.pointee = Int(read(into: buffer, count: Int64(bytes.pointee)))
        if bytes.pointee > 0 { return FLAC__STREAM_DECODER_READ_STATUS_CONTINUE }
        return errorNumber == 0
            ? FLAC__STREAM_DECODER_READ_STATUS_END_OF_STREAM
            : FLAC__STREAM_DECODER_READ_STATUS_ABORT
    }

    /// Goes to a place.
    func goTo(_ place: FLAC__uint64) -> FLAC__StreamDecoderSeekStatus {
        seek(by: Int64(clamping: place), from: SEEK_SET) < 0
            ? FLAC__STREAM_DECODER_SEEK_STATUS_ERROR : FLAC__STREAM_DECODER_SEEK_STATUS_OK
    }
}
