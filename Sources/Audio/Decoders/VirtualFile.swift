import CSndfile
import Glibc
import Recordings

/// The system calls of libsndfile and libFLAC, made here so that no error number is lost.
///
/// libsndfile drops errors of its last writes; this keeps the first. A file can be shown shorter
/// than it is, and with an end that cannot be sought.
final class VirtualFile {
    /// What is read, or else what is written.
    private let source: SourceFile?
    private let descriptor: Int32
    /// Where the library is in it.
    private(set) var position: Int64 = 0
    /// Where it ends; grows by writing.
    private(set) var length: Int64
    private let isEndSeekable: Bool
    /// Masks parts of the header while libsndfile opens the file.
    private var headerGuard: HeaderGuard?
    /// Whether nothing is written any more, whatever the library has still to say.
    private var isAbandoned = false
    /// The first error number of the system, 0 while all is well.
    private(set) var errorNumber: Int32 = 0

    /// The first `length` bytes of a file.
    init(reading source: SourceFile, length: Int64, isEndSeekable: Bool) {
        self.source = source
        descriptor = source.descriptor
        headerGuard = HeaderGuard(beginning: source.bytes(at: 0, count: 12), length: length)
        self.length = length
        self.isEndSeekable = isEndSeekable
    }

    /// A file to be written from its beginning; what is in it is removed.
    init(writing file: NewFile) throws(AudioFileError) {
        try file.empty()
        source = nil
        descriptor = file.descriptor
        length = 0
        isEndSeekable = true
    }

    /// Leaves the file as it is, for one that nobody wants any more.
    func abandon() { isAbandoned = true }

    /// Opens this with the library; the result is valid only while `self` lives.
    func open(mode: Int, info: inout SF_INFO) -> OpaquePointer? {
        // Unretained is sound: `SoundFile` keeps `self` for as long as it keeps the result.
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

    /// Shows the library the file unmasked from now on, and forgets errors that happened while it
    /// opened the file.
    ///
    /// Where they matter they happen again, and then the frame is known.
    func endOpening() {
        headerGuard = nil
        errorNumber = 0
    }

    /// Goes to a place in the file as `lseek` does, and returns it; -1 where there is none.
    func seek(by offset: Int64, from whence: Int32) -> Int64 {
        let origin: Int64
        switch whence {
        case SEEK_SET: origin = 0
        case SEEK_CUR: origin = position
        default:
            guard isEndSeekable else { return -1 }
            origin = length
        }
        // Damaged headers have the library seek by lengths that nothing has.
        let (place, overflows) = origin.addingReportingOverflow(offset)
        guard !overflows, place >= 0 else { return -1 }
        position = place
        return position
    }

    /// Whether all has been read.
    var isAtEnd: Bool { position >= length }

    /// Reads what comes next, up to so many bytes.
    ///
    /// They are fewer where the file ends, or where `errorNumber` says why.
    func read(into buffer: UnsafeMutableRawPointer?, count: Int64) -> Int64 {
        let wanted = Int(min(count, length - position))
        // No encoder asks for what it has written.
        guard let buffer, let source, wanted > 0 else { return 0 }
        let place = position
        let (done, number) = source.read(wanted, at: place, into: buffer)
        if errorNumber == 0 { errorNumber = number }
        position += Int64(done)
        // The library lends room for `count` bytes, of which `done` are filled.
        headerGuard?.mask(
            UnsafeMutableRawBufferPointer(start: buffer, count: done), at: place,
            of: source.bytes(at:count:))
        return Int64(done)
    }

    /// Writes at the position, and goes on behind it; how many bytes were taken.
    private func write(_ buffer: UnsafeRawPointer?, count: Int64) -> Int64 {
        guard let buffer, errorNumber == 0, !isAbandoned else { return 0 }
        var done: Int64 = 0
        while done < count {
            let moved = pwrite(descriptor, buffer + Int(done), Int(count - done), off_t(position))
            if moved < 0 && errno == EINTR { continue }
            guard moved > 0 else {
                // That nothing was written is no error to the system.
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
