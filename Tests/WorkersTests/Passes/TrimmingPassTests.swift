import Foundation
import Jobs
import Recordings
import TestSupport
import Testing

@testable import Workers

@Suite struct TrimmingPassTests {
    @Test func trimmedCopyHasKeptFramesAndSourceTimestamp() throws {
        let one = try OneRecording()
        guard case .trimmed(let file, let staged) = one.trim(keeping: 6400..<17_600) else {
            return #expect(Bool(false), "it was not trimmed")
        }
        #expect(staged.name == "b.wav")
        let path = one.world.output.appending("A").appending(staged.temporary)
        let bytes = TestFolder.bytes(of: path)
        #expect(file.path == "b.wav")
        #expect(file.durationSeconds == 1.4)
        #expect(file.bytes == Int64(bytes.count))
        #expect(file.edits == [Edit(sourceFrames: 6400..<17_600, trimmedFrame: 0)])
        #expect(bytes == SmallWAV.bytes(Array(SmallWAV.voice()[6400..<17_600])))
        let stamp = try TestWorld.stamp(of: path)
        #expect(stamp.modifiedNanoseconds == one.source.stamp.modifiedNanoseconds)
        #expect(one.outputs == ["A", "A/*"])
    }

    /// More than is gathered before it is written, so that the FLAC's header is changed afterwards.
    @Test(arguments: [TrimmedContainer.same, .flac])
    func longCopyReportsItsSizeAndChecksum(container: TrimmedContainer) throws {
        var random = SeededGenerator(seed: 1)
        let one = try OneRecording(random.noise(3_000_000))
        guard case .trimmed(let file, let staged) = one.trim(keeping: 9..<3_000_000, as: container)
        else {
            return #expect(Bool(false), "it was not trimmed")
        }
        let path = one.world.output.appending("A").appending(staged.temporary)
        let receipt = try StagedOutput.receipt(of: path)
        #expect(file.bytes == receipt.bytes)
        #expect(file.sha256 == receipt.sha256)
    }

    @Test func fadeIsAppliedOnlyAtCuts() throws {
        let one = try OneRecording([Int16](repeating: 8000, count: 1000))
        guard case .trimmed(_, let staged) = one.trim(keeping: 100..<1000, fadeFrames: 10) else {
            return #expect(Bool(false), "it was not trimmed")
        }
        let bytes = TestFolder.bytes(
            of: one.world.output.appending("A").appending(staged.temporary))
        let unfaded = SmallWAV.bytes([Int16](repeating: 8000, count: 900))
        #expect(bytes.count == unfaded.count)
        #expect(bytes[44..<64] != unfaded[44..<64])
        // The end of the recording is no cut.
        #expect(bytes[64...] == unfaded[64...])
    }

    @Test func recordingChangedSinceScanIsRefused() throws {
        let one = try OneRecording()
        try FileSystem.setModified(one.path, nanoseconds: 5)
        #expect(OneRecording.reason(one.trim(keeping: 1..<2)) == .changed)
        #expect(one.outputs.isEmpty)
    }

    @Test func missingRecordingIsReportedAsVanished() throws {
        let one = try OneRecording()
        try FileSystem.remove(one.path)
        #expect(OneRecording.reason(one.trim(keeping: 1..<2)) == .vanished)
        #expect(one.outputs.isEmpty)
    }

    @Test func cancelledPassLeavesNoFiles() throws {
        let one = try OneRecording()
        let cancellation = Cancellation()
        cancellation.cancel()
        #expect(one.trim(keeping: 1..<2, cancellation: cancellation) == .cancelled)
        #expect(one.outputs == ["A"])
    }

    @Test func failedCopyIsDeleted() throws {
        let one = try OneRecording()
        #expect(OneRecording.reason(one.trim(keeping: 1..<50_000)) == .truncated)
        #expect(one.outputs == ["A"])
    }
}
