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
    /// Bytes of the output file that the library does not see.
    private var insertion: Insertion?
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

    /// Bytes within a file that is written, in the place of some that the library writes.
    struct Insertion {
        /// The library's offset.
        let place: Int64
        let bytes: [UInt8]
        /// How many of the library's bytes are left out from `place` on.
        var replaced: Int64 = 0
    }

    /// Writes bytes between those that the library writes.
    func insert(_ insertion: Insertion) {
        self.insertion = insertion
        let (done, number) = insertion.bytes.withUnsafeBytes { bytes in
            bytes.baseAddress.map {
                VirtualFile.write($0, bytes.count, at: insertion.place, to: descriptor)
            } ?? (0, 0)
        }
        if done < insertion.bytes.count, errorNumber == 0 { errorNumber = number }
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
            let (place, room) = outside(position, count - done)
            // Those that an insertion replaces are left out.
            let moved: (done: Int, number: Int32) =
                place.map {
                    VirtualFile.write(buffer + Int(done), Int(room), at: $0, to: descriptor)
                } ?? (Int(room), 0)
            if errorNumber == 0 { errorNumber = moved.number }
            done += Int64(moved.done)
            position += Int64(moved.done)
            length = max(length, position)
            if moved.done < room { break }
        }
        return done
    }

    /// Where the library's offset is in the file, and how many of `count` bytes are together there;
    /// `nil` if they are left out.
    private func outside(_ offset: Int64, _ count: Int64) -> (place: Int64?, room: Int64) {
        guard let insertion else { return (offset, count) }
        let end = insertion.place + insertion.replaced
        if offset < insertion.place { return (offset, min(count, insertion.place - offset)) }
        if offset < end { return (nil, min(count, end - offset)) }
        return (offset + Int64(insertion.bytes.count) - insertion.replaced, count)
    }

    private static func write(
        _ buffer: UnsafeRawPointer, _ count: Int, at place: Int64, to descriptor: Int32
    ) -> (done: Int, number: Int32) {
        var done = 0
        while done < count {
            let moved = pwrite(descriptor, buffer + done, count - done, off_t(place) + off_t(done))
            if moved < 0 && errno == EINTR { continue }
            // `pwrite` does not report writing 0 bytes as an error.
            guard moved > 0 else { return (done, moved < 0 ? errno : ENOSPC) }
            done += moved
        }
        return (done, 0)
    }
}
