import Glibc
import Recordings

/// A regular file, open for reading at any place.
struct SourceFile: ~Copyable {
    let path: Pathname
    let descriptor: Int32
    /// Where in the file begins what this is about; all places count from there.
    private(set) var start: Int64 = 0
    /// The file's length when it was opened.
    private(set) var byteCount: Int64
    /// What it began with then: most questions are about that, and each would be a system call.
    ///
    /// All of a short file, of which the decoder reads all at once in any case.
    private(set) var beginning: [UInt8]

    private static let beginningBytes = 1024

    /// Opens `path`, which must be a regular file with something in it.
    init(opening path: Pathname) throws(AudioFileError) {
        // Without O_NONBLOCK, opening a pipe would wait for somebody to write to it.
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK
        let opened = path.withCString { open($0, flags) }
        guard opened >= 0 else { throw AudioFileError(.opening, path, errno: errno) }
        var status = stat()
        guard fstat(opened, &status) == 0 else {
            let number = errno
            close(opened)
            throw AudioFileError(.opening, path, errno: number)
        }
        let problem: RecordingFailure.Reason? =
            if status.st_mode & S_IFMT != S_IFREG {
                .notARegularFile
            } else if status.st_size == 0 {
                .emptyFile
            } else {
                nil
            }
        if let problem {
            close(opened)
            throw AudioFileError(activity: .opening, path: path, reason: problem)
        }
        self.path = path
        descriptor = opened
        byteCount = Int64(status.st_size)
        beginning = SourceFile.beginning(of: opened, at: 0, byteCount)
    }

    private static func beginning(of descriptor: Int32, at place: Int64, _ bytes: Int64) -> [UInt8]
    {
        let isShort = bytes <= ReadAhead.mostBytes
        return read(descriptor, at: place, count: isShort ? Int(bytes) : beginningBytes)
    }

    deinit {
        close(descriptor)
    }

    /// Whether it begins with a tag that players put before sound of any format.
    var beginsWithTag: Bool { bytes(at: 0, count: 3).starts(with: "ID3".utf8) }

    /// Goes behind all such tags: what follows is as if there were none.
    ///
    /// Of one within which the file ends, nothing is known but that. The library leaves them out,
    /// too, but then it does not find the end of a file that it has read to the end, and others
    /// would have to know of them.
    mutating func passOverTags() {
        guard beginsWithTag else { return }
        var place: Int64 = 0
        for _ in 0..<SourceFile.mostTags {
            guard let tag = SourceFile.tagBytes(bytes(at: place, count: 10)),
                place + tag < byteCount
            else { break }
            place += tag
        }
        (start, byteCount) = (place, byteCount - place)
        beginning = SourceFile.beginning(of: descriptor, at: start, byteCount)
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
        while pread(descriptor, &bytes, bytes.count, 0) < 0 {
            let number = errno
            if number != EINTR { return AudioFileError(.reading, path, errno: number) }
        }
        return nil
    }

    /// Up to `count` bytes from `offset` on; fewer at the end of the file or where reading fails.
    func bytes(at offset: Int64, count: Int) -> [UInt8] {
        guard offset >= 0, count > 0 else { return [] }
        if offset <= Int64(beginning.count - count) {
            return Array(beginning[Int(offset)..<Int(offset) + count])
        }
        return SourceFile.read(descriptor, at: start + offset, count: count)
    }

    private static func read(_ descriptor: Int32, at offset: Int64, count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let rest = UnsafeMutableRawBufferPointer(
                    rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
                let received = pread(
                    descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(filled))
                if received < 0 && errno == EINTR { continue }
                if received <= 0 { break }
                filled += received
            }
        }
    }
}
