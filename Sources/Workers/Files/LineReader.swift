import Glibc
import Recordings

/// Reads a file line by line; it holds one line and a chunk, however long the file is.
final class LineReader {
    /// A line longer than this is no line of ours: it is passed over, so that it takes no memory.
    static let mostLineBytes = 1 << 28

    /// One line without its end.
    struct Line {
        /// None of one that is longer than `mostBytes`.
        var bytes: [UInt8]
        /// How long it is in the file.
        var byteCount: Int
        /// Whether its end was there; of the last line it may be missing.
        var isTerminated: Bool
    }

    private let file: ReadableFile
    private let mostBytes: Int
    private var chunk = [UInt8](repeating: 0, count: FileSystem.largestChunkBytes)
    /// What of the chunk was read and not given out.
    private var unused = 0..<0
    /// Whether the end was seen: what somebody adds to the file from then on is no part of it.
    private var isAtEnd = false

    /// Of a file that was not read from yet.
    init(_ file: ReadableFile, mostBytes: Int = LineReader.mostLineBytes) {
        self.file = file
        self.mostBytes = mostBytes
    }

    /// Whether the file begins with these bytes; asked before the first line is.
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

    /// Where the next line ends, if that was read.
    private func endOfLine() -> Int? {
        chunk.withUnsafeBytes { bytes in
            // What is unused lies in the chunk, and the pointer is not used beyond this.
            guard let base = bytes.baseAddress,
                let end = memchr(base + unused.lowerBound, 0x0A, unused.count)
            else { return nil }
            return UnsafeRawPointer(end) - base
        }
    }

    /// Reads behind what is unused; `false` at the end of the file.
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
