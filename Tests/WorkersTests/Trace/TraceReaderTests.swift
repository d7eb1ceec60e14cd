import Dispatch
import Foundation
import Jobs
import Recordings
import TestSupport
import Testing

@testable import Workers

@Suite struct TraceReaderTests {
    private let folder = TestFolder()
    private var path: Pathname { folder.path("run.trace") }

    private static let header =
        String(
            decoding: TraceFile.text(
                .init(trace: .init(version: "1", configuration: JobStore.Configuration()))),
            as: UTF8.self)
    private static let tick = #"{"action":{"ticked":{"_0":1}}}"# + "\n"
    private static let finish = #"{"commands":[{"finish":{}}]}"# + "\n"

    private func reader(_ text: String) throws(TraceRefusal) -> TraceReader {
        folder.write(Array(text.utf8), to: "run.trace")
        return try TraceReader(path)
    }

    private func steps(_ reader: TraceReader) throws -> Int {
        var count = 0
        while let step = try reader.next() {
            #expect(step.action == .ticked(1))
            count += 1
        }
        return count
    }

    @Test func stepsAreReadInOrder() throws {
        let reader = try reader(Self.header + Self.tick + Self.finish + Self.tick + Self.finish)
        #expect(try reader.next()?.commands == [.finish])
        #expect(try reader.next()?.commands == [.finish])
        #expect(try reader.next() == nil)
        #expect(!reader.isTorn)
    }

    @Test func lastActionWithoutCommandsIsReturned() throws {
        let reader = try reader(Self.header + Self.tick + Self.finish + Self.tick)
        #expect(try reader.next()?.commands == [.finish])
        let last = try #require(try reader.next())
        #expect(last.commands == nil)
        #expect(try reader.next() == nil)
        #expect(!reader.isTorn)
    }

    /// Wherever the file is cut off, what was whole is read, and nothing is made up.
    @Test func tornLastLineIsDropped() throws {
        let text = Self.tick + Self.finish + Self.tick + Self.finish
        let wholeLines = Set(text.split(separator: "\n"))
        for length in 0...text.utf8.count {
            let part = text.prefix(length)
            let reader = try reader(Self.header + part)
            let lines = part.split(separator: "\n")
            #expect(try steps(reader) == lines.count { Self.tick.hasPrefix($0 + "\n") }, "\(part)")
            #expect(reader.isTorn == !lines.allSatisfy(wholeLines.contains), "\(part)")
        }
    }

    @Test func damagedLineIsReportedByNumber() throws {
        let damaged: [(String, Int)] = [
            ("x\n" + Self.finish, 2),
            (Self.tick + "{}\n", 3),
            (Self.finish, 2),
            (Self.tick + Self.tick, 3),
            (Self.tick + Self.finish + #"{"action":{"dreamt":{}}}"# + "\n", 4),
            (Self.tick + Self.finish + "\n", 4),
            (Self.tick + Self.finish + Self.tick.dropLast(3) + "\n" + Self.finish, 4),
        ]
        for (text, line) in damaged {
            let reader = try reader(Self.header + text)
            #expect(throws: TraceRefusal.damaged(path, line: line), "\(text)") {
                try steps(reader)
            }
        }
    }

    @Test func nonTraceFileIsRefused() throws {
        for text in ["", "x", "{\"trace\"", "{\"recordings\":[]}\n", "{\"trac\":1}\n"] {
            #expect(throws: TraceRefusal.notATrace(path)) { try reader(text) }
        }
        // One without an end is not read to it.
        let endless: Pathname = "/dev/zero"
        #expect(throws: TraceRefusal.notATrace(endless)) { try TraceReader(endless) }
    }

    @Test func unsupportedOrDamagedHeaderIsRefused() throws {
        for format in [1, 2, 6] {
            #expect(throws: TraceRefusal.otherFormat(path, format)) {
                try reader("{\"trace\":{\"format\":\(format),\"anything\":[]}}\n")
            }
        }
        for text in ["{\"trace\":{\"format\":5}}\n", "{\"trace\":{\"for", "{\"trace\":4}\n"] {
            #expect(throws: TraceRefusal.damaged(path, line: 1)) { try reader(text) }
        }
    }

    @Test func unreadableFileIsReportedWithReason() {
        let missing = folder.path("no")
        #expect(throws: TraceRefusal.notRead(missing, detail: "No such file or directory")) {
            try TraceReader(missing)
        }
        #expect(throws: TraceRefusal.notRead(folder.path, detail: "Is a directory")) {
            try TraceReader(folder.path)
        }
    }

    /// As from a program that is slower than we are: it is waited for.
    @Test func traceIsReadFromPipe() throws {
        #expect(mkfifo(path.text, 0o644) == 0)
        // Opened for both, so that nobody waits for the other to open it.
        let pipe = open(path.text, O_RDWR | O_CLOEXEC)
        try #require(pipe >= 0)
        let text = Array((Self.header + Self.tick + Self.finish).utf8)
        let count = 50
        DispatchQueue.global().async {
            for byte in text
                + Array(repeating: Array((Self.tick + Self.finish).utf8), count: count).joined()
            {
                withUnsafeBytes(of: byte) { _ = write(pipe, $0.baseAddress, 1) }
            }
            close(pipe)
        }
        #expect(try steps(try TraceReader(path)) == count + 1)
    }

    /// Lines that are longer than what is read at once, and ends on both sides of its end.
    @Test func linesOfAnyLengthAreRead() throws {
        for length in (FileSystem.largestChunkBytes - 2)...(FileSystem.largestChunkBytes + 2) {
            let lines = [
                String(repeating: "a", count: length), "",
                String(repeating: "b", count: 3 * length),
            ]
            folder.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: "run.trace")
            let reader = LineReader(try ReadableFile(waitingFor: path))
            #expect(try reader.begins(with: Array("aaa".utf8)))
            for line in lines { #expect(try reader.next()?.bytes == Array(line.utf8)) }
            #expect(try reader.next() == nil)
        }
    }
}
