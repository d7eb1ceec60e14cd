import Glibc
import Recordings

/// A regular file, open for random-access reads.
final class SourceFile {
    let path: Pathname
    let descriptor: Int32
    /// The offset in the file that counts as place 0.
    private(set) var start: Int64 = 0
    /// The file's length when it was opened.
    private(set) var byteCount: Int64
    /// A read buffer filled by one system call, and its offset in the file.
    private var held: [UInt8] = []
    private var heldStart: Int64 = 0

    private static let mostHeldBytes = 1 << 16
    /// Reads of this size or more bypass the buffer, which would only add a copy.
    private static let fewestBytesAlone = 1 << 15

    /// Opens `path`, which must be a regular, non-empty file.
    convenience init(opening path: Pathname) throws(AudioFileError) {
        // Without O_NONBLOCK, opening a pipe would block until it has a writer.
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK
        try self.init(path.withCString { open($0, flags) }, path)
    }

    /// Takes over an open file.
    /// - Parameter path: the path in error messages.
    init(_ descriptor: Int32, _ path: Pathname) throws(AudioFileError) {
        self.path = path
        self.descriptor = descriptor
        byteCount = 0
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
            throw AudioFileError(.opening, path, errno: errno)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw AudioFileError(activity: .opening, path: path, reason: .notARegularFile)
        }
        guard status.st_size > 0 else {
            throw AudioFileError(activity: .opening, path: path, reason: .emptyFile)
        }
        byteCount = Int64(status.st_size)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Whether the file begins with an ID3v2 tag, which may precede any format.
    var beginsWithTag: Bool { bytes(at: 0, count: 3).starts(with: "ID3".utf8) }

    /// Moves `start` past all ID3v2 tags, so that the rest reads as an untagged file.
    ///
    /// A tag within which the file ends is retained, as nothing follows it. libsndfile skips tags
    /// too, but then does not notice that it has read to the end, and other code would have to know
    /// of tags.
    func passOverTags() {
        guard beginsWithTag else { return }
        var place: Int64 = 0
        for _ in 0..<SourceFile.mostTags {
            guard let tag = SourceFile.tagBytes(bytes(at: place, count: 10)),
                place + tag < byteCount
            else { break }
            place += tag
        }
        (start, byteCount) = (place, byteCount - place)
    }

    /// A limit against malicious files with endless tags.
    private static let mostTags = 1000

    /// The length of the ID3v2 tag with this header, including its footer, which repeats the header
    /// (ID3 2.4.0, 3.1 and 3.4); `nil` if it is no tag.
    static func tagBytes(_ head: [UInt8]) -> Int64? {
        guard head.count >= 10, head.starts(with: "ID3".utf8) else { return nil }
        // Four bytes of seven bits each.
        let body = head[6..<10].reduce(0) { $0 << 7 | Int64($1 & 0x7F) }
        return 10 + body + (head[5] & 0x10 != 0 ? 10 : 0)
    }

    /// The end of a stream without a declared length: before an ID3v1 tag at the end of the file.
    var streamEnd: Int64 {
        let tag = byteCount - 128
        return bytes(at: tag, count: 3).elementsEqual("TAG".utf8) ? tag : byteCount
    }

    /// The system error on reading the first bytes, which the decoder reports as an unknown format;
    /// `nil` if there is none.
    func troubleReading() -> AudioFileError? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let number = read(bytes.count, at: 0, into: &bytes).errorNumber
        return number == 0 ? nil : AudioFileError(.reading, path, errno: number)
    }
}

// MARK: - Bytes

extension SourceFile {
    /// Up to `count` bytes at `place`; fewer at the end of the file or on a read error.
    func bytes(at place: Int64, count: Int) -> [UInt8] {
        (0...byteCount).contains(place) ? bytesOfWhole(at: start + place, count: count) : []
    }

    /// Up to `count` bytes at `place` of the whole file, with what is before `start`.
    func bytesOfWhole(at place: Int64, count: Int) -> [UInt8] {
        let wanted = Int(min(Int64(count), start + byteCount - place))
        guard place >= 0, wanted > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
            filled =
                buffer.baseAddress.map { read(wanted, at: place - start, into: $0).done } ?? 0
        }
    }

    /// Reads up to `count` bytes at `place` into `buffer`, which must have room for them.
    ///
    /// Returns fewer at the end of the file, or on a system error.
    func read(
        _ count: Int, at place: Int64, into buffer: UnsafeMutableRawPointer
    ) -> (done: Int, errorNumber: Int32) {
        var done = 0
        while done < count {
            let from = start + place + Int64(done)
            if count < SourceFile.fewestBytesAlone, !isHeld(from) { hold(from) }
            let copied = copy(count - done, from: from, to: buffer + done)
            let moved =
                copied > 0 ? copied : pread(descriptor, buffer + done, count - done, off_t(from))
            if moved < 0 && errno == EINTR { continue }
            if moved < 0 { return (done, errno) }
            if moved == 0 { break }
            done += moved
        }
        return (done, 0)
    }

    private func isHeld(_ place: Int64) -> Bool {
        place >= heldStart && place - heldStart < Int64(held.count)
    }

    /// Fills the buffer from `place` on; empty on an error, since the bad sector may lie beyond the
    /// bytes that were asked for.
    private func hold(_ place: Int64) {
        heldStart = place
        // Frees the old buffer first; bytes that are overwritten at once are not zeroed.
        held = []
        held = Array(unsafeUninitializedCapacity: SourceFile.mostHeldBytes) {
            $1 = max(0, pread(descriptor, $0.baseAddress, $0.count, off_t(place)))
        }
    }

    /// Copies up to `count` bytes at `place` from the buffer; returns how many.
    private func copy(_ count: Int, from place: Int64, to buffer: UnsafeMutableRawPointer) -> Int {
        guard isHeld(place) else { return 0 }
        let own = held[Int(place - heldStart)...].prefix(count)
        own.withUnsafeBytes {
            // There is room for `count`.
            UnsafeMutableRawBufferPointer(start: buffer, count: $0.count).copyMemory(from: $0)
        }
        return own.count
    }
}
