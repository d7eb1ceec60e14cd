import Foundation
import Recordings
import TestSupport
import Testing

/// Pages that are served, by the built binary; `Tests/Report` asks for them as browsers do.
@Suite struct ServeTests {
    private let library = Library()

    /// Starts a server, and returns what it says first.
    private func start(_ arguments: String...) throws -> (tool: RunningTool, line: String) {
        let tool = RunningTool(arguments)
        return (tool, try #require(tool.nextLine()))
    }

    private func refusal(_ arguments: String...) -> (status: Int32, line: String?) {
        let outcome = Tool.run(arguments)
        #expect(outcome.output == "")
        return (outcome.status, outcome.errorLines.first)
    }

    @Test func serveEndsBySignalAndChangesNothing() throws {
        library.addRecording("A/one.wav")
        #expect(library.run().status == 0)
        let before = library.snapshot()
        for (number, status) in [(SIGTERM, Int32(143)), (SIGINT, 130)] {
            let (tool, line) = try start(
                "serve", library.output.appending("A").text, "--address", "127.0.0.1:0")
            #expect(line.hasPrefix("look and listen: http://127.0.0.1:"))
            #expect(line.hasSuffix("/output/A/"))
            tool.send(signal: number)
            let outcome = tool.wait()
            #expect(outcome.status == status && outcome.errors == "")
        }
        #expect(library.snapshot().differences(from: before) == [])
    }

    @Test func watchSaysWhereItServes() throws {
        library.addRecording("one.wav")
        let (tool, line) = try start(
            "watch", library.root.text, "--json", "--serve", "127.0.0.1:0")
        #expect(line.hasPrefix(#"{"address":"http://127.0.0.1:"#))
        #expect(line.contains(#"/","event":"serving","time":""#))
        tool.send(signal: SIGTERM)
        #expect(tool.wait().status == 143)
    }

    @Test func addressThatIsTakenIsSaid() throws {
        library.addRecording("one.wav")
        #expect(library.run().status == 0)
        let (tool, line) = try start("serve", library.root.text, "--address", "127.0.0.1:0")
        let address = try #require(line.split(separator: "/").last.map(String.init))
        for command in [["serve", "--address"], ["watch", "--serve"]] {
            let outcome = Tool.run([command[0], library.root.text, command[1], address])
            #expect(outcome.status == 1)
            #expect(
                outcome.errorLines == [
                    "tapedeck: cannot listen on \(address): Address already in use; give another"
                        + " address, such as 127.0.0.1:8018"
                ])
        }
        tool.send(signal: SIGTERM)
        #expect(tool.wait().status == 143)
    }

    @Test func wrongUseIsSaid() {
        library.addRecording("one.wav")
        #expect(library.run().status == 0)
        let root = library.root.text
        for address in ["8017", "example.org:80", "127.0.0.1:99999"] {
            let (status, line) = refusal("serve", root, "--address", address)
            #expect(status == 64)
            #expect(
                line?.contains("give an IP address and a port, such as 127.0.0.1:8017") == true)
        }
        #expect(refusal("serve", root, "--token-file", "/no").status == 64)
        let (status, line) = refusal("watch", root, "--token-file", "/dev/null")
        #expect(status == 64 && line != nil)
        #expect(refusal("serve", library.root.appending("none").text).status == 1)
    }
}
