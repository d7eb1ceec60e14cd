import Foundation
import Jobs
import Recordings
import ReducerKit
import TestSupport
import Testing

@testable import Workers

@Suite struct ListeningPassTests {
    @Test func onePassMeasuresEverything() throws {
        let one = try OneRecording()
        guard case .listened(let measured, let staged) = one.listen() else {
            return #expect(Bool(false), "it was not listened to")
        }
        #expect(
            measured.format
                == AudioFormat(
                    container: .wav, encoding: .pcm16, sampleRateHertz: 8000, channels: 1,
                    frames: 24_000))
        let peak = try #require(measured.levels?.peakDBFS.first ?? nil)
        #expect(abs(peak - -6.02) < 0.02)
        let silences = try #require(measured.silence?.intervalsSeconds)
        #expect(silences.count == 2)
        #expect(measured.silence?.silent == false)
        #expect(measured.waveforms?.map(\.path) == ["b.wav.dat"])
        #expect(measured.sourceSHA256 == (try StagedOutput.receipt(of: one.path).sha256))
        #expect(staged.map(\.name) == ["b.wav.dat"])
        #expect(one.outputs == ["A", "A/*"])
    }

    @Test func eachZoomLevelGetsFileWithSourceTimestamp() throws {
        let one = try OneRecording()
        guard case .listened(let measured, let staged) = one.listen(zooms: [256, 512])
        else { return #expect(Bool(false), "it was not listened to") }
        #expect(staged.map(\.name) == ["b.wav.dat", "b.wav.512.dat"])
        #expect(one.outputs == ["A", "A/*", "A/*"])
        for (file, place) in zip(try #require(measured.waveforms), staged) {
            #expect(file.path == place.name)
            let stamp = try TestWorld.stamp(
                of: one.world.output.appending("A").appending(place.temporary))
            #expect(stamp.bytes == file.bytes)
            #expect(stamp.modifiedNanoseconds == one.source.stamp.modifiedNanoseconds)
        }
    }

    @Test func onlyRequestedStagesAreMeasured() throws {
        let one = try OneRecording()
        guard case .listened(let measured, let staged) = one.listen(.silence) else {
            return #expect(Bool(false), "it was not listened to")
        }
        #expect(measured.levels == nil)
        #expect(measured.waveforms == nil)
        #expect(measured.sourceSHA256 == nil)
        #expect(measured.silence != nil)
        #expect(staged.isEmpty && one.outputs.isEmpty)
    }

    @Test func checksumIsComputedWithoutDecoding() throws {
        // What no decoder would take.
        let world = TestWorld()
        let path = world.add("A/b.wav", Array("abc".utf8))
        let order = ListeningOrder(
            source: RecordingSource(
                folder: "A", name: "b.wav", stamp: try TestWorld.stamp(of: path)),
            stages: .checksum)
        let pass = ListeningPass(
            order: order, places: world.places, ownership: world.ownership,
            cancellation: Cancellation())
        var measured = Measurements(format: nil)
        // The example of FIPS 180-2.
        measured.sourceSHA256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect(pass.run() == .listened(measured, staged: []))
        #expect(TestWorld.tree(world.output).isEmpty)
    }

    @Test func recordingIsNotDecodedForWaveformsOfItsCopy() throws {
        // What no decoder would take.
        let one = try OneRecording(bytes: Array("abc".utf8))
        var measured = Measurements(format: nil)
        measured.waveforms = []
        let answer = one.listen(.waveform) { $0.subjects = [.trimmed] }
        #expect(answer == .listened(measured, staged: []))
        #expect(one.outputs.isEmpty)
    }

    @Test func checksumIsComputedAlongsideLevels() throws {
        let one = try OneRecording()
        guard case .listened(let measured, _) = one.listen([.levels, .checksum]) else {
            return #expect(Bool(false), "it was not listened to")
        }
        #expect(measured.levels != nil && measured.format != nil)
        #expect(measured.sourceSHA256 == (try StagedOutput.receipt(of: one.path).sha256))
    }

    /// Below 1 kHz silence is not looked for, whatever the file says of its length.
    @Test(arguments: [(100, false), (999, false), (1000, true), (2000, true)])
    func silenceIsAnalysedFromOneKilohertzSampleRate(rate: Int, isLookedFor: Bool) throws {
        let world = TestWorld()
        let path = world.add(
            "A/b.wav", SmallWAV.bytes(SmallWAV.voice(), sampleRateHertz: rate))
        let source = RecordingSource(
            folder: "A", name: "b.wav", stamp: try TestWorld.stamp(of: path))
        let pass = ListeningPass(
            order: ListeningOrder(source: source, stages: .listening), places: world.places,
            ownership: world.ownership, cancellation: Cancellation())
        guard case .listened(let measured, _) = pass.run() else {
            return #expect(Bool(false), "it was not listened to")
        }
        let format = try #require(measured.format)
        #expect((measured.silence == .notAnalysed(of: format)) != isLookedFor)
        #expect(measured.levels != nil && measured.waveforms?.count == 1)
    }

    @Test func recordingOverLengthLimitIsRefused() throws {
        let one = try OneRecording()
        for hours in [0.0005, 1] {
            let order = ListeningOrder(source: one.source, stages: .listening)
            let pass = ListeningPass(
                order: order, places: one.world.places, ownership: one.world.ownership,
                cancellation: Cancellation(), limit: LengthLimit(hours: hours))
            #expect(OneRecording.reason(pass.run()) == (hours < 1 ? .tooLong : nil))
        }
    }

    @Test func recordingChangedSinceScanIsRefused() throws {
        let one = try OneRecording()
        try FileSystem.setModified(one.path, nanoseconds: 5)
        #expect(OneRecording.reason(one.listen()) == .changed)
        #expect(one.outputs.isEmpty)
    }

    @Test func missingRecordingIsReportedAsVanished() throws {
        let one = try OneRecording()
        try FileSystem.remove(one.path)
        #expect(OneRecording.reason(one.listen()) == .vanished)
        #expect(one.outputs.isEmpty)
    }

    @Test func passStopsWhenCancelled() throws {
        let one = try OneRecording()
        let cancellation = Cancellation()
        cancellation.cancel()
        #expect(one.listen(cancellation: cancellation) == .cancelled)
        #expect(one.listen(.checksum, cancellation: cancellation) == .cancelled)
        #expect(one.outputs.isEmpty)
    }

    @Test(arguments: [FaultTolerance.none, .lasting])
    func truncatedFileReportsPartialMeasurementsWhereItFails(tolerance: FaultTolerance) throws {
        let world = TestWorld()
        let whole = SmallWAV.bytes(SmallWAV.voice())
        let path = world.add("A/b.wav", Array(whole.prefix(whole.count / 2)))
        let source = RecordingSource(
            folder: "A", name: "b.wav", stamp: try TestWorld.stamp(of: path))
        let order = ListeningOrder(source: source, stages: .listening, tolerance: tolerance)
        let pass = ListeningPass(
            order: order, places: world.places, ownership: world.ownership,
            cancellation: Cancellation())
        guard case .failed(let failure, let measured?) = pass.run() else {
            return #expect(Bool(false), "it did not fail")
        }
        let heard = Int64((whole.count / 2 - 44) / 2)
        #expect(failure.stage == .decode)
        #expect(failure.reason == .truncated)
        #expect(failure.frame == heard)
        #expect(failure.expected == 24_000)
        #expect(measured.format?.frames == heard)
        #expect(measured.levels != nil)
        #expect(measured.waveforms == nil)
        #expect(TestWorld.tree(world.output).isEmpty)
    }

    @Test func truncatedFileIsDoneWithWarning() throws {
        let world = TestWorld()
        let whole = SmallWAV.bytes(SmallWAV.voice())
        let path = world.add("A/b.wav", Array(whole.prefix(whole.count / 2)))
        let source = RecordingSource(
            folder: "A", name: "b.wav", stamp: try TestWorld.stamp(of: path))
        let pass = ListeningPass(
            order: ListeningOrder(source: source, stages: .listening), places: world.places,
            ownership: world.ownership, cancellation: Cancellation())
        guard case .listened(let measured, let staged) = pass.run() else {
            return #expect(Bool(false), "it was not listened to")
        }
        let heard = Int64((whole.count / 2 - 44) / 2)
        let lost = Double(24_000 - heard) / Double(SmallWAV.sampleRateHertz)
        #expect(
            measured.warnings == [
                RecordingWarning(.truncated, frame: heard, lostSeconds: lost)
            ])
        #expect(measured.format?.frames == heard)
        #expect(staged.count == 1)
    }

    @Test func failedWaveformWriteIsReported() throws {
        let one = try OneRecording()
        one.world.makeFolder(one.world.output)
        one.world.folder.write([], to: "output/A")
        guard case .failed(let failure, let measured) = one.listen() else {
            return #expect(Bool(false), "it did not fail")
        }
        #expect(failure.stage == .waveform)
        #expect(failure.reason == .placeTaken)
        #expect(measured?.levels != nil)
    }
}
