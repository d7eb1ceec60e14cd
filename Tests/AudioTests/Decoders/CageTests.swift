import DecoderMessages
import Foundation
import Recordings
import TestSupport
import Testing

@testable import Audio

/// What a decoder that is not itself any more can do to this machine.
///
/// It is played by `cage-trial`, which enters the cage of `tapedeck-decoder`.
@Suite struct CageTests {
    private let folder = TestFolder()

    /// Starts it in a cage made of what the name says.
    private func helper(_ cage: String, mostSeconds: Int = 30) throws -> HelperProcess {
        let program = URL(filePath: Tool.path).deletingLastPathComponent()
            .appending(path: "cage-trial").path
        let link = folder.path(Pathname("trial-\(cage)"))
        try? FileManager.default.createSymbolicLink(
            atPath: link.text, withDestinationPath: program)
        return try HelperProcess(starting: link, mostSeconds: mostSeconds)
    }

    /// What became of a misdeed; `nil` if the helper did not survive it.
    private func outcome(of word: String, by helper: HelperProcess) throws -> String? {
        let file = folder.write(Array("....ftyp\(word)\0".utf8), to: Pathname(word))
        // As tapedeck opens recordings.
        let descriptor = open(file.text, O_RDONLY)
        defer { close(descriptor) }
        guard let reply = try? helper.ask(DecoderRequest(.open), descriptor: descriptor) else {
            return nil
        }
        return try helper.texts(of: reply).first
    }

    /// Files, the network, processes, memory.
    private static let misdeeds = [
        "read", "list", "create", "delete", "write", "tcp", "udp", "unix", "fork", "exec", "signal",
        "memory", "code", "grow",
    ]

    private func misdeedsDone(in cage: String) throws -> [String] {
        let helper = try helper(cage)
        return try Self.misdeeds.filter { try outcome(of: $0, by: helper) == "\($0): done" }
    }

    @Test func cageRefusesWhateverIsNotDecoding() throws {
        #expect(try helper("both").cage == [.landlock, .seccomp])
        #expect(try misdeedsDone(in: "both") == [])
    }

    /// On a kernel without Landlock, or where a container forbids it.
    @Test func systemCallsAreRefusedWithoutLandlockToo() throws {
        #expect(try helper("seccomp").cage == .seccomp)
        #expect(try misdeedsDone(in: "seccomp") == [])
    }

    @Test func filesAndPortsAreOutOfReachWithoutSeccompToo() throws {
        let helper = try helper("landlock")
        #expect(helper.cage == .landlock)
        let done = try misdeedsDone(in: "landlock")
        for word in ["read", "list", "create", "delete", "write", "tcp", "exec", "memory"] {
            #expect(!done.contains(word), "\(word)")
        }
    }

    /// So that the tests above can fail.
    @Test func misdeedsSucceedWithoutCage() throws {
        let helper = try helper("none")
        #expect(helper.cage == [])
        for word in ["read", "list", "create", "tcp", "udp", "unix", "fork", "signal", "code"] {
            #expect(try outcome(of: word, by: helper) == "\(word): done")
        }
        // It is another program from then on.
        #expect(try outcome(of: "exec", by: helper) == nil)
    }

    @Test func helperThatSpinsOrCrashesIsEnded() throws {
        let spinning = try helper("both", mostSeconds: 1)
        #expect(try outcome(of: "spin", by: spinning) == nil)
        #expect(spinning.isBroken)
        let crashing = try helper("both")
        #expect(try outcome(of: "beyond", by: crashing) == nil)
        #expect(crashing.isBroken)
    }
}
