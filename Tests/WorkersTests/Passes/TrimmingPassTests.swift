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
        #expect(staged.map(\.name) == ["b.wav"] && file.waveforms == nil)
        let path = one.world.output.appending("A").appending(staged[0].temporary)
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
        let path = one.world.output.appending("A").appending(staged[0].temporary)
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
            of: one.world.output.appending("A").appending(staged[0].temporary))
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

    /// The bytes of a staged file.
    private func bytes(_ file: StagedFile, of one: OneRecording) -> [UInt8] {
        TestFolder.bytes(of: one.world.output.appending("A").appending(file.temporary))
    }

    @Test(arguments: [TrimmedContainer.same, .flac], WaveformRecipe.Format.allCases)
    func waveformsOfTheCopyAreThoseOfARecordingWithItsBytes(
        container: TrimmedContainer, format: WaveformRecipe.Format
    ) throws {
        let one = try OneRecording()
        let drawing: (inout WaveformRecipe) -> Void = {
            ($0.subjects, $0.format, $0.bits) = ([.source, .trimmed], format, 16)
            $0.samplesPerPixel = [256, 64]
        }
        guard
            case .trimmed(let file, let staged) = one.trim(
                keeping: 6400..<17_600, fadeFrames: 10, as: container, drawing: drawing)
        else {
            return #expect(Bool(false), "it was not trimmed")
        }
        let ending = format == .dat ? "dat" : "json"
        let names: [Pathname] = [
            Pathname("b.wav.trimmed.\(ending)"), Pathname("b.wav.trimmed.64.\(ending)"),
        ]
        #expect(staged.dropFirst().map(\.name) == names)
        #expect(file.waveforms?.map(\.path) == names)
        #expect(file.waveforms?.map(\.samplesPerPixel) == [256, 64])
        #expect(file.waveforms?.map(\.length) == [44, 175])
        let other = try OneRecording(bytes: bytes(staged[0], of: one))
        guard
            case .listened(let measured, let drawn) = other.listen(
                .waveform, zooms: [256, 64], drawing: drawing)
        else {
            return #expect(Bool(false), "the copy was not listened to")
        }
        #expect(measured.waveforms?.map(\.sha256) == file.waveforms?.map(\.sha256))
        #expect(drawn.map { bytes($0, of: other) } == staged.dropFirst().map { bytes($0, of: one) })
        for file in staged {
            let path = one.world.output.appending("A").appending(file.temporary)
            let stamp = try TestWorld.stamp(of: path)
            #expect(stamp.modifiedNanoseconds == one.source.stamp.modifiedNanoseconds)
        }
    }

    @Test func copyAndWaveformsAreDeletedTogether() throws {
        let one = try OneRecording()
        let cancellation = Cancellation()
        cancellation.cancel()
        let drawing: (inout WaveformRecipe) -> Void = { $0.subjects = [.trimmed] }
        #expect(
            one.trim(keeping: 1..<900, cancellation: cancellation, drawing: drawing) == .cancelled)
        #expect(one.outputs == ["A"])
    }
}
