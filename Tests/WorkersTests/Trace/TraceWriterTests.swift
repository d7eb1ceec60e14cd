import Foundation
import Jobs
import Recordings
import Synchronization
import TestSupport
import Testing

@testable import Workers

@Suite struct TraceWriterTests {
    private let folder = TestFolder()
    private var path: Pathname { folder.path("run.trace") }
    private var text: String { String(decoding: TestFolder.bytes(of: path), as: UTF8.self) }

    private func begin(_ writer: TraceWriter) {
        writer.begin(version: "1", JobStore.Configuration()) { Issue.record("\($0)") }
    }

    @Test func actionsAndCommandsAreWrittenImmediately() throws {
        let writer = try TraceWriter(path)
        begin(writer)
        let reducer = writer.tracing(JobStore.reducer)
        var state = JobStore.State(configuration: JobStore.Configuration())
        #expect(text.hasPrefix(#"{"trace":{"configuration":{"#))
        #expect(text.hasSuffix(#""format":5,"version":"1"}}"# + "\n"))
        let commands = reducer(&state, .started([.folder("")]))
        let lines = text.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(
            lines[1]
                == #"{"action":{"started":{"_0":[{"folder":{"_0":""}}]}}}"#
        )
        #expect(lines[2].hasPrefix(#"{"commands":[{"scan":"#))
        let step = try TraceReader(path).next()
        #expect(step?.action == .started([.folder("")]))
        #expect(step?.commands == commands)
    }

    /// The trace goes to standard error, which the test can read although the program is stopped.
    @Test func crashingActionIsWrittenBeforeCrash() async throws {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let writer = try TraceWriter("/dev/stderr")
            writer.begin(version: "1", JobStore.Configuration()) { _ in }
            let broken = JobStore.uncheckedReducer.checkingInvariants(enabled: true) { _ in "no" }
            var state = JobStore.State(configuration: JobStore.Configuration())
            _ = writer.tracing(broken)(&state, .ticked(1))
        }
        let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(words.contains("{\"action\":{\"ticked\":{\"_0\":1}}}\n"))
        #expect(!words.contains(#"{"commands""#))
    }

    @Test func fullDiskIsReportedOnceAndRunContinues() throws {
        let told = Mutex<[TraceRefusal]>([])
        let writer = try TraceWriter("/dev/full")
        writer.begin(version: "1", JobStore.Configuration()) { refusal in
            told.withLock { $0.append(refusal) }
        }
        var state = JobStore.State(configuration: JobStore.Configuration())
        let commands = writer.tracing(JobStore.reducer)(
            &state, .started([.folder("")]))
        #expect(commands.count == 1)
        #expect(
            told.withLock { $0 }
                == [.notWritten("/dev/full", detail: String(cString: strerror(ENOSPC)))])
    }

    // MARK: What is there already

    private func refusal(_ path: Pathname) -> TraceRefusal? {
        do throws(TraceRefusal) {
            begin(try TraceWriter(path))
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: ["x", "{\"trace\"", "{\"version\":1}", "RIFF\0\0\0\0WAVE"])
    func nonTraceFileIsNotOverwritten(content: String) {
        folder.write(Array(content.utf8), to: "run.trace")
        #expect(refusal(path) == .foreign(path))
        #expect(text == content)
    }

    @Test(arguments: [
        "", "{\"trace\":9}\nof another time\n\(String(repeating: "x", count: 9_000))",
    ])
    func earlierTraceOrEmptyFileIsOverwritten(content: String) throws {
        folder.write(Array(content.utf8), to: "run.trace")
        #expect(refusal(path) == nil)
        #expect(text.split(separator: "\n").count == 1)
        #expect(try TraceReader(path).next() == nil)
    }

    @Test func unwritablePathIsRefused() {
        #expect(refusal(folder.path) == .notWritten(folder.path, detail: "Is a directory"))
        let missing = folder.path("no/run.trace")
        #expect(refusal(missing) == .notWritten(missing, detail: "No such file or directory"))
    }

    @Test func unstartedWriterChangesNoFile() throws {
        _ = try TraceWriter(path)
        #expect(access(path.text, F_OK) != 0)
        folder.write(Array("{\"trace\":1}\n".utf8), to: "run.trace")
        _ = try TraceWriter(path)
        #expect(text == "{\"trace\":1}\n")
    }
}
