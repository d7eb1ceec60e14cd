import Recordings

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Reads a file line by line; it holds one line and a chunk, however long the file is.
final class LineReader {
    /// One line without its end.
    struct Line {
        var bytes: [UInt8]
        /// Whether its end was there; of the last line it may be missing.
        var isTerminated: Bool
    }

    private let file: ReadableFile
    private var chunk = [UInt8](repeating: 0, count: FileSystem.largestChunkBytes)
    /// What of the chunk was read and not given out.
    private var unused = 0..<0
    /// Whether the end was seen: what somebody adds to the file from then on is no part of it.
    private var isAtEnd = false

    /// Of a file that was not read from yet.
    init(_ file: ReadableFile) { self.file = file }

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
        while true {
            if let end = endOfLine() {
                line += chunk[unused.lowerBound..<end]
                unused = (end + 1)..<unused.upperBound
                return Line(bytes: line, isTerminated: true)
            }
            line += chunk[unused]
            unused = 0..<0
            guard try readMore() else {
                return line.isEmpty ? nil : Line(bytes: line, isTerminated: false)
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
