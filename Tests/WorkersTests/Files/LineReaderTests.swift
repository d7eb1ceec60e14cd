import Recordings
import TestSupport
import Testing

@testable import Workers

@Suite struct LineReaderTests {
    private let folder = TestFolder()

    private func lines(_ text: String, mostBytes: Int) throws -> [LineReader.Line] {
        let path = folder.write(Array(text.utf8), to: "lines")
        let reader = LineReader(try ReadableFile(path), mostBytes: mostBytes)
        var lines: [LineReader.Line] = []
        while let line = try reader.next() { lines.append(line) }
        return lines
    }

    @Test func overlongLineIsSkipped() throws {
        let long = String(repeating: "x", count: 600_000)
        let found = try lines("one\n\(long)\ntwo\n\(long)", mostBytes: 1000)
        #expect(found.map { String(decoding: $0.bytes, as: UTF8.self) } == ["one", "", "two", ""])
        #expect(found.map(\.byteCount) == [3, 600_000, 3, 600_000])
        #expect(found.map(\.isTerminated) == [true, true, true, false])
    }

    @Test func lineOfExactlyTheLimitIsRead() throws {
        #expect(try lines("12345\n123456\n", mostBytes: 5).map(\.bytes.count) == [5, 0])
    }

    /// One that is not spelled a recording a line is read as a whole, up to that length.
    @Test func fileLongerThanLimitIsNotRead() throws {
        let path = folder.write(Array("12345".utf8), to: "file")
        #expect(try FileSystem.contents(of: path, atMost: 5)?.count == 5)
        #expect(try FileSystem.contents(of: path, atMost: 4) == nil)
    }
}
