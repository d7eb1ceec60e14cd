import Glibc
import Recordings

/// Reads a file line by line in constant memory: one line and one chunk.
final class LineReader {
    /// Longer lines are not ours: they are skipped, so that they use no memory.
    static let mostLineBytes = 1 << 28

    /// One line without its end.
    struct Line {
        /// Empty if the line is longer than `mostBytes`.
        var bytes: [UInt8]
        /// The line's length in the file, without its end.
        var byteCount: Int
        /// Whether the line ends in a newline, which the last line may lack.
        var isTerminated: Bool
    }

    private let file: ReadableFile
    private let mostBytes: Int
    private var chunk = [UInt8](repeating: 0, count: FileSystem.largestChunkBytes)
    /// The part of the chunk that was read but not yet returned.
    private var unused = 0..<0
    /// Whether the end was reached; anything appended later is ignored.
    private var isAtEnd = false

    /// Starts reading a file; nothing may have been read from it before.
    init(_ file: ReadableFile, mostBytes: Int = LineReader.mostLineBytes) {
        self.file = file
        self.mostBytes = mostBytes
    }

    /// Whether the file begins with these bytes; call it before the first `next()`.
    func begins(with start: [UInt8]) throws(FileSystemError) -> Bool {
        while unused.count < start.count {
            guard try readMore() else { return false }
        }
        return chunk[unused].starts(with: start)
    }

    /// The next line; `nil` at the end.
    func next() throws(FileSystemError) -> Line? {
        var line: [UInt8] = []
        var count = 0
        func add(_ piece: Range<Int>) {
            count += piece.count
            if count <= mostBytes { line += chunk[piece] } else { line = [] }
        }
        while true {
            if let end = endOfLine() {
                add(unused.lowerBound..<end)
                unused = (end + 1)..<unused.upperBound
                return Line(bytes: line, byteCount: count, isTerminated: true)
            }
            add(unused)
            unused = 0..<0
            guard try readMore() else {
                return count == 0 ? nil : Line(bytes: line, byteCount: count, isTerminated: false)
            }
        }
    }

    /// The end of the next line, if it is already in the chunk.
    private func endOfLine() -> Int? {
        chunk.withUnsafeBytes { bytes in
            // `unused` lies within the chunk, and the pointer does not escape this closure.
            guard let base = bytes.baseAddress,
                let end = memchr(base + unused.lowerBound, 0x0A, unused.count)
            else { return nil }
            return UnsafeRawPointer(end) - base
        }
    }

    /// Reads more bytes after `unused`; `false` at the end of the file.
    private func readMore() throws(FileSystemError) -> Bool {
        if isAtEnd { return false }
        if unused.isEmpty { unused = 0..<0 }
        let start = unused.upperBound
        precondition(start < chunk.count, "a chunk is read on only while it has room")
        while true {
            let count = chunk.withUnsafeMutableBytes { buffer in
                let free = UnsafeMutableRawBufferPointer(rebasing: buffer[start...])
                return read(file.descriptor, free.baseAddress, free.count)
            }
            if count < 0 {
                if errno == EINTR { continue }
                throw FileSystemError(file.path)
            }
            unused = unused.lowerBound..<(start + count)
            isAtEnd = count == 0
            return count > 0
        }
    }
}
