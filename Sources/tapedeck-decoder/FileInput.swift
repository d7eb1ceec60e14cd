import CLibav
import Glibc

/// Gives libav the bytes of an open file, without a path, and keeps the first system error.
final class FileInput {
    private let descriptor: Int32
    private let start: Int64
    private let length: Int64
    private var position: Int64 = 0
    /// The first system error number; 0 if there was no error.
    private(set) var errorNumber: Int32 = 0
    private(set) var context: UnsafeMutablePointer<AVIOContext>?

    private static let bufferBytes: Int32 = 1 << 16

    /// Takes over the descriptor of a regular file, whose bytes before `start` are not shown.
    init(descriptor: Int32, from start: Int64) {
        (self.descriptor, self.start) = (descriptor, start)
        var info = stat()
        length = fstat(descriptor, &info) == 0 ? max(0, Int64(info.st_size) - start) : 0
        // Unretained is safe: the context is freed in `deinit`.
        let own = Unmanaged.passUnretained(self).toOpaque()
        let buffer = av_malloc(Int(FileInput.bufferBytes))
        context = avio_alloc_context(
            buffer?.assumingMemoryBound(to: UInt8.self), FileInput.bufferBytes, 0, own,
            { FileInput.from($0).read(into: $1, count: $2) }, nil,
            { FileInput.from($0).seek(by: $1, from: $2) })
    }

    deinit {
        // libav may have replaced the buffer.
        if let context {
            av_freep(&context.pointee.buffer)
            var freed: UnsafeMutablePointer<AVIOContext>? = context
            avio_context_free(&freed)
        }
        close(descriptor)
    }

    private static func from(_ own: UnsafeMutableRawPointer?) -> FileInput {
        // libav hands back the pointer of `init`, which is never nil.
        Unmanaged.fromOpaque(own.unsafelyUnwrapped).takeUnretainedValue()
    }

    private func read(into buffer: UnsafeMutablePointer<UInt8>?, count: Int32) -> Int32 {
        while true {
            let done = pread(descriptor, buffer, Int(count), off_t(start + position))
            if done > 0 {
                position += Int64(done)
                return Int32(done)
            }
            if done == 0 { return libav_error_eof }
            if errno == EINTR { continue }
            if errorNumber == 0 { errorNumber = errno }
            return -errno
        }
    }

    private func seek(by offset: Int64, from whence: Int32) -> Int64 {
        let origin: Int64
        switch whence & ~AVSEEK_FORCE {
        case AVSEEK_SIZE: return length
        case SEEK_SET: origin = 0
        case SEEK_CUR: origin = position
        default: origin = length
        }
        let (place, overflows) = origin.addingReportingOverflow(offset)
        guard !overflows, place >= 0 else { return Int64(-EINVAL) }
        position = place
        return place
    }
}
