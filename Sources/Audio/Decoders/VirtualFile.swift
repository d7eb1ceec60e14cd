import CSndfile
import Glibc
import Recordings

/// The system calls that libsndfile or libFLAC makes on a file, made here, so that no error number
/// is lost.
///
/// libsndfile drops the errors of its last writes when a file is closed; this keeps the first one.
/// It reads most formats in pieces of a few bytes, and asks where it is after each: here that costs
/// no system call. It is also shown files that end earlier, and files whose end cannot be sought.
final class VirtualFile {
    private let descriptor: Int32
    private let isWriting: Bool
    /// Where in the file begins what the library is shown.
    private let start: Int64
    /// Where the library is in it.
    private(set) var position: Int64 = 0
    /// Where it ends; grows by writing.
    private(set) var length: Int64
    private let isEndSeekable: Bool
    private var readAhead: ReadAhead
    /// Masks parts of the header while libsndfile opens the file.
    private var headerGuard: HeaderGuard?
    /// Whether nothing is written any more, whatever the library has still to say.
    private var isAbandoned = false
    /// The first error number of the system, 0 while all is well.
    private(set) var errorNumber: Int32 = 0

    /// The first `length` bytes of a file that somebody else keeps open, to be read.
    init(lending source: borrowing SourceFile, length: Int64, isEndSeekable: Bool) {
        descriptor = source.descriptor
        start = source.start
        readAhead = ReadAhead(source.beginning, at: source.start)
        headerGuard = HeaderGuard(beginning: source.bytes(at: 0, count: 12), length: length)
        self.length = length
        self.isEndSeekable = isEndSeekable
        isWriting = false
    }

    /// A file to be written from its beginning; what is in it is removed.
    init(writing file: NewFile) throws(AudioFileError) {
        try file.empty()
        descriptor = file.descriptor
        (start, length) = (0, 0)
        readAhead = ReadAhead()
        isWriting = true
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

    /// Zeroes the time of day that the library has written, once it is done with the file.
    func removeWritingTime() {
        guard isWriting, errorNumber == 0, !isAbandoned else { return }
        var header = [UInt8](repeating: 0, count: WritingTime.headerBytes)
        let count = pread(descriptor, &header, header.count, 0)
        guard count > 0, let place = WritingTime.place(in: Array(header[..<count])) else { return }
        position = Int64(place.lowerBound)
        let zeros = [UInt8](repeating: 0, count: place.count)
        _ = zeros.withUnsafeBytes { write($0.baseAddress, count: Int64($0.count)) }
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
        // What was read ahead of a file that is written would be old; no encoder asks for it.
        guard let buffer, wanted > 0, !isWriting else { return 0 }
        // Of what is large the end is as little worth reading ahead for as the whole.
        let readsAhead = ReadAhead.isWorthwhile(for: wanted)
        var done = 0
        while done < wanted {
            let moved = readOn(wanted - done, into: buffer + done, readsAhead: readsAhead)
            if moved < 0 && errno == EINTR { continue }
            if moved < 0 && errorNumber == 0 { errorNumber = errno }
            if moved <= 0 { break }
            done += moved
            position += Int64(moved)
        }
        // The library lends room for `count` bytes, of which `done` are filled.
        headerGuard?.mask(
            UnsafeMutableRawBufferPointer(start: buffer, count: done), at: position - Int64(done)
        ) { bytes(at: $0, count: $1) }
        return Int64(done)
    }

    /// Bytes anywhere in the file, without going there; fewer at its end.
    private func bytes(at place: Int64, count: Int) -> [UInt8] {
        let wanted = Int(min(Int64(count), max(0, length - place)))
        return [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
            guard let base = buffer.baseAddress else { return }
            while filled < wanted {
                let held = readAhead.copy(
                    wanted - filled, from: start + place + Int64(filled), to: base + filled)
                let read =
                    held > 0
                    ? held
                    : pread(
                        descriptor, base + filled, wanted - filled,
                        off_t(start + place) + off_t(filled))
                if read < 0 && errno == EINTR { continue }
                if read <= 0 { break }
                filled += read
            }
        }
    }

    /// Reads up to `count` bytes from the position on, as `pread` does.
    private func readOn(
        _ count: Int, into buffer: UnsafeMutableRawPointer, readsAhead: Bool
    ) -> Int {
        let place = start + position
        if readsAhead, !readAhead.holds(place) {
            readAhead.fill(from: descriptor, at: place, end: start + length)
        }
        let held = readAhead.copy(count, from: place, to: buffer)
        return held > 0 ? held : pread(descriptor, buffer, count, off_t(place))
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
