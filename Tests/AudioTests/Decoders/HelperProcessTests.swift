import DecoderMessages
import Foundation
import Recordings
import TestSupport
import Testing

@testable import Audio

/// The helper process and its faults.
@Suite struct HelperProcessTests {
    private let folder = TestFolder()

    /// A stand-in for the helper: a Python script with its socket as `socket`, and `struct`.
    private func helper(_ script: String) -> Pathname {
        let text = """
            #!/usr/bin/env python3
            import socket, struct, os, time
            socket = socket.socket(fileno=3)
            \(script)
            """
        let path = folder.write(Array(text.utf8), to: "helper")
        chmod(path.text, 0o755)
        return path
    }

    /// The numbers of a reply.
    private static let numbers = MemoryLayout<DecoderReply>.size / 8
    private static let ready = "socket.send(\(reply(1)))\n"

    /// A reply of this kind, as Python makes it.
    private static func reply(_ kind: Int) -> String {
        "struct.pack('\(numbers)q', \(kind), *[0] * \(numbers - 1))"
    }

    private func error(
        of script: String, afterStart: Bool = true, mostSeconds: Int = 30
    ) -> HelperError? {
        do throws(HelperError) {
            let helper = try HelperProcess(
                starting: helper((afterStart ? Self.ready : "") + script), mostSeconds: mostSeconds)
            let reply = try helper.ask(DecoderRequest(.read))
            _ = try helper.texts(of: reply)
            return nil
        } catch {
            return error
        }
    }

    @Test func layoutOfMessagesIsWhatTheStandInSends() {
        #expect(MemoryLayout<DecoderReply>.size == 8 * Self.numbers)
        #expect(error(of: "socket.recv(999)\nsocket.send(\(Self.reply(3)))") == nil)
    }

    @Test func missingProgramOrLibraryIsReportedAsMissing() {
        #expect(throws: HelperError.missing) {
            try HelperProcess(starting: folder.path("nothing"))
        }
        // As the dynamic linker ends a program whose library it does not find.
        #expect(error(of: "os._exit(127)", afterStart: false) == .missing)
    }

    /// Else a pipe of another child would stay open for as long as the helper lives.
    @Test func helperInheritsNoOtherDescriptors() {
        let ends = Pipe()
        let number = fcntl(ends.fileHandleForWriting.fileDescriptor, F_DUPFD, 200)
        defer { close(number) }
        let reply = "socket.recv(999)\nsocket.send(\(Self.reply(3)))"
        let script = "if os.path.exists('/proc/self/fd/\(number)'): os._exit(1)\n" + reply
        #expect(number >= 200)
        #expect(error(of: script) == nil)
    }

    @Test func deadHelperIsReportedAsDied() {
        #expect(error(of: "os._exit(1)") == .died)
        #expect(error(of: "socket.recv(999)\nos.kill(os.getpid(), 9)") == .died)
    }

    @Test func silentHelperIsReportedAsStalled() {
        #expect(error(of: "time.sleep(1000)", mostSeconds: 1) == .stalled)
        #expect(error(of: "os.kill(os.getpid(), 19)", mostSeconds: 1) == .stalled)
    }

    @Test func replyOfWrongSizeIsRefused() {
        #expect(error(of: "socket.recv(999)\nsocket.send(b'nonsense')") == .invalid)
        let text =
            "socket.recv(999)\nsocket.send(struct.pack('\(Self.numbers)q', *[1 << 40] * \(Self.numbers)))"
        #expect(error(of: text) == .invalid)
    }
}
