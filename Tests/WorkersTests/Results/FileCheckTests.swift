import Foundation
import Jobs
import Recordings
import TestSupport
import Testing

@testable import Workers

@Suite struct FileCheckTests {
    private let folder = TestFolder()
    private let place: Pathname
    private let temporary: Pathname

    init() {
        place = folder.path("a.dat")
        temporary = folder.path(".tapedeck.7.partial")
    }

    private func put(_ text: String, at path: Pathname) {
        folder.write(Array(text.utf8), to: path.lastComponent)
    }

    /// Of an output that was recorded with these bytes, under both of its names.
    private func check(_ text: String) -> FileCheck {
        let bytes = Array(text.utf8)
        return FileCheck(
            shown: "a.dat", path: place, temporary: temporary,
            promise: .bytes(
                Int64(bytes.count), sha256: SHA256.hexadecimal(of: bytes),
                modifiedNanoseconds: nil))
    }

    private func event(_ finding: Discrepancy.Finding) -> Verification.Event {
        .discrepancy(Discrepancy(path: "a.dat", subject: .output, finding: finding))
    }

    @Test(arguments: ["", "other bytes", "altered!"])
    func temporaryFileIsIgnoredWhenOutputIsIntact(text: String) {
        put("waveform", at: place)
        put(text, at: temporary)
        #expect(check("waveform").carryOut() == nil)
    }

    @Test(arguments: ["", "other bytes", "altered!"])
    func mismatchedTemporaryFileIsNotAcceptedAsOutput(text: String) {
        put(text, at: temporary)
        #expect(check("waveform").carryOut() == event(.missing))
        put("WAVEFORM", at: place)
        #expect(check("waveform").carryOut() == event(.altered))
    }

    @Test func matchingTemporaryFileIsAcceptedDespiteOldOutput() {
        put("older", at: place)
        put("waveform", at: temporary)
        #expect(check("waveform").carryOut() == nil)
    }

    @Test func outputMovedDuringCheckIsFound() throws {
        put("waveform", at: temporary)
        let check = check("waveform")
        var looks = 0
        let finding = try check.finding { (path) throws(FileSystemError) in
            // As a run does that is under way.
            if looks == 1 { try? FileSystem.rename(temporary, to: place) }
            looks += 1
            return try check.look(at: path)
        }
        #expect(finding == nil)
        #expect(looks == 3)
    }

    @Test(arguments: [EMFILE, ENFILE, ENOMEM, EAGAIN, ESTALE])
    func transientErrorsAreRethrown(code: Int32) throws {
        let error = FileSystemError(place, code: code)
        #expect(throws: error) { try FileCheck.finding(error) }
    }

    @Test(arguments: [EIO, EACCES, ELOOP])
    func readErrorsAreReportedAsUnreadable(code: Int32) throws {
        let error = FileSystemError(place, code: code)
        #expect(try FileCheck.finding(error) == .unreadable(detail: error.detail))
    }
}
