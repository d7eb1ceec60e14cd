import Glibc
import Recordings

/// A regular file, open for reading at any place.
final class SourceFile {
    let path: Pathname
    let descriptor: Int32
    /// Where in the file begins what this is about; all places count from there.
    private(set) var start: Int64 = 0
    /// The file's length when it was opened.
    private(set) var byteCount: Int64
    /// A stretch of it that was read in one system call, to be handed out in pieces, and where in
    /// the file that begins.
    private var held: [UInt8] = []
    private var heldStart: Int64 = 0

    private static let mostHeldBytes = 1 << 16
    /// What is large is better read to where it is wanted: it would only be copied once more.
    private static let fewestBytesAlone = 1 << 15

    /// Opens `path`, which must be a regular file with something in it.
    init(opening path: Pathname) throws(AudioFileError) {
        // Without O_NONBLOCK, opening a pipe would wait for somebody to write to it.
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK
        self.path = path
        byteCount = 0
        descriptor = path.withCString { open($0, flags) }
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

    /// Whether it begins with a tag that players put before sound of any format.
    var beginsWithTag: Bool { bytes(at: 0, count: 3).starts(with: "ID3".utf8) }

    /// Goes behind all such tags: what follows is as if there were none.
    ///
    /// Of one within which the file ends, nothing is known but that. The library leaves them out,
    /// too, but then it does not find the end of a file that it has read to the end, and others
    /// would have to know of them.
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

    /// More are no tags, but somebody's attempt to keep us busy.
    private static let mostTags = 1000

    /// How long the tag is that begins so, with its footer, which repeats the header (ID3 2.4.0,
    /// 3.1 and 3.4); `nil` where none does.
    static func tagBytes(_ head: [UInt8]) -> Int64? {
        guard head.count >= 10, head.starts(with: "ID3".utf8) else { return nil }
        // Four bytes of seven bits.
        let body = head[6..<10].reduce(0) { $0 << 7 | Int64($1 & 0x7F) }
        return 10 + body + (head[5] & 0x10 != 0 ? 10 : 0)
    }

    /// Where a stream ends that nothing says the length of: before a tag at the very end (ID3v1).
    var streamEnd: Int64 {
        let tag = byteCount - 128
        return bytes(at: tag, count: 3).elementsEqual("TAG".utf8) ? tag : byteCount
    }

    /// What keeps the first bytes from being read, which the decoder takes for a foreign format;
    /// `nil` where nothing does.
    func troubleReading() -> AudioFileError? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let number = read(bytes.count, at: 0, into: &bytes).errorNumber
        return number == 0 ? nil : AudioFileError(.reading, path, errno: number)
    }
}

// MARK: - Bytes

extension SourceFile {
    /// Up to `count` bytes from `place` on; fewer at the end of the file or where reading fails.
    func bytes(at place: Int64, count: Int) -> [UInt8] {
        let wanted = Int(min(Int64(count), byteCount - place))
        guard place >= 0, wanted > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
            filled = buffer.baseAddress.map { read(wanted, at: place, into: $0).done } ?? 0
        }
    }

    /// Reads up to `count` bytes from `place` on to where there is room for them.
    ///
    /// They are fewer where the file ends, or where an error number of the system says why.
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

    /// Holds what lies from `place` on; nothing at all where that cannot be read, as it may be what
    /// nobody asks for that is bad.
    private func hold(_ place: Int64) {
        heldStart = place
        // What was held is let go of first, and nothing is zeroed that is written at once.
        held = []
        held = Array(unsafeUninitializedCapacity: SourceFile.mostHeldBytes) {
            $1 = max(0, pread(descriptor, $0.baseAddress, $0.count, off_t(place)))
        }
    }

    /// Copies up to `count` bytes from `place` on, as far as they are held; how many.
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
