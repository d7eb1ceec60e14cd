import CSndfile
import Glibc
import Recordings

/// The file I/O of libsndfile and libFLAC, done here so that no error number is lost.
///
/// libsndfile drops errors of its last writes; this retains the first error. It can show a file
/// shorter than it is, and make its end unseekable.
final class VirtualFile {
    /// The file that is read; `nil` when writing.
    private let source: SourceFile?
    /// The offset in the source that the library sees as 0.
    private let start: Int64
    private let descriptor: Int32
    /// The library's file offset.
    private(set) var position: Int64 = 0
    /// The length that the library sees; grows by writing.
    private(set) var length: Int64
    private let isEndSeekable: Bool
    /// Masks parts of the header while libsndfile opens the file.
    private var headerGuard: HeaderGuard?
    /// Whether further writes are discarded.
    private var isAbandoned = false
    /// The first system error number; 0 if there was no error.
    private(set) var errorNumber: Int32 = 0

    /// The first `length` bytes of a file with a header.
    init(reading source: SourceFile, length: Int64) {
        self.source = source
        start = 0
        descriptor = source.descriptor
        headerGuard = HeaderGuard(beginning: source.bytes(at: 0, count: 12), length: length)
        self.length = length
        isEndSeekable = true
    }

    /// Part of a file, without a header.
    init(
        reading source: SourceFile, from start: Int64, length: Int64, isEndSeekable: Bool = true
    ) {
        self.source = source
        self.start = start
        descriptor = source.descriptor
        self.length = length
        self.isEndSeekable = isEndSeekable
    }

    /// Opens an output file; its contents are removed.
    init(writing file: NewFile) throws(AudioFileError) {
        try file.empty()
        source = nil
        start = 0
        descriptor = file.descriptor
        length = 0
        isEndSeekable = true
    }

    /// Discards all further writes.
    func abandon() { isAbandoned = true }

    /// Opens this file with libsndfile; the result is valid only while `self` lives.
    func open(mode: Int, info: inout SF_INFO) -> OpaquePointer? {
        // Unretained is safe: `SoundFile` retains `self` as long as the result.
        var calls = SF_VIRTUAL_IO(
            get_filelen: { VirtualFile.from($0).length },
            seek: { VirtualFile.from($2).seek(by: $0, from: $1) },
            read: { VirtualFile.from($2).read(into: $0, count: $1) },
            write: { VirtualFile.from($2).write($0, count: $1) },
            tell: { VirtualFile.from($0).position })
        return sf_open_virtual(
            &calls, Int32(mode), &info, Unmanaged.passUnretained(self).toOpaque())
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> VirtualFile {
        // The library hands back the context of `open(mode:info:)`, which is never nil.
        Unmanaged.fromOpaque(context.unsafelyUnwrapped).takeUnretainedValue()
    }

    /// Removes the header mask, and clears errors that occurred while opening.
    ///
    /// Errors that matter occur again, and then the frame is known.
    func endOpening() {
        headerGuard = nil
        errorNumber = 0
    }

    /// Moves the offset as `lseek` does, and returns it; -1 if it is invalid.
    func seek(by offset: Int64, from whence: Int32) -> Int64 {
        let origin: Int64
        switch whence {
        case SEEK_SET: origin = 0
        case SEEK_CUR: origin = position
        default:
            guard isEndSeekable else { return -1 }
            origin = length
        }
        // Damaged headers make the library seek by impossible lengths.
        let (place, overflows) = origin.addingReportingOverflow(offset)
        guard !overflows, place >= 0 else { return -1 }
        position = place
        return position
    }

    /// Whether all has been read.
    var isAtEnd: Bool { position >= length }

    /// Reads up to `count` bytes at the offset.
    ///
    /// Returns fewer at the end of the file, or on an error, which sets `errorNumber`.
    func read(into buffer: UnsafeMutableRawPointer?, count: Int64) -> Int64 {
        let wanted = Int(min(count, length - position))
        // Encoders never read back what they wrote.
        guard let buffer, let source, wanted > 0 else { return 0 }
        let place = position
        let (done, number) = source.read(wanted, at: start + place, into: buffer)
        if errorNumber == 0 { errorNumber = number }
        position += Int64(done)
        // `buffer` has room for `count` bytes; `done` of them are filled.
        headerGuard?.mask(
            UnsafeMutableRawBufferPointer(start: buffer, count: done), at: place,
            of: source.bytes(at:count:))
        return Int64(done)
    }

    /// Writes at the offset and advances it; returns the number of bytes written.
    private func write(_ buffer: UnsafeRawPointer?, count: Int64) -> Int64 {
        guard let buffer, errorNumber == 0, !isAbandoned else { return 0 }
        var done: Int64 = 0
        while done < count {
            let moved = pwrite(descriptor, buffer + Int(done), Int(count - done), off_t(position))
            if moved < 0 && errno == EINTR { continue }
            guard moved > 0 else {
                // `pwrite` does not report writing 0 bytes as an error.
                errorNumber = moved < 0 ? errno : ENOSPC
                break
            }
            done += Int64(moved)
            position += Int64(moved)
            length = max(length, position)
        }
        return done
    }
}
